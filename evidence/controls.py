"""Controls of twelve libraries: how many checks and tests they guard, why the rest stays open,
whether the reference holds in random mixes that served nothing else, and what a pair of rounds
costs beside two bare runs of pytest.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import benchwright as bw
from benchwright.attacks import arena
from benchwright.formats import BenchwrightError
from benchwright.judge import calibrate, prove
from benchwright.tasks import Task

from ._kept import Kept
from .libraries import LIBRARIES

MIXES = 5
"""Pairs of rounds that find what interferes, and as many that prove it."""
GATES = ("sealed", "reference", "start")


def produce(progress: Callable[[str], None]) -> dict[str, Any]:
    """One row a library."""
    kept = Kept("controls")
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for library in LIBRARIES:
            progress(library)
            try:
                rows.append(kept.row(library, partial(row, library, Path(scratch), progress)))
            except BenchwrightError as error:
                rows.append({"library": library, "error": str(error)[:300]})
            except KeyboardInterrupt:
                progress(f"stopping before {library}")
                break
    return {"rows": rows, "totals": totals(rows)}


def row(library: str, scratch: Path, progress: Callable[[str], None]) -> dict[str, Any]:
    """What the controls of one library guard, and their cost."""
    task = bw.author(f"pypi:{library}", "completion", scratch / library, progress=progress)
    bw.validate(task, gates=GATES, fix=True, progress=progress)
    task = Task.load(task.root)
    start = time.monotonic()
    controls = calibrate(task, pairs=MIXES, progress=progress)
    seconds = time.monotonic() - start
    controls.write(task.validation / "controls.json")
    mixed = prove(task, controls, pairs=MIXES, seed="evidence", progress=progress)
    open_ = (c.reason for c in controls.coverage if c.strength != "strong")
    return {
        "library": library,
        **controls.figures,
        "why not strong": dict(Counter(re.sub(r"\d+", "n", why) for why in open_).most_common()),
        "mixes": mixed.pairs,
        "lost in mixes": sorted(mixed.broken),
        "seconds": round(seconds, 1),
        "cost": cost(task),
    }


def cost(task: Task) -> dict[str, float]:
    """A pair of rounds beside two bare runs of pytest, in turn."""
    with arena(task) as here:
        start = time.monotonic()
        here.plainly(task.solution)
        first = time.monotonic() - start
        verdict = bw.judge(task, task.solution, pairs=1)
        start = time.monotonic()
        here.plainly(task.solution)
        bare = first + time.monotonic() - start
    rounds = sum(one.seconds for one in verdict.guard.rounds[:2]) if verdict.guard else 0.0
    return {
        "two bare runs": round(bare, 2),
        "a pair of rounds": round(rounds, 2),
        "ratio": round(rounds / bare, 2),
    }


def totals(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Shares over all libraries, each weighed by its checks or tests."""
    made = [one for one in rows if "error" not in one]

    def mean(share: str, weight: str) -> float:
        total = sum(one[weight] for one in made)
        return round(sum(one[share] * one[weight] for one in made) / total, 4) if total else 0.0

    return {
        "libraries": len(made),
        "checks": sum(one["checks"] for one in made),
        "ids": sum(one["ids"] for one in made),
        "checks strong": mean("checks_strong", "checks"),
        "checks guarded": mean("checks_any", "checks"),
        "ids strong": mean("ids_strong", "ids"),
        "ids guarded": mean("ids_any", "ids"),
        "lost in mixes": sum(len(one["lost in mixes"]) for one in made),
        "ratio": round(sum(one["cost"]["ratio"] for one in made) / len(made), 2) if made else 0.0,
    }
