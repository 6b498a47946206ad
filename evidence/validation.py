"""Libraries, validated by the gates of rules, wrong implementations and controls: rules, how many
are stated and tested, what survives, how well the judge agrees with the fast matrix, how many
checks and tests a control guards, and how well faults outside the matrix are explained: two rules
left out at once, and older releases, which are judged as submissions.

All twelve; with `BENCHWRIGHT_EVIDENCE=short` four of them. The table says which it is, and how many
were left out where Ctrl-C ended it early.
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
from benchwright.formats import (
    BenchwrightError,
    ControlSet,
    Evidence,
    KillMatrix,
    Rule,
    RuleSet,
    Verdict,
    apply,
)
from benchwright.mutants import MATRIX, RULES, Diagnosis, Statement, by_sort, diagnose
from benchwright.sources import fetch
from benchwright.tasks import Task
from benchwright.validation import validate

from ._kept import Kept
from ._misread import MISREAD, Misread
from .libraries import LIBRARIES

EXTENT = os.environ.get("BENCHWRIGHT_EVIDENCE", "full")
SHORT = ("deprecated==1.2.14", "wcwidth==0.2.13", "tinydb==4.8.0", "simpy==4.1.1")
DOUBLES = 5
GATES = ("sealed", "reference", "start", "controls", "wrong", "fair")
OLDER = {
    "tinydb": ("4.5.2", "4.7.1"), "simpy": ("4.0.2", "4.1.0"), "deprecated": ("1.2.10", "1.2.13"),
    "wcwidth": ("0.2.9", "0.2.12"), "voluptuous": ("0.13.1", "0.15.1"),
    "cachetools": ("5.3.3", "5.4.0"), "imapclient": ("2.3.1", "3.0.0"),
    "marshmallow": ("3.19.0", "3.21.2"), "jinja2": ("3.1.2", "3.1.3"),
    "cookiecutter": ("2.4.0", "2.5.0"), "itsdangerous": ("2.0.1", "2.1.2"),
    "h11": ("0.12.0", "0.13.0"),
}  # fmt: skip
"""Per library, two releases before the one the task is made of."""
SAID = 3


def produce(progress: Callable[[str], None]) -> dict[str, Any]:
    """One row a library, and one a double omission, a misreading and an older release."""
    kept, made = Kept("validation"), []
    wanted = LIBRARIES if EXTENT == "full" else SHORT
    with tempfile.TemporaryDirectory() as scratch:
        try:
            for library in wanted:
                make = partial(told, library, Path(scratch), progress)
                made.append(kept.row(library, make))
        except KeyboardInterrupt:
            progress(f"stopping after {len(made)} of {len(wanted)}")
    diagnoses = [found for one in made for found in one["diagnoses"]]
    misread = [found for one in made for found in one["misread"]]
    releases = [found for one in made for found in one["older"]]
    named = sum(d["first"] or d["second"] for d in diagnoses)
    both = sum(d["first"] and d["second"] for d in diagnoses)
    rows = [one["row"] for one in made]
    totals = {
        "doubles": len(diagnoses),
        "one named": named,
        "both named": both,
        "misread": len(misread),
        "misread noticed": sum(one["failing"] > 0 for one in misread),
        "misread named": sum(one["named"] for one in misread),
        "older": len(releases),
        "older failing": sum(one["failing"] > 0 for one in releases),
        "older explained": sum(one["explained"] == 1 for one in releases if one["failing"]),
        "older accused": sum(one["accused"] for one in releases),
        **summed(rows),
    }
    tables = {"rows": rows, "diagnoses": diagnoses, "misread": misread, "older": releases}
    left_out = len(wanted) - len(made)
    return {"extent": EXTENT, **tables, "totals": totals, "left_out": left_out}


def summed(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Sums over the libraries that could be validated."""
    made = [row for row in rows if "error" not in row]
    counts = ("tests", "rules", "mutants", "survivors", "cells judged again", "cells agreed",
              "checks")  # fmt: skip
    shares = {"checks strong": "checks", "tests strong": "tests", "tests guarded": "tests"}

    def mean(share: str, weight: str) -> float:
        total = sum(row[weight] for row in made)
        return round(sum(row[share] * row[weight] for row in made) / total, 4) if total else 0.0

    return {
        "libraries": len(made),
        **{name: sum(row[name] for row in made) for name in counts},
        **{share: mean(share, weight) for share, weight in shares.items()},
    }


