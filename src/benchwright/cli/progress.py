"""How a running job looks: live on a terminal, one line a trial anywhere else."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.text import Text

from benchwright.formats import TrialResult, printable
from benchwright.jobs import Moment

from .output import console, say

SHOWN = 12
"""How many trials under way are listed."""


class Board:
    """What happens in a job, as it happens."""

    def __init__(self, planned: int) -> None:
        self._planned = planned
        self._done = 0
        self._outcomes: Counter[str] = Counter()
        self._active: dict[str, tuple[str, float]] = {}
        self._live: Live | None = None

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Keep the board on the terminal, if there is one."""
        out = console(stderr=True)
        if not out.is_terminal:
            yield
            return
        with Live(console=out, get_renderable=self._render, refresh_per_second=4) as self._live:
            yield
        self._live = None

    def watch(self, moment: Moment) -> None:
        """Something happened to a trial."""
        if moment.what in ("kept", "finished") and moment.result:
            self._active.pop(moment.trial, None)
            self._done += 1
            self._outcomes[_kind(moment.result)] += 1
            if moment.what == "finished":
                self.say(f"[{self._done}/{self._planned}] {moment.trial}: {outcome(moment.result)}")
            return
        self._active[moment.trial] = (moment.what, time.monotonic())
        if moment.what == "retrying" and moment.result:
            self.say(f"{moment.trial}: lost, is tried again: {moment.result.error}")
        if moment.what == "elsewhere":
            self.say(f"{moment.trial}: another process works on it")

    def say(self, message: str) -> None:
        """A line above the board."""
        if self._live:
            self._live.console.print(Text(printable(message)))
        else:
            say(message)

    def _render(self) -> RenderableType:
        lines: list[RenderableType] = [
            ProgressBar(total=max(1, self._planned), completed=self._done, width=40),
            Text(", ".join(f"{n} {what}" for what, n in sorted(self._outcomes.items()))),
        ]
        now = time.monotonic()
        for name, (what, since) in list(self._active.items())[:SHOWN]:
            lines.append(Text(f"  {what:<10} {now - since:6.0f} s  {name}", overflow="ellipsis"))
        if len(self._active) > SHOWN:
            lines.append(Text(f"  … and {len(self._active) - SHOWN} more"))
        return Group(*lines)


def outcome(result: TrialResult) -> str:
    """A result in a few words."""
    if result.status != "judged":
        return f"{result.status}: {result.error}" if result.error else result.status
    if result.reward == 1.0:
        return "solved"
    return f"{'tampered' if _tampered(result) else 'not solved'}, score {result.score:.3f}"


def _kind(result: TrialResult) -> str:
    """A result in two words, to be counted."""
    if result.status != "judged":
        return result.status.replace("_", " ")
    return "solved" if result.reward == 1.0 else "not solved"


def _tampered(result: TrialResult) -> bool:
    return result.verdict is not None and result.verdict.status == "tampered"
