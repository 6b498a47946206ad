"""The attacks, made for this task, win nothing."""

from __future__ import annotations

from benchwright.formats import GateEvidence
from benchwright.validation.bench import Bench

NAME = "cheats"


def check(bench: Bench) -> GateEvidence:
    """No attacks can be made here yet, so nothing is claimed."""
    bench.say("cheats: not run")
    return GateEvidence(name=NAME, status="not run", summary="no attacks are made for tasks yet")
