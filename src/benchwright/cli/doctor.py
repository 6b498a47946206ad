"""`benchwright doctor`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

    from benchwright.sandbox import Capability


def doctor(*, json: bool = False) -> int:
    """Measure what this machine can do, and say how to get the rest.

    Parameters
    ----------
    json
        Print the results as JSON.
    """
    import json as text

    from benchwright import doctor as examine
    from benchwright.formats import ExitCode

    from .output import console

    found = examine()
    usable = all(item.state == "yes" for item in found if item.needed)
    if json:
        rows = [
            {k: getattr(item, k) for k in ("name", "state", "detail", "hint", "needed")}
            for item in found
        ]
        print(text.dumps({"usable": usable, "capabilities": rows}, indent=2))
    else:
        console().print(_table(found))
        print("This machine can judge." if usable else "This machine can't judge yet.")
    return ExitCode.DONE if usable else ExitCode.INFRA


def _table(found: tuple[Capability, ...]) -> Table:
    from rich.table import Table

    from benchwright.formats import printable

    table = Table("what", "holds", "measured", "way out", box=None, pad_edge=False)
    for item in found:
        table.add_row(item.name, item.state, printable(item.detail), printable(item.hint))
    return table
