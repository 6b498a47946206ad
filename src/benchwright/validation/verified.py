"""Check a task's evidence without running anything: it matches what it speaks of, and is good."""

from __future__ import annotations

from pathlib import Path

from benchwright.environments import digest
from benchwright.formats import Evidence, TaskError
from benchwright.tasks import Task

from .evidence import EVIDENCE, attachment_digests, file_digests

SHOWN = 5


def verify(task: Task | Path | str) -> Evidence:
    """The evidence of a task.

    Raises:
        TaskError: there is none, it speaks of another state of the task, or a gate failed.
    """
    task = Task.of(task)
    path = task.validation / EVIDENCE
    if not path.is_file():
        raise TaskError(f"{task.root}: not validated", hint=f"benchwright validate {task.root}")
    evidence = Evidence.read(path)
    changed = changes(task, evidence)
    if changed:
        more = f" and {len(changed) - SHOWN} more" if len(changed) > SHOWN else ""
        raise TaskError(
            f"{task.root}: changed since it was validated: {', '.join(changed[:SHOWN])}{more}",
            hint=f"benchwright validate {task.root}",
        )
    if not evidence.valid:
        bad = [f"{gate.name} {gate.status}" for gate in evidence.gates if gate.status != "passed"]
        raise TaskError(
            f"{task.root}: not sound: {', '.join(bad)}",
            hint=f"see benchwright show {task.root}, or validate it with --fix",
        )
    return evidence


def changes(task: Task, evidence: Evidence) -> list[str]:
    """What isn't as it was, each with how."""
    now = file_digests(task)
    found = _compare(evidence.files, now)
    attached = attachment_digests(task)
    found += [f"validation/{change}" for change in _compare(evidence.attachments, attached)]
    if not found and evidence.environment_digest != digest(task.recipe, task.lock):
        found.append("environment (built in another way)")
    if not found and evidence.task_digest != task.digest():
        found.append("modes of files")
    return found


def _compare(before: dict[str, str], now: dict[str, str]) -> list[str]:
    found = [f"{name} (removed)" for name in before.keys() - now.keys()]
    found += [f"{name} (added)" for name in now.keys() - before.keys()]
    found += [f"{n} (edited)" for n in before.keys() & now.keys() if before[n] != now[n]]
    return sorted(found)
