"""The gates: each a module with one function from the bench to its evidence."""

from __future__ import annotations

from collections.abc import Callable

from benchwright.formats import GateEvidence
from benchwright.mutants import MATRIX, RULES
from benchwright.validation.bench import Bench

from . import cheats, controls, fair, reference, sealed, start, wrong

Gate = Callable[[Bench], GateEvidence]

GATES: dict[str, Gate] = {
    "sealed": sealed.check,
    "reference": reference.check,
    "start": start.check,
    "wrong": wrong.check,
    "fair": fair.check,
    "controls": controls.check,
    "cheats": cheats.check,
}
"""In the order in which they run."""
WRITES: dict[str, tuple[str, ...]] = {
    "wrong": (RULES, MATRIX),
    "controls": (controls.FILE,),
}
"""Files that a gate leaves in `validation/`."""

__all__ = ["GATES", "WRITES", "Gate"]
