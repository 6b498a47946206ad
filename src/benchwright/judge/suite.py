"""One run of a suite on one prepared tree.

A box runs the tests and says what happens; the clock and the conclusions are here, outside. A test
that exits, crashes or hangs costs its own id: the box is thrown away and the rest goes on in a
fresh one, a bounded number of times.
"""

from __future__ import annotations

import os
import selectors
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Literal

from benchwright.formats import Limits, SandboxError, printable
from benchwright.sandbox import Caps, Completed, Mount, Spec

from .rig import Rig
from .stream import Observed, Tally

RESTARTS = 20
FLOOD = 64 << 20
"""Bytes of event streams after which no box is started again."""
HANGS = 3
"""Tests of a run that may hang before the others are waited for less long."""
GRACE = 10.0
"""Seconds by which the sandbox's own clock is behind ours, so that ours decides."""
LINGER = 2.0
"""Seconds a process may live on after it closed the event stream."""

Cut = Literal["", "silence", "flood", "suite"]


@dataclass(frozen=True, slots=True)
class Variation:
    """What differs between runs that must agree."""

    order_seed: int | None = None
    """Shuffles the tests; None keeps their own order."""
    hash_seed: int = 0
    env: Mapping[str, str] = field(default_factory=dict)
    """Time zone, locale and the like."""
    cores: float = 0.0
    prefix: tuple[str, ...] = ()
    """What the runner's command begins with, such as a program that moves the clock."""


@dataclass(frozen=True, slots=True)
class SuiteResult:
    """What one run of a suite showed."""

    tests: Mapping[str, Observed]
    order: tuple[str, ...]
    """The ids in the order in which they were to run."""
    collect_errors: Mapping[str, Observed]
    """Files that couldn't be collected."""
    seconds: float
    restarts: int = 0
    notes: tuple[str, ...] = ()
    described: Mapping[str, str] = field(default_factory=dict)
    """What tests say they are, where they do."""

    def renamed(self, names: Mapping[str, str]) -> SuiteResult:
        """The same by other ids."""
        return replace(
            self,
            tests={names.get(name, name): seen for name, seen in self.tests.items()},
            order=tuple(names.get(name, name) for name in self.order),
        )

    def outcome(self, name: str, file: str = "") -> Observed:
        """What became of an id in `file`: missing unless it was seen, whatever was collected."""
        if name in self.tests:
            return self.tests[name]
        broken = self.collect_errors.get(file)
        if broken is not None and broken.outcome in ("timeout", "crash"):
            return broken
        return Observed("missing", message=broken.message if broken else "")


def called(names: Mapping[str, str], ids: Iterable[str]) -> frozenset[str]:
    """Expected ids as the runner knows them, where `names` leads from its ids to theirs."""
    known = {expected: name for name, expected in names.items()}
    return frozenset(known.get(test, test) for test in ids)


def run_suite(
    tree: Path,
    rig: Rig,
    *,
    variation: Variation = Variation(),
    tests: tuple[str, ...] = (),
    skip: frozenset[str] = frozenset(),
    hurried: Limits | None = None,
    seconds: float = 0.0,
) -> SuiteResult:
    """Run the hidden suite once.

    Args:
        tree: the judged tree; every box sees it as it is here, whatever an earlier one wrote.
        rig: what the suite runs on.
        variation: order, hash seed, environment, cores.
        tests: files that belong to the tests, for the place of a failure.
        skip: ids that needn't run.
        hurried: the limits of the tests that are left once some of this run have hung; what
            happened in earlier runs changes none, or it could be told in this one.
        seconds: limit of the whole run; the task's own if 0.

    Raises:
        SandboxError: the box or the runner didn't start; nothing of the submission had run.
    """
    run = _Run(tree, rig, variation, tests, hurried)
    return run.all(set(skip), seconds or rig.settings.limits.suite_seconds)


