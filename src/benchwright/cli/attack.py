"""`benchwright attack`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

if TYPE_CHECKING:
    from rich.console import Console

    from benchwright.attacks import Tried

HEADS = ("attack", "workspace", "without", "with", "gained", "forged", "status", "plain judges")


def attack(
    task: Path,
    *,
    only: Annotated[list[str] | None, Parameter(negative=())] = None,
    tree: Annotated[list[Literal["empty", "half", "most"]] | None, Parameter(negative=())] = None,
    pairs: int | None = None,
    seed: int = 0,
    sandbox: str | None = None,
    json: bool = False,
) -> int:
    """Try cheating submissions on a task, here and before two plain judges. No LLM is involved.

    An attack wins when score or reward exceed those of the same workspace without it. It forges
    what an honest stub that returns a constant for whatever isn't solved doesn't win there. Exit
    code 2 if one forges more than guessing may.

    Parameters
    ----------
    task
        Folder of the task.
    only
        Only this attack (may be repeated).
    tree
        Only on this workspace (may be repeated): `empty`, `half` solved, or solved for the `most`.
    pairs
        Pairs of rounds; by default what the task says.
    seed
        Draws what the workspaces lack.
    sandbox
        Which sandbox; by default the best of this machine.
    json
        Print one JSON object a line.
    """
    from dataclasses import asdict
    from json import dumps

    from benchwright.attacks import SIZES, attack_all, chosen
    from benchwright.formats import ExitCode
    from benchwright.sandbox import choose
    from benchwright.tasks import Task

    from .output import console, say

    loaded, attacks, screen = Task.load(task), chosen(tuple(only or ())), console()
    found: list[Tried] = []
    for tried in attack_all(
        loaded,
        attacks,
        sizes=tuple(tree or SIZES),
        sandbox=choose(sandbox),
        pairs=pairs,
        seed=seed,
        progress=say,
    ):
        found.append(tried)
        if json:
            screen.file.write(
                dumps(asdict(tried) | {"counts": tried.counts, "beyond": tried.beyond}) + "\n"
            )
    if not json:
        show(found, screen)
    return ExitCode.BAD_INPUT if any(tried.beyond for tried in found) else ExitCode.DONE


def show(found: list[Tried], screen: Console) -> None:
    """Print the table."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for head in HEADS:
        table.add_column(head)
    for tried in found:
        names = ("exit code", tried.won_exit), ("report", tried.won_junit)
        fooled = ", ".join(name for name, won in names if won) or "not fooled"
        counts = (str(len(tried.gained)), str(len(tried.forged)))
        cells = (f"{tried.base:.3f}", f"{tried.score:.3f}", *counts)
        table.add_row(tried.attack, tried.tree, *cells, tried.status, fooled)
    screen.print(table)
    here, forged = sum(tried.won for tried in found), sum(bool(tried.forged) for tried in found)
    plain = sum(tried.counts for tried in found)
    screen.print(
        f"{len(found)} attacks: {here} gained something here, {forged} of them more than a stub, "
        f"{plain} before a plain judge"
    )
