"""The judge looks again: a share of the matrix's cells, at random, by the judge's own path."""

from __future__ import annotations

import hashlib
import json
import math
import random
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchwright.formats import (
    Agreement,
    InfraError,
    KillMatrix,
    Mutant,
    Row,
    apply,
    boundary,
    canonical,
    positions,
    write_atomic,
)
from benchwright.judge import Rig, SuiteResult, run_suite

from .ground import Ground
from .together import together

SHARE = 0.05
SHOWN = 50


def agree(
    ground: Ground, matrix: KillMatrix, mutants: Mapping[str, Mutant], kept: Path, seed: str
) -> Agreement:
    """Run at least `SHARE` of the cells again, whole rows drawn at random, and compare.

    Args:
        ground: the task, ready.
        matrix: what is to be compared.
        mutants: by id, those of the matrix.
        kept: folder for rows that were judged again, so that a stop costs none.
        seed: draws the rows.
    """
    rows = [row for row in matrix.rows if row.fate in ("killed", "survived")]
    total = len(rows) * len(matrix.tests)
    chance = random.Random(seed)  # noqa: S311 - a sample, not a secret
    chance.shuffle(rows)
    again = _Again(ground, matrix, mutants, kept)
    cells, said = 0, list[str]()
    while rows and cells < SHARE * total:
        count = math.ceil((SHARE * total - cells) / len(matrix.tests))
        drawn, rows = rows[:count], rows[count:]
        seen: dict[int, tuple[int, list[str]]] = {}
        for place, found in together(again.row, drawn):
            seen[place] = found
            cells += found[0]
            ground.say(f"matrix: judged again: {cells} of {round(SHARE * total)} cells")
        said += [line for place in sorted(seen) for line in seen[place][1]]
    return Agreement(
        cells=cells,
        agreed=cells - len(said),
        share=round(cells / total, 4) if total else 0.0,
        disagreements=tuple(said[:SHOWN]),
    )


@dataclass(frozen=True, slots=True)
class _Again:
    """Rows of a matrix, judged again."""

    ground: Ground
    matrix: KillMatrix
    mutants: Mapping[str, Mutant]
    kept: Path

    def row(self, row: Row) -> tuple[int, list[str]]:
        """How many cells were judged, and what the judge says of those where it disagrees."""
        key = canonical([row.id, row.kills, list(self.matrix.tests)])
        path = self.kept / f"again-{hashlib.sha256(key).hexdigest()[:24]}.json"
        if path.is_file():
            cells, said = json.loads(path.read_bytes())
        else:
            cells, said = self.compared(row, self.judged(self.mutants[row.id]))
            write_atomic(path, json.dumps([cells, said]).encode())
        return cells, said

    def judged(self, mutant: Mutant) -> SuiteResult:
        """The suite on a mutant, as the judge runs it."""
        ground = self.ground
        slowest = max((test.seconds for test in ground.task.manifest.tests), default=0.0)
        rig = Rig.of(ground.task, ground.environment, ground.sandbox)
        limits = rig.settings.limits.model_copy(update={"test_seconds": 4.0 + 20 * slowest})
        with (
            boundary(InfraError, "no scratch space"),
            tempfile.TemporaryDirectory(prefix="benchwright-") as work,
        ):
            tree = Path(work) / "again"
            shutil.copytree(ground.tree, tree, symlinks=True)
            path = tree / mutant.file
            path.write_bytes(apply(path.read_bytes(), mutant.edits))
            return run_suite(tree, rig.within(limits))

    def compared(self, row: Row, result: SuiteResult) -> tuple[int, list[str]]:
        """A row of the matrix beside what the judge saw."""
        killed = positions(row.kills)
        given_up = any("given up" in note for note in result.notes)
        cells, said = 0, list[str]()
        for number, test in enumerate(self.matrix.tests):
            if given_up and test not in result.tests:
                continue
            fast = "failed" if number in killed else "passed"
            judge = "passed" if result.outcome(test).outcome == "passed" else "failed"
            cells += 1
            if fast != judge:
                said.append(f"{row.id}, {test}: fast says {fast}, judge says {judge}")
        return cells, said
