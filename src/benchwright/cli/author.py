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
    python: str = "",
    since: str = "",
    until: str = "",
    most: int = 10,
    issues: Path | None = None,
) -> int:
    """Make a task of a real project.

    Args:
        source: pypi:NAME==VERSION, path:FOLDER, or git+URL@REF.
        kind: completion (commit0), construction (zero2repo) or resolution (swebench). For a
            resolution the source is a clone's folder, git+URL@REF, or two releases as
            pypi:click==8.5.0..8.5.1; changes that come with tests become tasks.
        output: The task's folder; it must not exist yet, or hold the same task. For resolutions
            the folder of the tasks.
        python: Completion and construction: version of Python, as 3.12; by default one that the
            project allows.
        since: Resolution: only changes from this date on, as 2024-01-31.
        until: Resolution: only changes up to this date.
        most: Resolution: how many tasks to make.
        issues: Resolution: texts of issues by number or commit (JSON), instead of messages.
    """
    if kind in ("resolution", "swebench"):
        from benchwright.formats import InputError

        from .mine import mine

        if python:
            raise InputError("--python: a resolution takes what its own project allows")
        return mine(source, output, since=since, until=until, most=most, issues=issues)
    import benchwright as bw
    from benchwright.formats import printable

    def tell(message: str) -> None:
        print(printable(message), file=sys.stderr, flush=True)

    task = bw.author(source, kind, output, version=python, progress=tell)
    tests = task.manifest.tests
    left = len(tests) - len(task.manifest.counted)
    print(f"{output}: {task.settings.kind} of {task.settings.source.spec}")
    print(f"{len(task.manifest.counted)} hidden tests count, {left} don't")
    return ExitCode.DONE
