"""What a task is, at a glance."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from benchwright.formats import Evidence, InputError
from benchwright.tasks import Task

from .evidence import EVIDENCE
from .verified import verify


def describe(task: Task | Path | str) -> dict[str, object]:
    """What a task is, and its evidence at a glance, in the order in which a person asks.

    Raises:
        TaskError: it isn't a task.
    """
    task = Task.of(task)
    settings, recipe, tests = task.settings, task.recipe, task.manifest.tests
    reasons = Counter(test.reason.partition(":")[0] for test in tests if not test.counted)
    return {
        "task": task.name,
        "folder": str(task.root),
        "kind": settings.kind,
        "source": settings.source.spec,
        "language": f"{recipe.language} {recipe.version}",
        "product": list(settings.product.paths),
        "packages": len(task.lock.packages),
        "hidden_tests": len(tests),
        "counted_tests": len(task.manifest.counted),
        "not_counted": [f"{count} {reason}" for reason, count in reasons.most_common()],
        "dropped_ids": len(task.manifest.dropped),
        "suite_seconds": round(sum(test.seconds for test in tests), 1),
        "digest": task.digest(),
        **_evidence(task),
    }


def _evidence(task: Task) -> dict[str, object]:
    path = task.validation / EVIDENCE
    if not path.is_file():
        return {"evidence": "none: validate the task"}
    gates = [f"{gate.name} {gate.status}" for gate in Evidence.read(path).gates]
    try:
        verify(task)
    except InputError as error:
        return {"evidence": f"not valid: {error.message}", "gates": gates}
    return {"evidence": "valid for the task as it is", "gates": gates}
