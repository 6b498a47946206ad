"""Twelve libraries, two kinds of task each: authored by the bare command, validated by the three
gates that no task can do without, and tried with an agent that delivers the reference and one that
does nothing.

Controls are not sought here (they take longer, and have a table of their own), so the reference's
reward is the one that counts passing alone.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path
from typing import Any

import benchwright as bw
from benchwright.formats import BenchwrightError

from ._kept import Kept

LIBRARIES = (
    "tinydb==4.8.0",
    "simpy==4.1.1",
    "deprecated==1.2.14",
    "wcwidth==0.2.13",
    "voluptuous==0.15.2",
    "cachetools==5.5.0",
    "imapclient==3.0.1",
    "marshmallow==3.21.3",
    "jinja2==3.1.4",
    "cookiecutter==2.6.0",
    "itsdangerous==2.2.0",
    "h11==0.14.0",
)
KINDS = ("completion", "construction")
GATES = ("sealed", "reference", "start")
AT_ONCE = 2


def produce(progress: Callable[[str], None]) -> dict[str, Any]:
    """One row a task."""
    wanted = [(library, kind) for library in LIBRARIES for kind in KINDS]
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(AT_ONCE) as pool:
        kept = Kept("libraries")
        started = [
            pool.submit(kept.row, "-".join(pair), partial(row, *pair, Path(scratch), progress))
            for pair in wanted
        ]
        try:
            wait(started)
        except KeyboardInterrupt:
            progress("stopping after the tasks under way")
            pool.shutdown(cancel_futures=True)
        rows = [future.result() for future in started if not future.cancelled()]
    return {"rows": rows, "totals": totals(rows), "left_out": len(wanted) - len(rows)}


def row(library: str, kind: str, scratch: Path, progress: Callable[[str], None]) -> dict[str, Any]:
    """What one task shows; where it can't be made, why."""
    name = f"{library.partition('=')[0]}-{kind}"
    start = time.monotonic()
    try:
        task = bw.author(f"pypi:{library}", kind, scratch / name)
        authored = time.monotonic()
        evidence = bw.validate(task, gates=GATES, fix=True)
        validated = time.monotonic()
        task = bw.Task.load(task.root)
        job = bw.run([task], ["oracle", "nop"], scratch / f"{name}-job", unguarded=True)
    except BenchwrightError as error:
        progress(f"{name}: {error}")
        return {"library": library, "kind": kind, "error": str(error)}
    gates = {gate.name: gate for gate in evidence.gates}
    tests = task.manifest.tests
    result = {
        "library": library,
        "kind": kind,
        "ids": len(tests),
        "counted": len(task.manifest.counted),
        "vacuous": sum(test.reason.startswith("vacuous") for test in tests),
        "unstable": sum(test.reason.startswith("unstable") for test in tests)
        + len(task.manifest.dropped),
        "gates": {name: gates[name].status for name in GATES},
        "author_seconds": round(authored - start, 1),
        "validate_seconds": round(validated - authored, 1),
        **{f"{trial.agent.name}_score": trial.score for trial in job.results},
        **{f"{trial.agent.name}_reward": trial.reward for trial in job.results},
    }
    progress(f"{name}: {result}")
    return result


def totals(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The figures that documents quote."""
    made = [r for r in rows if "error" not in r]
    return {
        "tasks": len(made),
        "tried": len(rows),
        "ids": sum(r["ids"] for r in made),
        "counted": sum(r["counted"] for r in made),
        "oracle_rewarded": sum(r["oracle_reward"] == 1 for r in made),
        "nop_scored": sum(bool(r["nop_score"]) for r in made),
    }
