"""Real SWE-bench rows: built, failing on the base, resolved by the reference, and how surely.

The rows, their pins and clones of their repositories aren't part of this repository: the variables
`SWEBENCH_ROWS`, `SWEBENCH_PINS` and `SWEBENCH_REPOS` say where they are. What is done is kept in
`SWEBENCH_WORK`, so that the table goes on where it stopped; each row names the commit it is of.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchwright.formats import BenchwrightError, InputError, printable, write_atomic
from benchwright.interop.swebench import (
    Row,
    find_clone,
    import_row,
    instance_of,
    read_pins,
    read_rows,
)
from benchwright.judge import calibrate, judge
from benchwright.sandbox import choose
from benchwright.tasks import Task

from ._kept import commit
from ._swebench_compare import compare

SLOW = ("psf/requests", "pydata/xarray")
"""Repositories that come last: tests that wait for a network, hundreds of packages."""
ONLY_KEPT = os.environ.get("SWEBENCH_ONLY_KEPT") == "1"
"""Tabulate what is kept and run nothing."""
QUICK = float(os.environ.get("SWEBENCH_QUICK", "15"))
"""Seconds of a reference run up to which controls are tried, which takes many runs."""
BUDGET = 20
"""So many times that is spent on trying candidates."""
Progress = Callable[[str], None]


def where(name: str) -> Path:
    """A folder or file that the caller names."""
    value = os.environ.get(name)
    if not value:
        raise InputError(f"{name} isn't set", hint="see evidence/swebench.py")
    return Path(value)


def work() -> Path:
    """Where tasks and finished rows are kept."""
    default = Path(tempfile.gettempdir()) / "benchwright-evidence-swebench"
    return Path(os.environ.get("SWEBENCH_WORK", default))


def rows() -> list[Row]:
    """The rows whose repository is here, quick ones first."""
    clones, box = where("SWEBENCH_REPOS"), choose()
    found = []
    here: dict[str, bool] = {}
    for row in read_rows(where("SWEBENCH_ROWS")):
        if row.repo not in here:
            try:
                here[row.repo] = bool(find_clone(clones, row.repo, box))
            except InputError:
                here[row.repo] = False
        if here[row.repo]:
            found.append(row)
    return sorted(found, key=lambda row: (row.repo in SLOW, len(row.pass_to_pass)))


def told(row: Row, progress: Progress) -> dict[str, Any]:
    """One line of the table, from a real run or from what an earlier one kept."""
    path = work() / "rows" / f"{row.instance_id}.json"
    if path.is_file():
        kept: dict[str, Any] = json.loads(path.read_text())
        return kept
    started = time.monotonic()
    line: dict[str, Any] = {"instance": row.instance_id, "commit": commit(), "built": False}
    try:
        task = built(row, progress)
        line |= shown(row, task, progress)
    except BenchwrightError as error:
        line["obstacle"] = printable(str(error), 600)
    line["seconds"] = round(time.monotonic() - started, 1)
    write_atomic(path, json.dumps(line, indent=1).encode())
    progress(f"{row.instance_id}: {json.dumps(line)[:300]}")
    return line


def built(row: Row, progress: Progress) -> Task:
    """The row's task."""
    root = work() / "tasks" / row.instance_id
    if root.is_dir():
        return Task.load(root)
    pins = read_pins(where("SWEBENCH_PINS"))
    return import_row(
        row,
        where("SWEBENCH_REPOS"),
        root,
        pins=pins.get(row.instance_id),
        progress=lambda text: progress(f"{row.instance_id}: {text}"),
    )


def shown(row: Row, task: Task, progress: Progress) -> dict[str, Any]:
    """What execution showed of a task."""
    manifest = task.manifest
    runs = json.loads((task.validation / "runs.json").read_text())
    line: dict[str, Any] = {"built": True}
    for group in ("fail_to_pass", "pass_to_pass"):
        listed = [t for t in manifest.tests if t.group == group]
        ids = row.fail_to_pass if group == "fail_to_pass" else row.pass_to_pass
        line[group] = f"{sum(t.counted for t in listed)} of {len(ids)}"
    gained = [t.id for t in manifest.counted if t.group == "fail_to_pass"]
    kept = [t.id for t in manifest.counted]
    tests = runs["tests"]
    line["base fails"] = sum(all(tests[i]["base"][n] != "passed" for i in gained) for n in range(3))
    line["gold resolves"] = sum(
        all(tests[i]["reference"][n] == "passed" for i in kept) for n in range(3)
    )
    line["suite seconds"] = runs["seconds"]["reference"]
    reasons = [t.reason for t in manifest.tests if t.group != "test" and not t.counted]
    line["not counted"] = dict(Counter(printable(r, 160) for r in reasons).most_common(6))
    line["no test's ids"] = list(manifest.dropped)[:10]
    line |= guarded(row, task, min(runs["seconds"]["reference"]), progress)
    return line


def guarded(row: Row, task: Task, seconds: float, progress: Progress) -> dict[str, Any]:
    """How the judge ends on the reference patch, with controls where they are quick to find."""
    found: dict[str, Any] = {}
    path = task.validation / "controls.json"
    if seconds <= QUICK and not path.is_file():
        progress(f"{row.instance_id}: finding controls")
        try:
            calibrate(task, pairs=4, seconds=BUDGET * QUICK).write(path)
        except BenchwrightError as error:
            found["controls"] = printable(str(error), 300)
    elif seconds > QUICK:
        found["controls"] = f"not tried: one run takes {seconds:.0f} s"
    patch = task.solution.parent / "patch.diff"
    verdict = judge(task, patch, unguarded=True, pairs=2)
    instance = instance_of(row, task, verdict)
    found["judged"] = verdict.status
    found["official"] = instance.grade.resolution if instance.grade else instance.status
    found["applied"] = instance.applied
    if verdict.guard is not None:
        found["guarded"] = verdict.guard.guarded
        found["exposed"] = verdict.guard.exposed
        found["forgery bound"] = verdict.guard.forgery_bound
    return found


def kept(row: Row, _: Progress) -> dict[str, Any]:
    """One line of the table from an earlier run alone."""
    path = work() / "rows" / f"{row.instance_id}.json"
    if not path.is_file():
        return {"instance": row.instance_id, "built": False, "obstacle": "not run yet"}
    line: dict[str, Any] = json.loads(path.read_text())
    return line


def produce(progress: Progress) -> dict[str, Any]:
    """The table of rows, and the differences from the official grading."""
    wanted, every = rows(), read_rows(where("SWEBENCH_ROWS"))
    line_of = kept if ONLY_KEPT else told
    with ThreadPoolExecutor(int(os.environ.get("SWEBENCH_WORKERS", "1"))) as pool:
        lines = list(pool.map(lambda row: line_of(row, progress), wanted))
    good = [line for line in lines if line.get("gold resolves") == 3 and line["base fails"] == 3]
    ran = [line for line in lines if line.get("obstacle") != "not run yet"]
    return {
        "rows": lines,
        "summary": {
            "rows": len(lines),
            "run so far": len(ran),
            "built": sum(line["built"] for line in lines),
            "base fails and gold resolves, three times": len(good),
            "guarded": sum(line.get("forgery bound", 1.0) < 1.0 for line in lines),
        },
        "differences": compare(list(every), progress),
    }


if __name__ == "__main__":
    print(json.dumps(produce(lambda m: print(m, file=sys.stderr, flush=True)), indent=1))
