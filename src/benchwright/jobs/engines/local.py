"""The engine of one machine: two pools of threads, one for agents, one for the judge.

Agents wait for the network, judging needs the processor. The main thread alone starts, advances
and saves trials; the pools only carry out stages, and a stage spends its time in a sandbox.
"""

from __future__ import annotations

import heapq
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import IO

from benchwright.formats import OUTCOMES, TrialResult, Try
from benchwright.jobs.plan import Trial
from benchwright.jobs.record import Record
from benchwright.jobs.scrub import discard
from benchwright.jobs.store import Store, finished
from benchwright.jobs.trial import Tools, conclude, work

from .protocol import Moment, Watch

POLL = 0.3
"""Seconds between two looks at trials that another process works on."""


@dataclass(frozen=True, slots=True)
class Local:
    """Trials on this machine."""

    agents: int = 1
    """Agents at work at the same time."""
    judges: int = 1
    """Submissions judged at the same time."""
    retries: int = 2
    """How often a lost trial is tried again."""
    backoff: float = 1.0
    """Seconds before the first retry; four times as long before each next one."""

    def run(self, trials: Sequence[Trial], store: Store, tools: Tools, watch: Watch) -> None:
        """Carry out every trial; see the protocol."""
        agents = ThreadPoolExecutor(self.agents, "agent")
        judges = ThreadPoolExecutor(self.judges, "judge")
        waiting = deque(map(_Claimed, trials))
        shift = _Shift(self, store, tools, watch, agents, judges, waiting)
        try:
            shift.run()
        except BaseException:
            tools.sandbox.stop()
            raise
        finally:
            for pool in (agents, judges):
                pool.shutdown(wait=True, cancel_futures=True)
            shift.release()


@dataclass(slots=True, eq=False)
class _Claimed:
    """A trial on its way, with its lock and its lost tries."""

    trial: Trial
    lock: IO[bytes] | None = None
    tries: tuple[Try, ...] = ()
    """Attempts that were lost, also in earlier runs."""
    lost: int = 0
    """How many of them in this run."""
    working: bool = False
    """Whether it is in the agents' pool."""
    told: bool = False
    """Whether it was said that another process works on it."""

    def release(self) -> None:
        if self.lock:
            self.lock.close()


@dataclass(slots=True)
class _Shift:
    """The state of one run of the engine; only the main thread touches it."""

    engine: Local
    store: Store
    tools: Tools
    watch: Watch
    agents: ThreadPoolExecutor
    judges: ThreadPoolExecutor
    waiting: deque[_Claimed]
    elsewhere: list[_Claimed] = field(default_factory=list)
    later: list[tuple[float, int, _Claimed]] = field(default_factory=list)
    running: dict[Future[Record | TrialResult], _Claimed] = field(default_factory=dict)

    def run(self) -> None:
        while self.waiting or self.elsewhere or self.later or self.running:
            self._start()
            if not self.running:
                time.sleep(self._pause())
                continue
            pause = self._pause() if self.elsewhere or self.later else None
            done, _ = wait(self.running, timeout=pause, return_when=FIRST_COMPLETED)
            for future in done:
                self._advance(future)

    def release(self) -> None:
        for item in [*self.running.values(), *(entry[2] for entry in self.later)]:
            item.release()

    def _pause(self) -> float:
        due = self.later[0][0] - time.monotonic() if self.later else POLL
        return max(0.0, min(due, POLL))

    def _start(self) -> None:
        """Fill the agents' pool: what is due again first, then what is new."""
        while self.later and self.later[0][0] <= time.monotonic():
            self.waiting.appendleft(heapq.heappop(self.later)[2])
        if not self.waiting and self.elsewhere:
            self.waiting.extend(self.elsewhere)
            self.elsewhere.clear()
        for _ in range(len(self.waiting)):
            if sum(item.working for item in self.running.values()) >= self.engine.agents:
                return
            self._begin(self.waiting.popleft())

    def _begin(self, item: _Claimed) -> None:
        name = item.trial.name
        item.lock = item.lock or self.store.claim(name)
        if item.lock is None:
            if not item.told:
                self.watch(Moment("elsewhere", name))
            item.told = True
            self.elsewhere.append(item)
            return
        if not item.lost:
            result = self.store.result(name)
            if finished(result, item.trial.spec):
                item.release()
                self.watch(Moment("finished", name, result))
                return
            item.tries = (*result.tries, _lost(result)) if result else ()
            for attempt in self.store.torn(name):
                discard(attempt, self.tools.sandbox)
        folder = self.store.begin(name)
        self.watch(Moment("working", name))
        item.working = True
        self.running[self.agents.submit(work, item.trial, folder, self.tools)] = item

    def _advance(self, future: Future[Record | TrialResult]) -> None:
        item = self.running.pop(future)
        item.working = False
        try:
            outcome = future.result()
        except BaseException:
            item.release()
            raise
        if isinstance(outcome, Record):
            self.watch(Moment("judging", item.trial.name))
            self.running[self.judges.submit(_conclude, outcome, self.tools)] = item
        else:
            self._settle(item, outcome)

    def _settle(self, item: _Claimed, result: TrialResult) -> None:
        """Save a result, or try again what was lost."""
        if OUTCOMES[result.status].retried and item.lost < self.engine.retries:
            pause = self.engine.backoff * 4**item.lost
            item.tries = (*item.tries, _lost(result))
            item.lost += 1
            heapq.heappush(self.later, (time.monotonic() + pause, id(item), item))
            self.watch(Moment("retrying", item.trial.name, result))
            return
        final = result.model_copy(update={"tries": item.tries})
        try:
            self.store.save(final)
        finally:
            item.release()
        self.watch(Moment("finished", item.trial.name, final))


def _lost(result: TrialResult) -> Try:
    return Try(attempt=result.attempt, status=result.status, error=result.error)


def _conclude(record: Record, tools: Tools) -> Record | TrialResult:
    """`conclude`, in the type that both stages share."""
    return conclude(record, tools)