def told(library: str, scratch: Path, progress: Callable[[str], None]) -> dict[str, Any]:
    """What one library shows; where it can't be validated, why."""
    progress(library)
    try:
        task, row = validated(library, scratch, progress)
    except BenchwrightError as error:
        row = {"library": library, "error": str(error)[:300]}
        return {"row": row, "diagnoses": [], "misread": [], "older": []}
    name = library.partition("=")[0]
    return {
        "row": row,
        "diagnoses": doubles(task, scratch, progress),
        "misread": [
            misreading(task, one, scratch / f"{name}-misread-{number}", progress)
            for number, one in enumerate(one for one in MISREAD if one.library == name)
        ],
        "older": older(task, library, progress),
    }


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
    controls = ControlSet.read(task.validation / "controls.json").figures
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
        "checks": controls["checks"],
        "checks strong": controls["checks_strong"],
        "tests strong": controls["ids_strong"],
        "tests guarded": controls["ids_any"],
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
        found.append(_double(task, folder, one, other))
    return found


def misreading(
    task: Task, one: Misread, folder: Path, progress: Callable[[str], None]
) -> dict[str, Any]:
    """The reference with a misreading in it, judged, and whether the diagnosis names it."""
    progress(f"misread: {one.what}")
    shutil.copytree(task.solution, folder)
    with (folder / one.file).open("a") as file:
        file.write(f"\n\n{one.code}")
    answer = explained(task, bw.judge(task, folder, pairs=1, unguarded=True))
    said = [sentence for cause in answer.causes for sentence in cause.sentences]
    return {
        "task": task.name,
        "misread": one.what,
        "failing": answer.failing,
        "mode": answer.mode,
        "explained": answer.explained,
        "named": any(one.subject in sentence for sentence in said),
        "says": said[:SAID],
    }


def explained(task: Task, verdict: Verdict) -> Diagnosis:
    """What the diagnosis makes of a verdict."""
    rules = RuleSet.read(task.validation / RULES)
    return diagnose(verdict, KillMatrix.read(task.validation / MATRIX), rules, Statement.of(task))


def older(task: Task, library: str, progress: Callable[[str], None]) -> list[dict[str, Any]]:
    """Older releases, judged as submissions, and what the diagnosis says that they lack."""
    name = library.partition("=")[0]
    found = []
    for version in OLDER[name]:
        progress(f"{name} {version}")
        tree = fetch(f"pypi:{name}=={version}").tree
        verdict = bw.judge(task, tree)
        answer = explained(task, verdict)
        said = [sentence for cause in answer.causes for sentence in cause.sentences[:1]]
        found.append(
            {
                "task": task.name,
                "release": version,
                "score": verdict.score,
                "accused": verdict.status == "tampered",
                "failing": answer.failing,
                "mode": answer.mode,
                "explained": answer.explained,
                "says": said[:SAID],
            }
        )
    return found


def _double(task: Task, folder: Path, one: Rule, other: Rule) -> dict[str, Any]:
    shutil.copytree(task.solution, folder)
    path = folder / one.file
    path.write_bytes(apply(path.read_bytes(), (*one.edits, *other.edits)))
    answer = explained(task, bw.judge(task, folder, pairs=1, unguarded=True))
    named = {rule for cause in answer.causes for rule in cause.rules}
    return {
        "task": task.name,
        "failing": answer.failing,
        "mode": answer.mode,
        "explained": answer.explained,
        "first": one.id in named,
        "second": other.id in named,
    }
