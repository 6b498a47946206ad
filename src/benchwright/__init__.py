"""Benchwright makes, validates, runs and judges benchmarks for coding agents.

Everything that the command line does is here:

    import benchwright as bw

    task = bw.author("pypi:tinydb==4.8.0", "completion", "tasks/tinydb")
    evidence = bw.validate(task)
    job = bw.run([task], ["oracle", "nop"], "jobs/first", attempts=2)
    verdict = bw.judge(task, "my-workspace")
    print(bw.report("jobs/first").dumps())

Names are loaded when they are first used.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from benchwright.agents import Agent
    from benchwright.authoring import author
    from benchwright.formats import (
        BenchwrightError,
        Evidence,
        InfraError,
        InputError,
        JobSummary,
        TrialResult,
        Verdict,
    )
    from benchwright.jobs import JobResult, run
    from benchwright.judge import judge, replay
    from benchwright.sandbox import Capability
    from benchwright.tasks import Task
    from benchwright.validation import validate, verify

__version__ = "0.1.0"

_PLACES = {
    "Agent": "agents",
    "BenchwrightError": "formats",
    "Evidence": "formats",
    "InfraError": "formats",
    "InputError": "formats",
    "JobResult": "jobs",
    "JobSummary": "formats",
    "Task": "tasks",
    "TrialResult": "formats",
    "Verdict": "formats",
    "author": "authoring",
    "replay": "judge",
    "run": "jobs",
    "validate": "validation",
    "verify": "validation",
}


def report(job: JobResult | Path | str) -> JobSummary:
    """The numbers of a job, by agent and task.

    Args:
        job: what `run` returned, or the job's folder.

    Raises:
        JobError: there is no job.
    """
    from pathlib import Path

    from benchwright import jobs, reports

    found = job if isinstance(job, jobs.JobResult) else jobs.load(Path(job))
    return reports.summarize(found)


def show(task: Task | Path | str) -> dict[str, object]:
    """What a task is, and its evidence at a glance.

    Raises:
        TaskError: it isn't a task.
    """
    from benchwright.validation import describe

    return describe(task)


def doctor() -> tuple[Capability, ...]:
    """What this machine can do, measured, and how to get the rest."""
    from benchwright.languages import get, names
    from benchwright.sandbox import probe

    return (*probe(), *(tool for name in names() for tool in get(name).tools()))


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    globals()[name] = value
    return value


class _FrontDoor(ModuleType):
    """This module: `judge` is the function, although a package of ours has the same name, and the
    import system sets that name on its parent.
    """

    @property
    def judge(self) -> object:
        return import_module(f"{__name__}.judge").judge

    @judge.setter
    def judge(self, package: ModuleType) -> None:
        """The package stays where `import` finds it."""


sys.modules[__name__].__class__ = _FrontDoor


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = [
    "Agent",
    "BenchwrightError",
    "Evidence",
    "InfraError",
    "InputError",
    "JobResult",
    "JobSummary",
    "Task",
    "TrialResult",
    "Verdict",
    "author",
    "doctor",
    "judge",
    "replay",
    "report",
    "run",
    "show",
    "validate",
    "verify",
]
