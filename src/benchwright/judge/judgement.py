"""A judgement, from a submission to a verdict.

Contract: whatever the submission is or does, it costs the submission; only a failing machine gives
a verdict of status `infra`, without a score. Everything that decides happens in this process, which
runs nothing of the submission.
"""

from __future__ import annotations

import random
import secrets
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchwright.environments import Environment, build
from benchwright.formats import (
    ControlSet,
    Finding,
    GateResult,
    Guard,
    InfraError,
    RecipeError,
    Round,
    StorageError,
    TaskError,
    TestVerdict,
    Verdict,
    boundary,
    printable,
)
from benchwright.languages import get
from benchwright.sandbox import Sandbox, choose
from benchwright.tasks import Task

from . import score
from .assemble import assemble, hidden, weight
from .course import Course, tampered
from .gates import check_gates, run_gates
from .plan import Planner
from .rig import Rig
from .rounds import Rounds
from .submission import Taken, take

CONTROLS = "controls.json"
ROOM = 0.75
"""Share of a box's disk that the judged tree may take."""
Progress = Callable[[str], None]


def judge(
    task: Task | Path | str,
    submission: Path | str,
    *,
    sandbox: Sandbox | None = None,
    environment: Environment | None = None,
    seed: str | None = None,
    pairs: int | None = None,
    unguarded: bool = False,
    progress: Progress | None = None,
) -> Verdict:
    """Judge a submission.

    Args:
        task: what it is for, or its folder.
        submission: a folder, a tar archive or a patch.
        sandbox: where its code runs; the default one if not given.
        environment: the task's, if it is built already.
        seed: draws the rounds; a fresh secret if not given.
        pairs: of rounds; the task's own number if not given; 0 for one plain run, without guard.
        unguarded: give a reward also where no control guards what decides it.
        progress: told what is being done.

    Raises:
        TaskError: the task is broken.
        SubmissionError: there is no submission at that path.
    """
    task = Task.of(task)
    request = _Request(
        task,
        Path(submission),
        sandbox or choose(),
        seed or secrets.token_hex(16),
        task.settings.scoring.rounds if pairs is None else pairs,
        unguarded,
        progress or silent,
        time.monotonic(),
    )
    try:
        request.environment = environment or build(task.recipe, task.lock, progress=progress)
        with (
            boundary(StorageError, "no scratch space"),
            tempfile.TemporaryDirectory(prefix="benchwright-") as work,
        ):
            return _judge(request, Path(work))
    except InfraError as error:
        return request.verdict(Taken(""), "infra", error=printable(str(error), 1000))


def silent(message: str) -> None:
    """Say nothing."""


@dataclass(slots=True)
class _Request:
    """What was asked for, and what every verdict on it says."""

    task: Task
    submission: Path
    sandbox: Sandbox
    seed: str
    pairs: int
    unguarded: bool
    progress: Progress
    start: float
    environment: Environment | None = None
    findings: list[Finding] = field(default_factory=list)

    def verdict(self, taken: Taken, status: str, **more: object) -> Verdict:
        """A verdict; without more, one that gives nothing."""
        nothing = None if status == "infra" else 0.0
        values = {
            "task": self.task.name,
            "task_digest": self.task.digest(),
            "submission_digest": taken.digest,
            "environment_digest": self.environment.digest if self.environment else "",
            "status": status,
            "score": nothing,
            "reward": nothing,
            "counts": {},
            "tests": (),
            "findings": tuple(self.findings),
            "seconds": round(time.monotonic() - self.start, 3),
            "sandbox": self.sandbox.describe(),
            **more,
        }
        return Verdict.model_validate(values)

    def find(self, code: str, message: str) -> None:
        """Note something a person should know."""
        self.findings.append(Finding(code=code, message=message))


def _judge(request: _Request, work: Path) -> Verdict:
    """Take the submission in, run the rounds and the gates, and sum up."""
    task = request.task
    counted = task.manifest.counted
    if not counted:
        raise TaskError(f"{task.manifest_path}: no test counts")
    check_gates(task)
    request.progress("taking the submission in")
    taken = take(request.submission, task, work / "submission", request.sandbox)
    request.findings += taken.findings
    unusable = taken.unusable or _assembled(request, work, taken.tree)
    if unusable or taken.tree is None:
        request.find("unusable", f"the submission can't be judged: {unusable}")
        return request.verdict(taken, "unusable", counts={"missing": len(counted)})
    rounds, planner = _prepare(request, work, taken.tree)
    Course(rounds, planner, task.settings.kind, request.pairs).run()
    environment = rounds.rig.environment
    gates = run_gates(task, work / "tree", request.sandbox, environment, request.progress)
    return _sum_up(request, taken, rounds, planner, gates)


