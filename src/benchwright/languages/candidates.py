"""What a language can say about controls by reading the hidden tests, before anything has run."""

from __future__ import annotations

from dataclasses import dataclass, field

from benchwright.formats import Control, Edit


@dataclass(frozen=True, slots=True)
class Checked:
    """A check that was found, and the ids that can reach it."""

    name: str
    """`file:line:column`."""
    kind: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Candidates:
    """Candidate controls, the best of each check first."""

    controls: tuple[Control, ...] = ()
    normalise: tuple[Edit, ...] = ()
    """Edits that every round needs, so that an id doesn't change with an edited row."""
    checks: tuple[Checked, ...] = ()
    unknown: dict[str, str] = field(default_factory=dict)
    """Ids without a check, and files that can't be read, with the reason."""
