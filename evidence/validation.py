"""Libraries, validated by the gates that rules and wrong implementations belong to: rules, how many
are stated and tested, what survives, how well the judge agrees with the fast matrix, and how well
faults outside the matrix are explained.

All twelve; with `BENCHWRIGHT_EVIDENCE=short` the first four. The table says which it is.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import benchwright as bw
from benchwright.formats import BenchwrightError, Evidence, KillMatrix, RuleSet, apply
from benchwright.mutants import MATRIX, RULES, Statement, by_sort, diagnose
from benchwright.tasks import Task
from benchwright.validation import validate

from ._kept import Kept
from .libraries import LIBRARIES

EXTENT = os.environ.get("BENCHWRIGHT_EVIDENCE", "full")
DOUBLES = 5
GATES = ("sealed", "reference", "start", "wrong", "fair")


def produce(progress: Callable[[str], None]) -> dict[str, Any]:
    """One row a library, and one a double omission."""
    kept = Kept("validation")
    with tempfile.TemporaryDirectory() as scratch:
        made = [
            kept.row(library, partial(told, library, Path(scratch), progress))
            for library in (LIBRARIES if EXTENT == "full" else LIBRARIES[:4])
        ]
    diagnoses = [found for one in made for found in one["diagnoses"]]
    named = sum(d["first"] or d["second"] for d in diagnoses)
    both = sum(d["first"] and d["second"] for d in diagnoses)
    totals = {"doubles": len(diagnoses), "one named": named, "both named": both}
    rows = [one["row"] for one in made]
    return {"extent": EXTENT, "rows": rows, "diagnoses": diagnoses, "totals": totals}


def told(library: str, scratch: Path, progress: Callable[[str], None]) -> dict[str, Any]:
    """What one library shows; where it can't be validated, why."""
    progress(library)
    try:
        task, row = validated(library, scratch, progress)
    except BenchwrightError as error:
        return {"row": {"library": library, "error": str(error)[:300]}, "diagnoses": []}
    return {"row": row, "diagnoses": doubles(task, scratch, progress)}


def validated(
    library: str, scratch: Path, progress: Callable[[str], None]
) -> tuple[Task, dict[str, Any]]:
    """A completion task of a library, and what its evidence says."""
    start = time.monotonic()
    folder = scratch / library.partition("=")[0]
    task = bw.author(f"pypi:{library}", "completion", folder, progress=progress)
    authored = time.monotonic() - start
    evidence: Evidence = validate(task, fix=True, gates=GATES, progress=progress)
    matrix = KillMatrix.read(task.validation / MATRIX)
    facts = {gate.name: gate.facts for gate in evidence.gates}
    agreement, sorts = matrix.agreement, by_sort(matrix)
    alive = [row for row in matrix.rows if row.fate in ("survived", "uncovered")]
    return task, {
        "library": library,
        "tests": len(task.manifest.counted),
        "rules": facts["wrong"]["rules"],
        "rules noticed": facts["fair"]["rules noticed"],
        "stated of those": facts["fair"]["stated of those"],
        "omissions noticed": round(sorts["omission"].share, 4),
        "mutants": sorts["mutant"].total,
        "mutants noticed": round(sorts["mutant"].share, 4),
        "missing noticed": round(sorts["missing"].share, 4),
        "survivors": len(alive),
        "share run": matrix.sampled,
        "cells judged again": agreement.cells if agreement else 0,
        "cells agreed": agreement.agreed if agreement else 0,
        "seconds to author": round(authored, 1),
        "seconds to validate": evidence.seconds,
    }


def doubles(task: Task, scratch: Path, progress: Callable[[str], None]) -> list[dict[str, Any]]:
    """Two rules left out at once, judged, and whether the diagnosis names them."""
    rules = RuleSet.read(task.validation / RULES)
    matrix = KillMatrix.read(task.validation / MATRIX)
    noticed = {row.rule for row in matrix.rows if row.fate == "killed" and row.rule}
    able = [rule for rule in rules.rules if rule.id in noticed and rule.kind != "operation"]
    pairs = [(a, b) for a, b in combinations(able[:: max(1, len(able) // 8)], 2)
             if a.file == b.file and a.edits[0].end < b.edits[0].start]  # fmt: skip
    found = []
    for number, (one, other) in enumerate(pairs[:DOUBLES]):
        progress(f"double omission {number + 1}")
        folder = scratch / f"{task.root.name}-double-{number}"
        found.append(_double(task, folder, one, other, rules, matrix))
    return found


def _double(
    task: Task, folder: Path, one: Any, other: Any, rules: RuleSet, matrix: KillMatrix
) -> dict[str, Any]:
    shutil.copytree(task.solution, folder)
    path = folder / one.file
    path.write_bytes(apply(path.read_bytes(), (*one.edits, *other.edits)))
    verdict = bw.judge(task, folder, pairs=1, unguarded=True)
    answer = diagnose(verdict, matrix, rules, Statement.of(task))
    named = {rule for cause in answer.causes for rule in cause.rules}
    return {
        "task": task.name,
        "failing": answer.failing,
        "mode": answer.mode,
        "explained": answer.explained,
        "first": one.id in named,
        "second": other.id in named,
    }
