"""`benchwright author`: make a task of a source."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from benchwright.formats import ExitCode


def author(
    source: str,
    *,
    kind: Annotated[str, Parameter(name=["--kind", "-k"])] = "completion",
    output: Annotated[Path, Parameter(name=["--output", "-o"])],
) -> int:
    """Make a task of a real project.

    Args:
        source: pypi:NAME==VERSION, path:FOLDER, or git+URL@REF.
        kind: completion (commit0) or construction (zero2repo).
        output: The task's folder; it must not exist yet, or hold the same task.
    """
    import benchwright as bw
    from benchwright.formats import printable

    def tell(message: str) -> None:
        print(printable(message), file=sys.stderr, flush=True)

    task = bw.author(source, kind, output, progress=tell)
    tests = task.manifest.tests
    left = len(tests) - len(task.manifest.counted)
    print(f"{output}: {task.settings.kind} of {task.settings.source.spec}")
    print(f"{len(task.manifest.counted)} hidden tests count, {left} don't")
    return ExitCode.DONE