def _assembled(request: _Request, work: Path, tree: Path | None) -> str:
    """Build the judged tree; why it can't be run, if it can't."""
    left_out = assemble(request.task, tree, work / "tree")
    if left_out:
        names = printable(", ".join(left_out[:10]), 1000)
        request.find("ignored-files", f"{len(left_out)} files would steer the judge: {names}")
    room = int(ROOM * request.task.settings.limits.disk)
    return "" if weight(work / "tree") <= room else f"the product is larger than {room} bytes"


def _prepare(request: _Request, work: Path, tree: Path) -> tuple[Rounds, Planner]:
    """The judged tree, and what runs its rounds."""
    task, environment = request.task, request.environment
    assert environment is not None
    controls = load_controls(task)
    rig = Rig.of(task, environment, request.sandbox)
    rounds = Rounds(
        tree=work / "tree",
        files=hidden(task),
        tests=task.manifest.counted,
        idle=task.manifest.idle,
        controls=controls,
        rig=replace(rig, metadata=_metadata(request, tree, work / "metadata")),
        progress=request.progress,
    )
    files = {test.id: test.file for test in task.manifest.counted}
    chance = random.Random(request.seed)  # noqa: S311 - secret by its seed, and repeatable
    return rounds, Planner(controls, files, chance)


def _metadata(request: _Request, tree: Path, dest: Path) -> Path | None:
    """The product's installed metadata, where the tests ask for it: the task's own, or for a
    construction what the submission's build says, in a box without tests.
    """
    task = request.task
    if task.metadata is None or task.settings.kind != "construction":
        return task.metadata
    builder = build(task.recipe, task.lock, progress=request.progress, product=True)
    dest.mkdir()
    try:
        get(task.settings.language).metadata(tree, builder.mounts, dest, request.progress)
    except RecipeError as error:
        request.find("no-metadata", printable(f"the product has no metadata: {error}", 1000))
        return None
    return dest


def _sum_up(
    request: _Request,
    taken: Taken,
    rounds: Rounds,
    planner: Planner,
    gates: tuple[GateResult, ...],
) -> Verdict:
    sights = rounds.sights
    tests = tuple(score.test_verdict(test, sights[test.id]) for test in rounds.tests)
    notes = [note for ran in rounds.ran for note in ran.notes]
    request.findings += score.findings(tests, sights, notes)
    forged = any(tampered(sight) for sight in sights.values())
    guarded = sum(test.guarded for test in tests)
    partly = {t.id for t in tests if t.guarded and t.scores and planner.open(t.id)}
    share = 0.0 if forged else sum(test.scores for test in tests) / len(tests)
    reward = 0.0 if forged else _reward(request, tests, gates)
    return request.verdict(
        taken,
        "tampered" if forged else "judged",
        score=share,
        reward=reward,
        counts=score.counts(tests),
        tests=tests,
        unexpected=tuple(printable(name, 300) for name in list(rounds.unexpected)[: score.LISTED]),
        gates=gates,
        guard=Guard(
            pairs=planner.pairs,
            asked=request.pairs,
            guarded=guarded,
            shared=score.shared(sights),
            exposed=len(tests) - guarded,
            forgery_bound=score.forgery_bound(sights, planner.strong, request.pairs),
            partial=len(partly),
            partial_bound=score.partial_bound(sights, planner.strong, request.pairs, partly),
            seed=request.seed,
            rounds=tuple(
                Round(
                    controls=tuple(control.id for control in ran.plan.controls),
                    seconds=round(ran.seconds, 3),
                    restarts=ran.restarts,
                )
                for ran in rounds.ran
            ),
        ),
    )


def _reward(
    request: _Request, tests: tuple[TestVerdict, ...], gates: tuple[GateResult, ...]
) -> float:
    """1 or 0; says so where the difference is a control that isn't there."""
    settings = request.task.settings
    if not score.deserved(settings, tests, gates):
        return 0.0
    if score.firm(tests, settings.kind):
        return 1.0
    lack = "no strong control stands behind a test that decides the reward"
    if request.unguarded:
        request.find("unguarded-reward", f"{lack}: it could be forged")
        return 1.0
    request.find("unguarded", f"{lack}: there is none without one")
    return 0.0


def load_controls(task: Task) -> ControlSet:
    """The task's controls; none at all if it has no file of them.

    Raises:
        FormatError: the file is broken.
    """
    path = task.validation / CONTROLS
    return ControlSet.read(path) if path.is_file() else ControlSet()
