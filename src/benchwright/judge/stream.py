"""Reads the event stream of one box, with bounds: bytes in, what became of each test out.

The stream is a claim made beside submitted code. Whatever it says, reading it takes bounded memory,
raises nothing and never makes an outcome better: of several claims about one test the worst counts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pydantic import ValidationError

from benchwright.formats import Event, Outcome

LINE = 64 << 10
TOTAL = 64 << 20
"""Bytes of one stream."""
NAME = 20_000
WORST: tuple[str, ...] = (
    "passed", "xpassed", "xfailed", "skipped", "failed", "error", "timeout", "crash",
)  # fmt: skip
"""Outcomes, the better ones first."""

Fate = Outcome | Literal["missing", "timeout", "crash"]


@dataclass(frozen=True, slots=True)
class Observed:
    """What one test did, as far as could be seen."""

    outcome: Fate
    exception: str = ""
    file: str = ""
    line: int = 0
    message: str = ""
    seconds: float = 0.0
    """By the judge's clock."""


def worse(one: Observed, other: Observed) -> Observed:
    """The worse of two claims about one test; the first of equally bad ones."""
    return other if WORST.index(other.outcome) > WORST.index(one.outcome) else one


@dataclass(slots=True)
class Tally:
    """Everything one box said."""

    begun: bool = False
    """The runner started: what follows is the product's or the tests' doing."""
    ended: bool = False
    collected: list[str] = field(default_factory=list)
    described: dict[str, str] = field(default_factory=dict)
    """What a collected test says it is, in a runner's own words."""
    complete: bool = False
    """Collection ended."""
    collecting: str = ""
    """The file being collected, if any."""
    running: str = ""
    """The test being run, if any."""
    tests: dict[str, Observed] = field(default_factory=dict)
    collect_errors: dict[str, Observed] = field(default_factory=dict)
    strange: int = 0
    """Lines that the runner doesn't write."""
    _rest: bytes = b""
    size: int = 0
    """Bytes so far."""
    _since: float = 0.0
    _claim: Observed | None = None

    @property
    def full(self) -> bool:
        """More was written than any suite needs."""
        return self.size > TOTAL

    def feed(self, data: bytes, now: float) -> None:
        """Take what came out of the descriptor at time `now`."""
        self.size += len(data)
        *lines, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > LINE:
            self.strange += 1
            self._rest = b""
        for line in lines:
            self._line(line, now)

    def _line(self, line: bytes, now: float) -> None:
        if len(line) > LINE:
            self.strange += 1
            return
        try:
            event = Event.model_validate_json(line)
        except ValidationError:
            self.strange += 1
            return
        known = len(event.id) <= NAME and self._take(event, now)
        self.strange += not known

    def _take(self, event: Event, now: float) -> bool:
        if event.phase == "session":
            self.begun = True
            self.ended = self.ended or event.outcome == "done"
            return True
        if event.phase == "collect":
            return self._collect(event)
        if event.outcome == "started":
            return self._start(event, now)
        if event.id != self.running:
            return False
        if event.outcome == "done":
            return self._finish(now)
        seen = observed(event)
        self._claim = seen if self._claim is None else worse(self._claim, seen)
        return True

    def _collect(self, event: Event) -> bool:
        if event.outcome == "started":
            self.collecting = event.id
        elif event.outcome == "done":
            self.collecting, self.complete = "", True
        elif event.outcome == "passed":
            self.collected.append(event.id)
            if event.message:
                self.described[event.id] = event.message[:2000]
        else:
            self.collect_errors[event.id] = observed(event)
        return True

    def _start(self, event: Event, now: float) -> bool:
        if self.running:
            return False
        self.running, self._since, self._claim = event.id, now, None
        return True

    def _finish(self, now: float) -> bool:
        silent = Observed("error", message="the runner reported no outcome")
        self.settle(self.running, self._claim or silent, now)
        return True

    def settle(self, name: str, claim: Observed, now: float) -> None:
        """Record what became of a test; a second claim can only make it worse."""
        seconds = max(0.0, now - self._since)
        claim = Observed(
            claim.outcome, claim.exception, claim.file, claim.line, claim.message, seconds
        )
        known = self.tests.get(name)
        self.tests[name] = claim if known is None else worse(known, claim)
        self.running = ""


def observed(event: Event) -> Observed:
    """What an event says about its test, cut to size."""
    line = event.line if 0 <= event.line < 1 << 31 else 0
    return Observed(
        event.outcome, event.exception[:200], event.file[:NAME], line, event.message[:2000]
    )
