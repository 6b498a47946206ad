"""`benchwright pack`: a task as two archives, one public and one sealed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter


def pack(
    tasks: Annotated[list[Path], Parameter(negative=())],
    *,
    output: Annotated[Path, Parameter(name=["--output", "-o"])],
) -> int:
    """Split tasks into a public and a sealed archive each.

    The public one holds what an agent may see; the sealed one the hidden tests, the reference and
    the evidence, each file marked with the task's canary. The same task gives the same bytes.

    Args:
        tasks: Folders of tasks, or folders of such folders.
        output: The folder that the archives go to.
    """
    from benchwright.formats import ExitCode, printable
    from benchwright.tasks import find
    from benchwright.tasks import pack as split

    for task in find(tasks):
        for path in split(task, output):
            print(printable(str(path)))
    return ExitCode.DONE
