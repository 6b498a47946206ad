"""`benchwright judge`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

if TYPE_CHECKING:
    from rich.console import Console

    from benchwright.formats import Verdict

SHOWN = 10


def judge(
    task: Path,
    submission: Path,
    *,
    pairs: int | None = None,
    out: Annotated[Path | None, Parameter(name=["--out", "-o"])] = None,
    replay: Path | None = None,
    unguarded: bool = False,
    sandbox: str | None = None,
    json: bool = False,
) -> int:
    """Judge one submission by the hidden tests. No LLM is involved.

    The tests run several times, offline, each time with another secret half of them made wrong: a
    test scores only if its right version passed and its wrong versions failed.

    Parameters
    ----------
    task
        Folder of the task.
    submission
        What was made: a workspace (folder), a tar archive of one, or a patch of the task's own.
    pairs
        Pairs of rounds; more make forging less likely. By default what the task says.
    out
        File to write the verdict to.
    replay
        A verdict to repeat: the same rounds with the same wrong tests.
    unguarded
        Give a reward also where the task has no wrong versions of the tests that decide it.
    sandbox
        Which sandbox; by default the best of this machine.
    json
        Print the verdict as JSON.
    """
    from benchwright.formats import ExitCode, InputError, StorageError, Verdict, boundary
    from benchwright.judge import judge as judged
    from benchwright.judge import replay as repeated
    from benchwright.sandbox import choose
    from benchwright.tasks import Task

    from .output import console, say

    if pairs is not None and pairs < 0:
        raise InputError("--pairs: can't be negative")
    loaded, box = Task.load(task), choose(sandbox)
    if replay is not None:
        old = Verdict.read(replay)
        verdict = repeated(loaded, submission, old, sandbox=box, progress=say)
    else:
        verdict = judged(
            loaded, submission, sandbox=box, pairs=pairs, unguarded=unguarded, progress=say
        )
    if out is not None:
        with boundary(StorageError, f"{out}: can't be written"):
            verdict.write(out)
    screen = console()
    if json:
        screen.file.write(verdict.dumps())
    else:
        show(verdict, screen)
    return ExitCode.INFRA if verdict.status == "infra" else ExitCode.DONE


def show(verdict: Verdict, screen: Console) -> None:
    """Print what a verdict says, in a few lines."""
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2))
    for name, value in rows(verdict):
        table.add_row(name, Text(value, overflow="fold"))
    screen.print(table)
    for finding in verdict.findings:
        screen.print(Text(f"{finding.code}: {finding.message}"))
    failing = [test for test in verdict.tests if not test.scores]
    for test in failing[:SHOWN]:
        screen.print(Text(failure(test.id, test.reason, test.exception, test.message)))
    if len(failing) > SHOWN:
        screen.print(f"… and {len(failing) - SHOWN} more")


def rows(verdict: Verdict) -> list[tuple[str, str]]:
    """The table."""
    found = [("task", verdict.task), ("status", verdict.status)]
    if verdict.score is not None and verdict.reward is not None:
        found += [("score", f"{verdict.score:.4f}"), ("reward", f"{verdict.reward:g}")]
    counts = ", ".join(f"{count} {outcome}" for outcome, count in verdict.counts.items())
    found += [("tests", counts)] if counts else []
    guard = verdict.guard
    if guard is not None:
        bound = f"forging one: at most {guard.forgery_bound:.3g}"
        bound += f", the last check of one: {guard.partial_bound:.3g}"
        kinds = ((guard.shared, "in groups"), (guard.partial, "in part"))
        some = ", ".join(f"{count} {kind}" for count, kind in kinds if count)
        guarded = f"{guard.guarded} guarded{f' ({some})' if some else ''}, {guard.exposed} exposed"
        text = f"{guard.pairs} pairs, {guarded}; {bound}"
        found.append(("rounds", text))
    for gate in verdict.gates:
        said = "passed" if gate.passed else f"{gate.problems} problems"
        found.append((gate.tool, said + (" (required)" if gate.required else "")))
    found += [("error", verdict.error)] if verdict.error else []
    return [*found, ("time", f"{verdict.seconds:.1f} s")]


def failure(name: str, reason: str, exception: str, message: str) -> str:
    """One failing test in one harmless line."""
    from benchwright.formats import printable

    said = " ".join(part for part in (exception, message.strip().partition("\n")[0]) if part)
    return printable(f"  {reason:<9} {name}  {said}", 300)
