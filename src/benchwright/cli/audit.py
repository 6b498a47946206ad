"""`benchwright audit`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

SHOWN = 5


def audit(
    skeleton: str,
    reference: str,
    *,
    ids: Path | None = None,
    python: str = "",
    gate: Annotated[list[str] | None, Parameter(negative=())] = None,
    sandbox: str | None = None,
    json: bool = False,
) -> int:
    """Audit a published skeleton against its reference: what is wrong, the gravest first.

    Parameters
    ----------
    skeleton
        The skeleton: a folder, or a source such as `git+https://…@COMMIT`.
    reference
        The reference with its tests, likewise.
    ids
        File with the ids of the tests that the publisher counts, one a line.
    python
        The publisher's version of Python, as 3.10; by default one that the reference allows.
    gate
        Gates to run (may be repeated); by default `start` and `reference`.
    sandbox
        Which sandbox; by default the best of this machine.
    json
        Print one JSON object.
    """
    from rich.text import Text

    from benchwright.formats import ExitCode, InputError, printable, read_bytes
    from benchwright.sandbox import choose
    from benchwright.validation import GATES
    from benchwright.validation import audit as run

    from .output import console, say

    chosen = gate or ["start", "reference"]
    for name in chosen:
        if name not in GATES:
            raise InputError(f"{name}: no such gate", hint=f"known: {', '.join(GATES)}")
    listed = read_bytes(ids).decode(errors="replace").splitlines() if ids else []
    found = run(
        _spec(skeleton),
        _spec(reference),
        ids=[line.strip() for line in listed if line.strip()],
        gates=chosen,
        version=python,
        sandbox=choose(sandbox),
        progress=say,
    )
    screen = console()
    if json:
        screen.file.write(found.model_dump_json() + "\n")
        return ExitCode.DONE
    screen.print(Text(printable(f"{found.skeleton}: {len(found.findings)} findings")))
    for finding in found.findings:
        screen.print(Text(printable(f"{finding.gravity}: {finding.code}: {finding.message}", 600)))
        for name in finding.ids[:SHOWN]:
            screen.print(Text(printable(f"    {name}", 200)))
        if len(finding.ids) > SHOWN:
            screen.print(f"    … and {len(finding.ids) - SHOWN} more")
    return ExitCode.DONE


def _spec(text: str) -> str:
    """A folder is a source, too."""
    return f"path:{text}" if Path(text).is_dir() else text
