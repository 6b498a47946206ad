"""A verdict, repeated exactly."""

from __future__ import annotations

from pathlib import Path

from benchwright.formats import InputError, Verdict
from benchwright.sandbox import Sandbox
from benchwright.tasks import Task

from .judgement import Progress, judge


def replay(
    task: Task | Path | str,
    submission: Path | str,
    verdict: Verdict,
    *,
    sandbox: Sandbox | None = None,
    progress: Progress | None = None,
) -> Verdict:
    """Judge again exactly as `verdict` did: the same rounds, the same edits.

    Raises:
        InputError: the verdict is of another task or has no rounds.
    """
    task = Task.of(task)
    if verdict.guard is None:
        raise InputError("the verdict has no rounds to repeat")
    if verdict.task_digest != task.digest():
        raise InputError(f"the verdict is of {verdict.task} as it was; the task has changed since")
    again = judge(
        task,
        submission,
        sandbox=sandbox,
        seed=verdict.guard.seed,
        pairs=verdict.guard.asked,
        unguarded=any(finding.code == "unguarded-reward" for finding in verdict.findings),
        progress=progress,
    )
    if again.status != "infra" and again.submission_digest != verdict.submission_digest:
        raise InputError(f"{submission}: not the submission that the verdict is of")
    return again
