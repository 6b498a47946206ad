"""One trial: prepare, let the agent work, freeze, judge. A pure function of its spec.

It comes in two stages, because they wait for different things: `work` for the agent, `conclude`
for the processor. A failure of the machine in either is a result too (`infra`); what a submission
does never is.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchwright.agents import Context, Service
from benchwright.formats import (
    InfraError,
    SandboxError,
    StorageError,
    TaskError,
    TrialResult,
    Verdict,
    boundary,
    write_atomic,
)
from benchwright.formats.redact import Redactor
from benchwright.sandbox import FreezeLimits, freeze

from .plan import Trial
from .policy import unsubmitted
from .record import Record, sha256
from .repository import repository
from .scrub import changes, scrub
from .stop import Stoppable, StoppedError

if TYPE_CHECKING:
    from benchwright.environments import Environment

OURS = FreezeLimits(files=1_000_000, size=8 << 30, skip=())
"""Bounds of a starting workspace, which may hold a whole repository with its history."""


@dataclass(frozen=True, slots=True)
class Tools:
    """What trials need of the machine they run on."""

    sandbox: Stoppable
    environment: Callable[[Trial], Environment]
    service: Callable[[Trial, Path], Service] | None = None
    """Makes what answers behind the door of an agent's box; its files go into the folder."""


def run_trial(trial: Trial, folder: Path, tools: Tools) -> TrialResult:
    """Both stages, one after the other."""
    outcome = work(trial, folder, tools)
    return conclude(outcome, tools) if isinstance(outcome, Record) else outcome


def work(trial: Trial, folder: Path, tools: Tools) -> Record | TrialResult:
    """Prepare the workspace and let the agent work on it.

    Raises:
        InputError: the task or the agent can't be used at all.
        StoppedError: the job is being stopped.
    """
    record = Record(trial, folder)
    try:
        _work(record, tools)
    except StoppedError:
        raise
    except InfraError as error:
        return _lose(record, error, tools)
    return record


def conclude(record: Record, tools: Tools) -> TrialResult:
    """Freeze what the agent left and judge it, if it is a submission.

    Raises:
        InputError: the task can't be used at all.
        StoppedError: the job is being stopped.
    """
    try:
        return _conclude(record, tools)
    except StoppedError:
        raise
    except InfraError as error:
        return _lose(record, error, tools)


def _lose(record: Record, error: InfraError, tools: Tools) -> TrialResult:
    """The result of a trial that the machine lost; its log stays, its workspace can't be used."""
    with suppress(SandboxError, StorageError):  # a machine that fails may fail at this too
        scrub(record.workspace, tools.sandbox)
    return record.result("infra", error=str(error))


def _work(record: Record, tools: Tools) -> None:
    trial = record.trial
    with record.phase("prepare"), boundary(StorageError, "a workspace can't be made"):
        instruction = trial.task.instruction.read_bytes()
        write_atomic(record.folder / "instruction.md", instruction)
        start = freeze(trial.task.workspace, record.workspace, OURS)
        if start.unusable:
            raise TaskError(f"{trial.task.workspace}: {start.unusable}")
        tools.sandbox.give(record.workspace)
        repository(record.workspace, tools.sandbox)
        environment = tools.environment(trial)
        service = tools.service(trial, record.folder) if tools.service else None
    record.sandbox = tools.sandbox.describe()
    record.digests |= {
        "task": trial.task_digest,
        **({"evidence": trial.evidence} if trial.evidence else {}),
        "instruction": sha256(instruction),
        "environment": environment.digest,
        "start": start.digest,
    }
    context = Context(
        task=trial.task,
        workspace=record.workspace,
        log=record.folder / "log",
        sandbox=tools.sandbox,
        environment=environment,
        limits=trial.limits,
        service=service,
    )
    with record.phase("agent"):
        record.run = trial.agent.run(context)
    tools.sandbox.check()


def _conclude(record: Record, tools: Tools) -> TrialResult:
    trial, run = record.trial, record.run
    assert run is not None
    with record.phase("freeze"), boundary(StorageError, "a submission can't be kept"):
        kept = _keep(record, tools)
    status = unsubmitted(trial.task.settings.kind, run.end, trial.on_timeout)
    if status:
        scrub(record.workspace, tools.sandbox)
        return record.result(status)
    with record.phase("judge"):
        verdict = _judge(record, kept, tools)
    scrub(record.workspace, tools.sandbox)
    if verdict.status == "infra":
        return record.result("infra", error=verdict.error)
    text = verdict.dumps().encode()
    with boundary(StorageError, "a verdict can't be written"):
        write_atomic(record.folder / "verdict.json", text)
    record.digests["verdict"] = sha256(text)
    return record.result("judged", verdict=verdict)


def _keep(record: Record, tools: Tools) -> Path:
    """Freeze the workspace. What can't be kept is judged, and found unusable, where it lies."""
    snapshot = freeze(record.workspace, record.submission)
    record.digests["submission"] = snapshot.digest
    record.files, record.size = len(snapshot.entries), snapshot.size
    if snapshot.unusable:
        return record.workspace
    diff = changes(record.trial.task.workspace, record.submission, tools.sandbox)
    write_atomic(record.folder / "changes.diff", Redactor.of().data(diff))
    return record.submission


def _judge(record: Record, submission: Path, tools: Tools) -> Verdict:
    from benchwright.judge import judge  # reading or resuming a job shouldn't wait for it

    trial = record.trial
    verdict = judge(
        trial.task,
        submission,
        sandbox=tools.sandbox,
        environment=tools.environment(trial),
        pairs=trial.pairs,
        unguarded=trial.unguarded,
    )
    tools.sandbox.check()
    return verdict
