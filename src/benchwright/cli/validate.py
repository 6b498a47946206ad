"""`benchwright validate`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

if TYPE_CHECKING:
    from rich.console import Console

    from benchwright.formats import Evidence

SHOWN = 5


def validate(
    tasks: Annotated[list[Path], Parameter(negative=())],
    *,
    fix: bool = False,
    gate: Annotated[list[str] | None, Parameter(negative=())] = None,
    sandbox: str | None = None,
    json: bool = False,
) -> int:
    """Find out by execution whether tasks are sound, and write the evidence. No LLM is involved.

    Exit code 2 if a task isn't sound.

    Parameters
    ----------
    tasks
        Folders of tasks, or folders of such folders.
    fix
        Mend what can safely be mended: tests that wobble, that pass without any work, or that ask
        for what no public text says no longer count. Every change is reported.
    gate
        Only this gate (may be repeated); a task isn't valid until all have run.
    sandbox
        Which sandbox; by default the best of this machine.
    json
        Print the evidence as JSON, one document a line.
    """
    from benchwright.formats import ExitCode
    from benchwright.sandbox import choose
    from benchwright.tasks import find
    from benchwright.validation import validate as run

    from .output import console, say

    box, screen, good = choose(sandbox), console(), True
    for task in find(tasks):
        evidence = run(task, sandbox=box, progress=say, fix=fix, gates=gate or ())
        good = good and evidence.valid
        if json:
            screen.file.write(evidence.model_dump_json() + "\n")
        else:
            show(evidence, screen)
    return ExitCode.DONE if good else ExitCode.BAD_INPUT


def show(evidence: Evidence, screen: Console) -> None:
    """Print what evidence says, in a few lines."""
    from rich.table import Table
    from rich.text import Text

    from benchwright.formats import printable

    screen.print(Text(printable(f"{evidence.task}: {'valid' if evidence.valid else 'not valid'}")))
    table = Table.grid(padding=(0, 2))
    for gate in evidence.gates:
        table.add_row(gate.status, gate.name, Text(printable(gate.summary), overflow="fold"))
    screen.print(table)
    for gate in evidence.gates:
        for finding in gate.findings:
            screen.print(Text(printable(f"{finding.gravity}: {finding.message}")))
            for name in finding.ids[:SHOWN]:
                screen.print(Text(printable(f"    {name}", 200)))
            if len(finding.ids) > SHOWN:
                screen.print(f"    … and {len(finding.ids) - SHOWN} more")
            if finding.advice:
                screen.print(Text(printable(f"  → {finding.advice}")))
    for change in evidence.repairs:
        screen.print(Text(printable(f"fixed: {change.file}: {change.what}")))
