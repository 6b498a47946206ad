"""`benchwright import`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

Ids = Annotated[
    list[str] | None,
    Parameter(name=["--instance_ids", "--instance-ids", "-i"], consume_multiple=True),
]

import_ = App(name="import", help="Make tasks of a published data set's rows.")


@import_.command
def swebench(
    rows: Path,
    *,
    repos: Path,
    pins: Path | None = None,
    out: Annotated[Path, Parameter(name=["--out", "-o"])],
    instance_ids: Ids = None,
    sandbox: str | None = None,
) -> int:
    """Make a resolution task of each row; rows that can't be built are named, with the cause.

    Exit code 2 if a row couldn't become a task. What is there already is left as it is.

    Parameters
    ----------
    rows
        Rows of SWE-bench: .jsonl, .json (also with .gz) or .parquet.
    repos
        Folder with clones that have their history: OWNER__NAME, OWNER/NAME or NAME.
    pins
        Environment pins by instance id (JSON); without them what a project says is taken.
    out
        Folder for the tasks, one below it per row.
    instance_ids
        Only these rows.
    sandbox
        Which sandbox; by default the best of this machine.
    """
    from benchwright.formats import ExitCode, InputError, printable
    from benchwright.interop.swebench import chosen, import_row, read_pins, read_rows
    from benchwright.sandbox import choose

    from .output import console, say

    wanted = chosen(read_rows(rows), instance_ids or [])
    known = read_pins(pins) if pins else {}
    box, screen, lost = choose(sandbox), console(), 0
    for row in wanted:
        dest = out / row.instance_id
        if (dest / "task.toml").is_file():
            screen.print(f"{dest}: already there")
            continue
        try:
            say(f"{row.instance_id}: importing")
            task = import_row(
                row, repos, dest, pins=known.get(row.instance_id), sandbox=box, progress=say
            )
        except InputError as error:
            lost += 1
            screen.print(printable(f"{row.instance_id}: not imported: {error}"))
            continue
        tests = task.manifest
        screen.print(
            f"{dest}: {len(tests.counted)} tests count, "
            f"{sum(t.group != 'test' and not t.counted for t in tests.tests)} of the row's don't, "
            f"{len(tests.dropped)} of its ids are no test's"
        )
    return ExitCode.BAD_INPUT if lost else ExitCode.DONE
