"""Tasks mined from histories and from pairs of releases, each validated and mended.

Clones with their history aren't part of this repository: `SWEBENCH_REPOS` is a folder of them, as
for `evidence/swebench.py`. The tasks are made in `MINING_WORK`, where those that are there already
stay.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchwright.authoring import mine, mine_pair
from benchwright.formats import BenchwrightError
from benchwright.interop.swebench import find_clone
from benchwright.sandbox import choose
from benchwright.tasks import Task
from benchwright.validation import validate

from ._kept import Kept
from .swebench import where

PAIRS = (
    "pypi:click==8.5.0..8.5.1",
    "pypi:sqlparse==0.6.0..0.6.1",
    "pypi:marshmallow==4.3.1..4.4.0",
)
HISTORIES = (
    ("pallets/flask", "2021-06-01", "2024-06-01", 6),
    ("pallets/click", "2023-06-01", "2025-12-31", 6),
)
"""Repository, from, until, tasks to make."""
GATES = ("sealed", "reference", "start")


def produce(progress: Callable[[str], None]) -> dict[str, Any]:
    """One row a task."""
    default = Path(tempfile.gettempdir()) / "benchwright-evidence-mining"
    out, box = Path(os.environ.get("MINING_WORK", default)), choose()
    failed = {}
    for spec in PAIRS:
        try:
            mine_pair(spec, out / "pairs", sandbox=box, progress=progress)
        except BenchwrightError as error:
            failed[spec] = str(error)[:300]
    for repo, since, until, most in HISTORIES:
        folder = out / repo.replace("/", "__")
        if len(list(folder.glob("*/task.toml"))) >= most:
            continue
        clone = find_clone(where("SWEBENCH_REPOS"), repo, box)
        options = {"since": since, "until": until, "most": most}
        list(mine(clone, repo, folder, sandbox=box, progress=progress, **options))
    kept = Kept("mining")
    made = sorted(path.parent for path in out.glob("*/*/task.toml"))
    rows = [kept.row(str(root.relative_to(out)), partial(row, root, progress)) for root in made]
    valid = [one for one in rows if set(one["gates"].values()) == {"passed"}]
    totals = {
        "from histories": sum(one["source"] != "pairs" for one in valid),
        "repositories": len({one["source"] for one in valid} - {"pairs"}),
        "from pairs": sum(one["source"] == "pairs" for one in valid),
    }
    return {"rows": rows, "failed": failed, "totals": totals}


def row(root: Path, progress: Callable[[str], None]) -> dict[str, Any]:
    """One mined task: its three runs each on base and reference, and what validation says."""
    progress(f"validating {root.name}")
    task = Task.load(root)
    evidence = validate(task, gates=GATES, fix=True, progress=progress)
    groups = Counter(test.group for test in task.manifest.counted)
    runs = json.loads((task.validation / "runs.json").read_text())
    return {
        "source": root.parent.name,
        "task": root.name,
        "from": task.settings.source.spec,
        "fail_to_pass": groups["fail_to_pass"],
        "pass_to_pass": groups["pass_to_pass"],
        "suite seconds": runs["seconds"]["reference"],
        "gates": {gate.name: gate.status for gate in evidence.gates if gate.name in GATES},
    }
