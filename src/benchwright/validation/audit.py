"""Audit a published skeleton: the same gates, on somebody else's task.

The reference is authored into a task of ours, whose workspace is then the published skeleton and
whose score counts every test again that the reference passes, as the publisher counts them. The
findings come in order of gravity. Nothing is written where the sources are.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchwright.authoring import author
from benchwright.environments import build
from benchwright.formats import (
    GateFinding,
    Record,
    SourceError,
    StorageError,
    TaskError,
    boundary,
)
from benchwright.languages import get
from benchwright.sandbox import Caps, Mount, Sandbox, Spec, choose
from benchwright.sources import fetch
from benchwright.tasks import Task, walk

from .bench import Bench, Progress
from .gates import GATES

ORDER = ("grave", "serious", "minor", "note")
DATED = re.compile(r"\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|0x[0-9a-f]{6,}|/tmp/")
DEFAULT = ("start", "reference")
MANY = 0.1
"""From this share of the tests on, passing without any work is grave."""


class Audit(Record):
    """What an audit found."""

    skeleton: str
    reference: str
    tests: int
    """How many tests the reference passes, or the publisher lists."""
    findings: tuple[GateFinding, ...]
    """The gravest first."""
    facts: dict[str, str | int | float | bool] = {}


@dataclass(frozen=True, slots=True)
class _Case:
    skeleton: Path
    ids: tuple[str, ...]


def audit(
    skeleton: str,
    reference: str,
    *,
    ids: Sequence[str] = (),
    gates: Sequence[str] = DEFAULT,
    version: str = "",
    sandbox: Sandbox | None = None,
    progress: Progress | None = None,
) -> Audit:
    """Find out what is wrong with a published skeleton.

    Args:
        skeleton: source spec of the skeleton, such as `git+URL@COMMIT` or `path:FOLDER`.
        reference: source spec of the reference with its tests.
        ids: the tests that the publisher counts; those that the reference passes if empty.
        gates: which gates to run besides what is always looked at.
        version: of the language, as the publisher says; one that the reference allows if not given.
        sandbox: where everything runs; the default one if not given.
        progress: told what is being done.

    Raises:
        SourceError: one of the two can't be had.
        InfraError: the machine failed.
    """
    say, box = progress or (lambda _: None), sandbox or choose()
    tree = fetch(skeleton, progress=say).tree
    with (
        boundary(StorageError, "no scratch space"),
        tempfile.TemporaryDirectory(prefix="benchwright-") as work,
    ):
        try:
            task = author(
                reference,
                "completion",
                Path(work) / "task",
                version=version,
                sandbox=box,
                progress=say,
            )
        except (SourceError, TaskError) as error:
            return _hopeless(skeleton, reference, str(error))
        found, facts = _look(task, _Case(tree, tuple(ids)), gates, box, Path(work), say)
        tests = len(ids) or len(task.manifest.tests)
    ordered = sorted(found, key=lambda f: ORDER.index(f.gravity))
    return Audit(
        skeleton=skeleton, reference=reference, tests=tests, findings=tuple(ordered), facts=facts
    )


def _hopeless(skeleton: str, reference: str, why: str) -> Audit:
    finding = GateFinding(
        code="reference-unusable",
        gravity="grave",
        message=f"no task can be made of the reference: {why}",
        advice="take another commit as the reference",
    )
    return Audit(skeleton=skeleton, reference=reference, tests=0, findings=(finding,))


def _look(
    task: Task, case: _Case, gates: Sequence[str], box: Sandbox, work: Path, say: Progress
) -> tuple[list[GateFinding], dict[str, str | int | float | bool]]:
    """Everything there is to find."""
    _publish(task, case)
    environment = build(task.recipe, task.lock, progress=say)
    language = get(task.settings.language)
    bench = Bench(task, language, environment, box, work, say)
    found = [*_ids(task, case.ids), *_imports(bench)]
    facts: dict[str, str | int | float | bool] = {}
    for name in gates:
        evidence = GATES[name](bench)
        found += [_weighed(finding, bench) for finding in evidence.findings]
        facts |= {f"{name}: {key}": value for key, value in evidence.facts.items()}
    return found, facts


def _publish(task: Task, case: _Case) -> None:
    """Make the task what was published: that skeleton, every test counted."""
    shutil.rmtree(task.workspace)
    task.workspace.mkdir(parents=True)
    for name, path in walk(case.skeleton):
        if path.is_file() and not path.is_symlink():
            dest = task.workspace / name
            dest.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, dest)
    listed = frozenset(case.ids)
    manifest = task.manifest
    tests = tuple(
        t.model_copy(update={"counted": True, "reason": ""})
        if t.reason.startswith("vacuous") or t.id in listed
        else t
        for t in manifest.tests
    )
    manifest.model_copy(update={"tests": tests}).write(task.manifest_path)


def _ids(task: Task, ids: tuple[str, ...]) -> Iterator[GateFinding]:
    """Listed tests that can't be met again."""
    known = {test.id for test in task.manifest.tests}
    gone = [name for name in ids if name not in known]
    dated = [name for name in (gone or task.manifest.dropped) if DATED.search(name)]
    if dated:
        yield GateFinding(
            code="dated-id",
            gravity="serious",
            message=f"{len(dated)} ids hold a date, a time, an address or a scratch path and "
            "won't be met again",
            advice="leave them out",
            ids=tuple(dated),
        )
    rest = [name for name in gone if name not in dated]
    if rest:
        yield GateFinding(
            code="unknown-id",
            gravity="serious",
            message=f"{len(rest)} listed ids aren't collected from the reference",
            advice="list what is collected, with the task's own versions",
            ids=tuple(rest[:100]),
        )
    failing = [t.id for t in task.manifest.tests if t.reason.startswith(("fail", "error"))]
    if failing:
        yield GateFinding(
            code="reference-fails",
            gravity="grave",
            message=f"the reference doesn't pass {len(failing)} of its tests",
            advice="leave them out, or take another commit",
            ids=tuple(failing[:100]),
        )


def _imports(bench: Bench) -> Iterator[GateFinding]:
    """What of the skeleton can't be parsed or imported on the task's interpreter."""
    bench.say("audit: importing the skeleton")
    settings = bench.task.settings
    tree = bench.tree(bench.task.workspace)
    bench.sandbox.give(tree)
    metadata = bench.task.metadata
    run = bench.language.probe(settings.runner, settings.product, metadata=metadata is not None)
    mounts = [*bench.environment.mounts, Mount("/work", "overlay", tree), *run.mounts]
    mounts += [Mount("/meta", "ro", metadata)] if metadata is not None else []
    env = {**bench.environment.env, **run.env}
    spec = Spec(run.command, tuple(mounts), env, run.cwd, Caps(), events=True)
    seen = bench.language.read_probe(bench.sandbox.run(spec).events)
    for code, what, broken in (
        ("skeleton-broken", "modules of the skeleton can't be imported or parsed", seen.broken),
        ("tests-not-collected", "test files can't be collected on the skeleton", seen.errors),
    ):
        if broken:
            name, why = next(iter(broken.items()))
            yield GateFinding(
                code=code,
                gravity="grave",
                message=f"{len(broken)} {what}: {name}: {' '.join(why.split())[:200]}",
                advice="keep what runs while it is imported, in the syntax of the task's version",
                ids=tuple(broken),
            )


def _weighed(finding: GateFinding, bench: Bench) -> GateFinding:
    """Vacuous tests are grave only where they are many."""
    if finding.code == "vacuous-test" and len(finding.ids) < MANY * len(bench.counted):
        return finding.model_copy(update={"gravity": "serious"})
    return finding
