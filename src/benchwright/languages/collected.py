"""What collecting a suite showed, without running a test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Collected:
    """One collection of a suite on one tree."""

    ids: tuple[str, ...] = ()
    """In the order of collection."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Id -> the file it is in."""
    errors: Mapping[str, str] = field(default_factory=dict)
    """Test file -> why it couldn't be collected."""
    broken: Mapping[str, str] = field(default_factory=dict)
    """Module or file of the product -> why it can't be imported or parsed."""
    entered: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """File of the product -> the names of its functions that ran meanwhile."""
    complete: bool = False
    """The collection came to its end."""
    last: str = ""
    """The file that was begun last."""
