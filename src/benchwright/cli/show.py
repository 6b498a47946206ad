"""`benchwright show`: what a task is, and its evidence at a glance."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter


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
    from benchwright.validation import describe

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
