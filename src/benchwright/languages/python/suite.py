"""How a Python suite runs in a box: a test runner, started by our launcher and configured by the
judge only.

The files in `runner/` run on the task's interpreter and import nothing of ours; here they become
read-only files at `/judge`, beside the configuration that was written for this one run.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files

from benchwright.formats import Product, Runner
from benchwright.languages.protocol import SuiteRun
from benchwright.sandbox import Mount

TREE = "/work"
META = "/meta"
HOME = "/judge"
PYTHON = "/env/bin/python"
FILES = ("launch.py", "judge_stream.py", "judge_events.py", "judge_django.py")
PATHS = ("pythonpath",)
"""Settings of pytest that hold paths; pytest reads them relative to the configuration's folder."""


def suite(
    runner: Runner,
    product: Product,
    skip: Sequence[str] = (),
    *,
    skip_files: Sequence[str] = (),
    tests: Sequence[str] = (),
    order_seed: int | None = None,
    metadata: bool = False,
) -> SuiteRun:
    """How to run the suite of a judged tree at `/work` (see `Language.suite`)."""
    config = {
        "runner": runner.name,
        "tree": TREE,
        "roots": list(product.roots),
        "metadata": META if metadata else "",
        "paths": [path for path in runner.paths if path not in skip_files],
        "plugins": list(runner.plugins),
        "options": list(runner.options),
        "skip": sorted(skip),
        "skip_files": sorted(skip_files),
        "seed": order_seed,
        "tests": sorted({*runner.paths, *tests}),
        "product": list(product.paths),
        "own": runner.own,
    }
    written = {"run.json": json.dumps(config).encode(), "pytest.ini": ini(runner).encode()}
    source = files("benchwright.languages.python") / "runner"
    written |= {name: (source / name).read_bytes() for name in FILES}
    return SuiteRun(
        command=(PYTHON, "-s", "-B", f"{HOME}/launch.py"),
        mounts=tuple(
            Mount(f"{HOME}/{name}", "data", content=text) for name, text in written.items()
        ),
        env={"PYTHONDONTWRITEBYTECODE": "1", "PYTHONNOUSERSITE": "1", **runner.env},
        cwd=TREE,
    )


def ini(runner: Runner) -> str:
    """The text of the runner's configuration file."""
    lines = ["[pytest]"]
    for key, value in runner.ini.items():
        if isinstance(value, bool):
            value = str(value).lower()
        rows = value.splitlines() if isinstance(value, str) else value
        if key in PATHS:
            rows = [f"{TREE}/{entry}" for row in rows for entry in row.split()]
        rows = [row for row in rows if row.strip()]
        lines.append(f"{key} =" if len(rows) != 1 else f"{key} = {rows[0]}")
        lines += [f"    {row}" for row in rows] if len(rows) > 1 else []
    return "\n".join(lines) + "\n"
