"""The table of a job on a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from benchwright.formats import Cell, Estimate, Failed, JobSummary, printable
from benchwright.jobs import JobResult

from .summary import summarize

SHOWN = 10
"""How many failed trials the table explains; `--json` and the page have all."""


def table(job: JobResult) -> RenderableType:
    """The results by agent and task, and why trials failed."""
    summary = summarize(job, explain=SHOWN)
    grid = Table(title=_plain(f"Results of {summary.job}"), title_justify="left")
    for name in ("agent", "task"):
        grid.add_column(name, overflow="fold")
    for name in ("solved", "mean score [95 %]", "of all", "valid", "agent", "judge"):
        grid.add_column(name, justify="right", no_wrap=True)
    for agent in summary.agents:
        for cell in agent.tasks:
            grid.add_row(*_row(agent.agent, cell))
        if len(agent.tasks) > 1:
            grid.add_row(*_row(agent.agent, agent.total), style="bold")
        grid.add_section()
    return Group(grid, *_notes(summary), *_failures(summary))


def _row(agent: str, cell: Cell) -> Iterator[Text]:
    yield _plain(agent, 60)
    yield _plain((cell.task or "all tasks") + (" (unverified)" if cell.unverified else ""), 80)
    yield Text(f"{cell.solved}/{cell.valid}")
    yield Text(estimate(cell.score_valid))
    yield Text(f"{cell.score_all:.3f}")
    yield Text(f"{cell.valid}/{cell.planned}")
    yield Text(f"{cell.agent_seconds:.1f} s")
    yield Text(f"{cell.judge_seconds:.1f} s")


def estimate(value: Estimate) -> str:
    """A mean with its interval, such as `0.950 [0.831, 0.986]`."""
    if value.value is None:
        return "-"
    return f"{value.value:.3f} [{value.low:.3f}, {value.high:.3f}]"


def _notes(summary: JobSummary) -> Iterator[Text]:
    yield Text(
        "Solved and mean score are of the valid trials; `of all` counts lost and missing trials as"
        " 0.",
        style="dim",
    )
    if summary.valid < summary.planned:
        lost, missing = summary.finished - summary.valid, summary.planned - summary.finished
        yield Text(
            f"{lost} of {summary.planned} trials were lost, {missing} are missing:"
            " the same command runs them again.",
            style="yellow",
        )


def _failures(summary: JobSummary) -> Iterator[Text]:
    for item in summary.failed:
        yield _plain(f"{item.trial}: {item.reason}")
        yield from (_plain(f"    {line}", 160) for line in _details(item))
    if summary.unsolved > SHOWN:
        yield Text(f"… and {summary.unsolved - SHOWN} more: see --json or --html", style="dim")


def _details(item: Failed) -> Iterator[str]:
    yield from item.findings[:3]
    yield from item.failing[:3]
    if len(item.failing) > 3:
        yield f"… and more; the whole verdict is in trials/{item.trial}"


def _plain(text: str, limit: int = 0) -> Text:
    """Text that is neither markup nor a control sequence, whoever wrote it."""
    return Text(printable(text, limit))
