"""The judge looks again: a share of the matrix's cells, at random, by the judge's own path."""

from __future__ import annotations

import random
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchwright.formats import Agreement, KillMatrix, Mutant, Row, apply, positions
from benchwright.judge import Rig, run_suite

from .ground import Ground

SHARE = 0.05
SHOWN = 50


@dataclass(slots=True)
class _Tally:
    cells: int = 0
    agreed: int = 0
    said: list[str] = field(default_factory=list)


def agree(
    ground: Ground, matrix: KillMatrix, mutants: Mapping[str, Mutant], work: Path, seed: str
) -> Agreement:
    """Run at least `SHARE` of the cells again, whole rows drawn at random, and compare."""
    rows = [row for row in matrix.rows if row.fate in ("killed", "survived")]
    total = len(rows) * len(matrix.tests)
    chance = random.Random(seed)  # noqa: S311 - a sample, not a secret
    chance.shuffle(rows)
    tally = _Tally()
    for row in rows:
        if tally.cells >= SHARE * total:
            break
        ground.say(f"matrix: judged again: {tally.cells} of {round(SHARE * total)} cells")
        _compare(ground, matrix, row, mutants[row.id], work, tally)
    return Agreement(
        cells=tally.cells,
        agreed=tally.agreed,
        share=round(tally.cells / total, 4) if total else 0.0,
        disagreements=tuple(tally.said[:SHOWN]),
    )


def _compare(
    ground: Ground, matrix: KillMatrix, row: Row, mutant: Mutant, work: Path, tally: _Tally
) -> None:
    tree = work / "again"
    shutil.copytree(ground.tree, tree, symlinks=True)
    path = tree / mutant.file
    path.write_bytes(apply(path.read_bytes(), mutant.edits))
    slowest = max((t.seconds for t in ground.task.manifest.tests), default=0.0)
    rig = Rig.of(ground.task, ground.environment, ground.sandbox)
    limits = rig.settings.limits.model_copy(update={"test_seconds": 4.0 + 20 * slowest})
    result = run_suite(tree, rig.within(limits))
    shutil.rmtree(tree, ignore_errors=True)
    killed = positions(row.kills)
    given_up = any("given up" in note for note in result.notes)
    for number, test in enumerate(matrix.tests):
        if given_up and test not in result.tests:
            continue
        fast = "failed" if number in killed else "passed"
        judge = "passed" if result.outcome(test).outcome == "passed" else "failed"
        tally.cells += 1
        tally.agreed += fast == judge
        if fast != judge:
            tally.said.append(f"{row.id}, {test}: fast says {fast}, judge says {judge}")
