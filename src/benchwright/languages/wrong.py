"""The wrong implementations that a language makes of a reference."""

from __future__ import annotations

from dataclasses import dataclass

from benchwright.formats import Mutant


@dataclass(frozen=True, slots=True)
class Wrong:
    """Omissions, mutants, missing subsystems."""

    mutants: tuple[Mutant, ...]
    equivalent: int
    """How many were dropped because they compile to the reference, or to another of them."""
