"""`benchwright verify`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter


def verify(tasks: Annotated[list[Path], Parameter(negative=())], *, json: bool = False) -> int:
    """Check the evidence of tasks without running anything.

    Exit code 2 if there is none, if a task was changed since, or if a gate failed.

    Parameters
    ----------
    tasks
        Folders of tasks, or folders of such folders.
    json
        Print one JSON object a task.
    """
    from json import dumps

    from benchwright.formats import ExitCode, TaskError, printable
    from benchwright.tasks import find
    from benchwright.validation import verify as check

    good = True
    for task in find(tasks):
        try:
            evidence = check(task)
            said = {"task": task.name, "valid": True, "gates": len(evidence.gates), "error": ""}
        except TaskError as error:
            good = False
            said = {"task": task.name, "valid": False, "error": str(error)}
        if json:
            print(dumps(said))
        else:
            print(printable(str(said["error"]) or f"{task.name}: valid", 2000))
    return ExitCode.DONE if good else ExitCode.BAD_INPUT
