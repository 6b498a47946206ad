"""`benchwright doctor`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

    from benchwright.sandbox import Capability

VERSIONS = tuple(f"3.{minor}" for minor in range(8, 15))
"""Pythons that are looked for, for tasks that ask for one."""


def doctor(*, json: bool = False) -> int:
    """Measure what this machine can do, and say how to get the rest.

    Parameters
    ----------
    json
        Print the results as JSON.
    """
    import json as text

    from benchwright.formats import ExitCode
    from benchwright.sandbox import probe

    from .output import console

    found = (*probe(), *_tools())
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


def _tools() -> list[Capability]:
    """What environments are made with."""
    import subprocess

    import uv

    from benchwright.languages.python import environment_python
    from benchwright.sandbox import Capability

    try:
        done = subprocess.run([uv.find_uv_bin(), "--version"], capture_output=True, check=True)
        version = done.stdout.decode(errors="replace").strip()
        tool = Capability("uv", "yes", version, needed=True)
    except (OSError, subprocess.SubprocessError) as error:
        tool = Capability("uv", "no", str(error), "pip install uv", needed=True)
    pythons = [p.version for v in VERSIONS if (p := environment_python.find(v)) is not None]
    return [
        tool,
        Capability("python", "yes", sys.version.split()[0]),
        Capability(
            "python versions",
            "yes" if pythons else "limited",
            ", ".join(pythons) or "none but our own",
            "" if len(pythons) > 1 else "others: uv python install VERSION",
        ),
    ]


def _table(found: tuple[Capability, ...]) -> Table:
    from rich.table import Table

    from benchwright.formats import printable

    table = Table("what", "holds", "measured", "way out", box=None, pad_edge=False)
    for item in found:
        table.add_row(item.name, item.state, printable(item.detail), printable(item.hint))
    return table
