"""`benchwright show`: what a task is, and its evidence at a glance."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

if TYPE_CHECKING:
    from benchwright.tasks import Task


def show(tasks: Annotated[list[Path], Parameter(negative=())], *, json: bool = False) -> int:
    """Show what tasks are, and their evidence at a glance.

    Args:
        tasks: Folders of tasks, or folders of such folders.
        json: Print one JSON object a line instead.
    """
    from json import dumps

    from rich.table import Table

    from benchwright.formats import ExitCode, printable
    from benchwright.tasks import find

    from .output import console

    screen = console()
    for task in find(tasks):
        facts = describe(task)
        if json:
            screen.file.write(dumps(facts) + "\n")
            continue
        table = Table(show_header=False, box=None, pad_edge=False)
        for key, value in facts.items():
            shown = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            table.add_row(key.replace("_", " "), printable(shown, 600))
        screen.print(table)
        screen.print()
    return ExitCode.DONE


def describe(task: Task) -> dict[str, object]:
    """The facts, in the order in which a person asks for them."""
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
    from benchwright.formats import Evidence, InputError
    from benchwright.validation import EVIDENCE, verify

    path = task.validation / EVIDENCE
    if not path.is_file():
        return {"evidence": "none: validate the task"}
    gates = [f"{gate.name} {gate.status}" for gate in Evidence.read(path).gates]
    try:
        verify(task)
    except InputError as error:
        return {"evidence": f"not valid: {error.message}", "gates": gates}
    return {"evidence": "valid for the task as it is", "gates": gates}