@dataclass(slots=True)
class _Run:
    """The boxes of one run, one after the other."""

    tree: Path
    rig: Rig
    variation: Variation
    tests: tuple[str, ...]
    hurried: Limits | None = None
    hangs: int = 0
    seen: dict[str, Observed] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    broken: dict[str, Observed] = field(default_factory=dict)
    described: dict[str, str] = field(default_factory=dict)
    lost: set[str] = field(default_factory=set)
    """Files whose collection ended a box."""
    notes: list[str] = field(default_factory=list)
    heard: int = 0
    """Bytes of event streams."""

    def all(self, skip: set[str], seconds: float) -> SuiteResult:
        start = time.monotonic()
        restarts = 0
        while not self.box(frozenset(skip | self.seen.keys()), start + seconds):
            if restarts == RESTARTS or self.heard > FLOOD:
                self.notes.append(f"given up after {restarts} restarts")
                break
            restarts += 1
        took = time.monotonic() - start
        notes = tuple(self.notes)
        return SuiteResult(
            self.seen, self.order, self.broken, took, restarts, notes, self.described
        )

    def box(self, skip: frozenset[str], deadline: float) -> bool:
        """Run what is left in one box; whether that was all."""
        tally, limits = Tally(), self.rig.settings.limits
        if self.hurried is not None and self.hangs >= HANGS:
            limits = self.hurried
        spec = self.spec(skip, deadline)
        with self.rig.sandbox.start(spec) as box, ThreadPoolExecutor(1) as pool:
            pipe = box.events
            end = pool.submit(box.wait)
            try:
                cut = watch(pipe, tally, deadline, limits)
                wait([end], timeout=0 if cut or tally.ended else LINGER)
            finally:
                box.kill()
            completed = end.result()
        if not tally.begun:
            raise SandboxError(f"the test runner didn't start: {last_line(completed)}")
        return self.take(tally, cut, completed)

    def take(self, tally: Tally, cut: Cut, completed: Completed) -> bool:
        """Add what a box showed; whether nothing is left to run."""
        before = len(self.seen) + len(self.lost)
        self.heard += tally.size
        self.hangs += cut == "silence"
        ended = Observed(
            "timeout" if cut in ("silence", "suite") else "crash", message=reason(cut, completed)
        )
        self.order = self.order or tuple(tally.collected)
        self.broken.update(tally.collect_errors)
        self.described.update(tally.described)
        if tally.strange:
            self.notes.append(f"{tally.strange} lines of the event stream are not the runner's")
        if tally.running:
            tally.settle(tally.running, ended, time.monotonic())
        elif not tally.complete and tally.collecting:
            self.lost.add(tally.collecting)
            self.broken[tally.collecting] = ended
        for name, observed in tally.tests.items():
            self.seen.setdefault(name, observed)
        left = [name for name in tally.collected if name not in self.seen]
        if cut == "suite":
            self.seen.update(dict.fromkeys(left, ended))
            return True
        if tally.complete and not left:
            return True
        return len(self.seen) + len(self.lost) == before

    def spec(self, skip: frozenset[str], deadline: float) -> Spec:
        """The box for what is left."""
        rig, settings, limits = self.rig, self.rig.settings, self.rig.settings.limits
        suite = rig.language.suite(
            settings.runner,
            settings.product,
            tuple(skip),
            skip_files=tuple(self.lost),
            tests=self.tests,
            order_seed=self.variation.order_seed,
            metadata=rig.metadata is not None,
        )
        mounts = [
            *rig.environment.mounts,
            Mount("/work", "overlay", self.tree, size=limits.disk),
            *suite.mounts,
        ]
        if rig.metadata is not None:
            mounts.append(Mount("/meta", "overlay", rig.metadata))
        caps = Caps(
            wall_seconds=max(1.0, deadline - time.monotonic()) + GRACE,
            memory=limits.memory,
            processes=limits.processes,
            cores=self.variation.cores,
            scratch=limits.disk,
        )
        env = {
            **rig.environment.env,
            "PYTHONHASHSEED": str(self.variation.hash_seed),
            **suite.env,
            **self.variation.env,
        }
        command = (*self.variation.prefix, *suite.command)
        return Spec(command, tuple(mounts), env, suite.cwd, caps, events=True, forget=True)


def watch(pipe: IO[bytes] | None, tally: Tally, deadline: float, limits: Limits) -> Cut:
    """Read what a box says until it ends, or until it must be ended."""
    if pipe is None:
        raise SandboxError("the sandbox gave no event descriptor")
    heard = time.monotonic()
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        while not tally.ended:
            patience = limits.test_seconds if tally.running else limits.collect_seconds
            now = time.monotonic()
            if now >= min(deadline, heard + patience):
                return "suite" if now >= deadline else "silence"
            if not selector.select(min(deadline, heard + patience) - now):
                continue
            data = os.read(pipe.fileno(), 1 << 16)
            if not data:
                break
            before = (tally.running, tally.collecting, len(tally.tests))
            tally.feed(data, time.monotonic())
            if tally.full:
                return "flood"
            if before != (tally.running, tally.collecting, len(tally.tests)):
                heard = time.monotonic()
    return ""


def reason(cut: Cut, completed: Completed) -> str:
    """Why a test, or the collection of a file, has no outcome of its own."""
    if cut == "silence":
        return "took longer than a test may"
    if cut == "suite":
        return "the suite took longer than it may"
    if cut == "flood":
        return "the event stream was flooded"
    if completed.end in ("exited", "killed"):
        return f"the process ended (exit code {completed.exit_code})"
    return f"the box was ended: {completed.end} limit"


def last_line(completed: Completed) -> str:
    """The last thing said on stderr, in one harmless line."""
    lines = completed.stderr.decode(errors="replace").strip().splitlines()
    return printable(lines[-1] if lines else f"exit code {completed.exit_code}", 300)
