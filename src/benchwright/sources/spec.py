"""What a source spec is, and what fetching one gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchwright.formats import SourcePin

Progress = Callable[[str], None]
"""Told what is being done, in words for a person."""

Fetcher = Callable[[str, Progress], "Fetched"]
"""Fetches what stands after the scheme of a spec."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """An upstream project on this machine. The tree is shared and read-only: copy, never change."""

    pin: SourcePin
    tree: Path
    notes: tuple[str, ...] = ()
    """What was left out while unpacking, in plain words."""
