"""Two plain judges, as the field has them: by the exit code, and by the runner's report.

Both run the submission and the tests in one box, obey the submission's configuration, and read
what the box itself wrote. They are what attacks must win against to count as attacks.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from benchwright.environments import Environment
from benchwright.formats import InputError
from benchwright.judge import assemble, hidden, write_tests
from benchwright.sandbox import Caps, Mount, Sandbox, Spec, freeze
from benchwright.tasks import Task, walk

REPORT = "/tmp/report.xml"  # noqa: S108 - inside the box
SCRIPT = """
cd /work
/env/bin/python -B -m pytest -q --junitxml={report} {paths} >/tmp/log 2>&1
code=$?
if [ $code = 4 ]; then
    /env/bin/python -B -m pytest -q -o addopts= --junitxml={report} {paths} >/tmp/log 2>&1
    code=$?
fi
echo $code > /tmp/code
sleep 0.5
/env/bin/python -I -S /plain.py {report}
"""
PARSE = """
import json, sys
import xml.etree.ElementTree as tree
code = open("/tmp/code").read().strip()
passed = []
try:
    for case in tree.parse(sys.argv[1]).iter("testcase"):
        if not any(c.tag in ("failure", "error", "skipped") for c in case):
            passed.append(case.get("classname", "") + "::" + case.get("name", ""))
except (OSError, tree.ParseError):
    pass
print(json.dumps({"code": code, "passed": passed}))
"""
SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Plain:
    """What the two plain judges say."""

    exit: float
    """1 if the runner left with status 0."""
    junit: float
    """Share of the counted ids that the report calls passed."""


def plain(
    task: Task, submission: Path, environment: Environment, sandbox: Sandbox, work: Path
) -> Plain:
    """Judge a submission as plainly as can be.

    Args:
        task: what it is for.
        submission: its workspace.
        environment: what it runs on.
        sandbox: where.
        work: scratch, a folder that doesn't exist yet.
    """
    tree = work / "tree"
    assemble(task, None, tree)
    frozen = work / "frozen"
    try:
        freeze(submission, frozen)
    except InputError:
        return Plain(0.0, 0.0)
    for name, path in walk(frozen):
        target = tree / name
        if path.is_symlink() or any(p.is_file() for p in target.parents):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.is_dir():
            target.write_bytes(path.read_bytes())
    write_tests(tree, hidden(task))
    settings = task.settings
    roots = ":".join(f"/work/{root}" for root in settings.product.roots)
    mounts = [
        *environment.mounts,
        Mount("/work", "overlay", tree, size=settings.limits.disk),
        Mount("/plain.py", "data", content=PARSE.encode()),
    ]
    if task.metadata is not None:
        mounts.append(Mount("/meta", "overlay", task.metadata))
        roots += ":/meta"
    script = SCRIPT.format(report=REPORT, paths=" ".join(settings.runner.paths))
    done = sandbox.run(
        Spec(
            ("/bin/sh", "-c", script),
            tuple(mounts),
            {**environment.env, **settings.runner.env, "PYTHONPATH": roots},
            "/work",
            Caps(wall_seconds=SECONDS, memory=settings.limits.memory),
        )
    )
    return read(task, done.stdout)


def read(task: Task, output: bytes) -> Plain:
    """What the parser in the box printed last."""
    lines = output.decode(errors="replace").strip().splitlines()
    try:
        said = json.loads(lines[-1] if lines else "")
        passed, code = set(map(str, said["passed"])), str(said["code"])
    except (ValueError, TypeError, KeyError):
        return Plain(0.0, 0.0)
    counted = [test.id for test in task.manifest.counted]
    share = sum(junit_name(name) in passed for name in counted) / max(1, len(counted))
    return Plain(float(code == "0"), share)


def junit_name(test: str) -> str:
    """An id as a junit report writes it."""
    path, _, rest = test.partition("::")
    head, bracket, params = rest.partition("[")
    *classes, name = head.split("::")
    owner = ".".join([path.removesuffix(".py").replace("/", "."), *classes])
    return f"{owner}::{name}{bracket}{params}"
