"""`validation/controls.json`: the proven controls of a task, and what they guard."""

from __future__ import annotations

from typing import Literal

from .base import Document, Record
from .edit import Control, Edit


class Coverage(Record):
    """How well one check of the hidden tests is guarded."""

    check: str
    """`file:line:column` of its statement."""
    strength: Literal["strong", "weak", "none"]
    """The strongest control that failed on the reference as it should."""
    tried: int = 0
    """How many candidates were tried on the reference."""
    reason: str = ""
    """Why no strong control guards it, in plain words."""


class ControlSet(Document):
    """Every proven control of a task."""

    format: Literal["benchwright.controls/1"] = "benchwright.controls/1"
    tests: str = ""
    """Digest of the hidden files that the edits were made for."""
    normalise: tuple[Edit, ...] = ()
    """Edits made in every round, wrong or right: explicit, meaningless ids of parametrised rows, so
    that an id neither changes with a row nor tells what the row expects."""
    aliases: dict[str, str] = {}
    """Id in a round -> expected id, where `normalise` changes it."""
    controls: tuple[Control, ...] = ()
    interferes: tuple[tuple[str, str], ...] = ()
    """Ids of controls that never share a round: together, one changes what the other does."""
    coverage: tuple[Coverage, ...] = ()
    bare: tuple[str, ...] = ()
    """Counted ids that no control guards."""
    figures: dict[str, float] = {}
    """Shares and counts: checks, checks_strong, checks_any, ids, ids_strong, ids_any, …"""

    def guarding(self) -> dict[str, tuple[Control, ...]]:
        """The controls of every guarded id, in their order."""
        found: dict[str, list[Control]] = {}
        for control in self.controls:
            for test in control.ids:
                found.setdefault(test, []).append(control)
        return {test: tuple(controls) for test, controls in found.items()}
