"""The kill matrix: every chosen wrong implementation on every test that may notice it.

Boxes work side by side, a batch each; what a batch found is kept until all are done, so that a run
that was stopped goes on where it was. A box that ends before its batch costs the mutant it was at.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from benchwright.formats import Fate, KillMatrix, Mutant, Row, canonical, ranges, write_atomic
from benchwright.languages import Measured, Ran
from benchwright.tasks import digest

from .ground import Ground
from .together import together

BATCH = 20.0
"""Seconds that a batch may take: what a stop may cost."""
FORK = 0.02
"""Seconds that a mutant costs beside its tests."""
PATIENCE = 3600.0
COMPARED = 600
"""Most survivors that are compared with the reference."""
STRIKES = 2
"""Boxes that a mutant may end before it counts as unusable."""


@dataclass(slots=True)
class Runner:
    """One matrix in the making."""

    ground: Ground
    measured: Measured
    tests: tuple[str, ...]
    mutants: Sequence[Mutant]
    kept: Path
    """Where finished batches are kept meanwhile."""
    rows: list[dict[str, Any]] = field(default_factory=list)

    def run(self, workers: int = 0) -> dict[int, Ran]:
        """Run everything; what the tests said of each mutant, by its position."""
        product = self.ground.task.settings.product
        files = self.ground.files
        language = self.ground.language
        self.rows = language.choose(files, product, self.mutants, self.tests, self.measured)
        return self.all([row for row in self.rows if row["tests"]], workers)

    def compare(self, found: Mapping[int, Ran], workers: int = 0) -> dict[int, Ran]:
        """Look at survivors that can be switched beside the reference."""
        alive = [r for r in self.rows if r["how"] != "fresh" and survived(found.get(r["n"]))]
        return {**found, **self.all(alive[:COMPARED], workers, compare=True)}

    def all(
        self, rows: list[dict[str, Any]], workers: int, *, compare: bool = False
    ) -> dict[int, Ran]:
        """Run rows in batches, side by side."""
        count = workers or os.cpu_count() or 1
        found: dict[int, Ran] = {}
        what = "survivors beside the reference" if compare else "mutants"
        work = partial(self.batch, compare=compare)
        for _, done in together(work, self.dealt(rows, count), count):
            found.update(done)
            self.ground.say(f"matrix: {len(found)} of {len(rows)} {what}")
        return found

    def dealt(self, rows: list[dict[str, Any]], workers: int) -> list[list[dict[str, Any]]]:
        """Rows in batches that take about as long as each other, as many as keep all boxes busy."""
        costs = {row["n"]: self.cost(row) for row in rows}
        count = workers * math.ceil(sum(costs.values()) / (workers * BATCH))
        rows = sorted(rows, key=lambda row: (row["how"] == "fresh", -costs[row["n"]]))
        return [batch for start in range(count) if (batch := rows[start::count])]

    def cost(self, row: dict[str, Any]) -> float:
        """Seconds that a mutant will take, about."""
        timing = self.measured.tests
        alone = self.measured.collect if row["how"] == "fresh" else 0.0
        return FORK + alone + sum(timing[self.tests[test]].wall for test in row["tests"])

    def batch(self, rows: list[dict[str, Any]], compare: bool) -> dict[int, Ran]:
        """Run a batch, in as many boxes as it takes."""
        named = [[self.mutants[r["n"]].id, r["tests"]] for r in rows]
        name = hashlib.sha256(canonical([named, list(self.tests), compare])).hexdigest()[:24]
        path = self.kept / f"batch-{name}.json"
        if path.is_file():
            return {int(n): load(said) for n, said in json.loads(path.read_bytes()).items()}
        found: dict[int, Ran] = {}
        strikes = 0
        while left := [row for row in rows if row["n"] not in found]:
            new = self.box(left, compare)
            found.update(new)
            strikes = 0 if new else strikes + 1
            if strikes == STRIKES:
                lost = (
                    Ran(frozenset()) if compare else Ran(frozenset(left[0]["tests"]), broken="box")
                )
                found[left[0]["n"]] = lost
                strikes = 0
        write_atomic(path, json.dumps({n: dump(ran) for n, ran in found.items()}).encode())
        return found

    def box(self, rows: list[dict[str, Any]], compare: bool) -> dict[int, Ran]:
        """Run rows in one box; those it didn't come to are absent."""
        settings = self.ground.task.settings
        run = self.ground.language.mutate(
            settings.runner,
            settings.product,
            rows,
            self.tests,
            self.measured,
            names=sorted(self.ground.files),
            metadata=self.ground.task.metadata is not None,
            compare=compare,
        )
        done = self.ground.run(run, PATIENCE)
        return self.ground.language.read_mutate(done.events)[0]


def dump(ran: Ran) -> list[Any]:
    """What is kept of one mutant."""
    return [sorted(ran.failed), *astuple(ran)[1:]]


def load(said: Sequence[Any]) -> Ran:
    """The inverse of `dump`."""
    return Ran(frozenset(said[0]), *said[1:])


def survived(ran: Ran | None) -> bool:
    """Whether the tests ran a mutant and none noticed."""
    return ran is not None and not ran.failed and not ran.broken


def assembled(
    ground: Ground,
    runner: Runner,
    found: Mapping[int, Ran],
    *,
    sampled: float,
    equivalent: int,
    waived: Mapping[str, str],
) -> KillMatrix:
    """The matrix as a document."""
    rows = [
        row(mutant, runner.rows[number]["tests"], found.get(number), waived.get(mutant.id, ""))
        for number, mutant in enumerate(runner.mutants)
    ]
    return KillMatrix(
        reference=digest(ground.task.solution),
        tests=runner.tests,
        rows=tuple(rows),
        sampled=round(sampled, 4),
        equivalent=equivalent,
    )


def row(mutant: Mutant, tests: Sequence[int], ran: Ran | None, waived: str) -> Row:
    """One line of the matrix."""
    fate: Fate = "uncovered"
    if ran is not None:
        fate = "unusable" if ran.broken else "killed" if ran.failed else "survived"
    return Row(
        id=mutant.id,
        sort=mutant.sort,
        operator=mutant.operator,
        file=mutant.file,
        line=mutant.line,
        subject=mutant.subject,
        change=mutant.change,
        rule=mutant.rule,
        fate=fate,
        kills=ranges(ran.failed) if ran else "",
        ran=ranges(tests),
        timeouts=ran.timeouts if ran else 0,
        crashes=ran.crashes if ran else 0,
        differs=ran.differs if ran else None,
        waived=waived,
    )
