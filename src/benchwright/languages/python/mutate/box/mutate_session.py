"""Runs chosen tests of a collected session and says of each how it ended, as the judge would."""

import os
import resource
import signal
import time
from collections.abc import Callable
from typing import Any

import pytest
from judge_events import clean, outcome_of  # type: ignore[import-not-found]

MARGIN = 1 << 30
"""Bytes of address space a mutant may take beyond what the process has when it starts."""


class Session:
    """A pytest plugin: names the items, keeps the outcomes, and hands the session over."""

    def __init__(self, take: "Callable[[Session], None]") -> None:
        self.take = take
        self.ids = []  # type: list[str]
        self.items = {}  # type: dict[str, Any]
        self.names = {}  # type: dict[int, str]
        self.count = {}  # type: dict[str, int]
        self.words = []  # type: list[str]

    @pytest.hookimpl(tryfirst=True)
    def pytest_itemcollected(self, item: "Any") -> None:
        """Name the item: a second one of the same id is `#2`."""
        count = self.count[item.nodeid] = self.count.get(item.nodeid, 0) + 1
        name = item.nodeid if count == 1 else "%s#%d" % (item.nodeid, count)
        self.names[id(item)] = clean(name)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: "Any") -> bool:
        """Everything is collected: others decide what runs."""
        self.ids = [self.names[id(item)] for item in session.items]
        self.items = dict(zip(self.ids, session.items))
        session.config.pluginmanager.unregister(name="terminalreporter")
        self.take(self)
        return True

    def pytest_runtest_makereport(self, item: "Any", call: "Any") -> "Any":
        """A report without a traceback's text, which nobody reads here."""
        outcome = "passed"
        if call.excinfo is not None:
            skips = isinstance(call.excinfo.value, pytest.skip.Exception)
            outcome = "skipped" if skips else "failed"
        return pytest.TestReport(
            nodeid=item.nodeid,
            location=item.location,
            keywords={},
            outcome=outcome,  # type: ignore[arg-type]
            longrepr=("", 0, "") if outcome == "skipped" else None,
            when=call.when,
        )

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: "Any") -> None:
        """One phase of a test ended."""
        self.words.append(outcome_of(report))

    def run(self, names: "list[str]", say: "Callable[[str, str], None]", cpu: "Any" = None) -> None:
        """Run tests in the order given.

        Args:
            names: Which.
            say: Gets a test's name and `running` when it starts, its outcome afterwards.
            cpu: Gives the CPU seconds that a test may take.
        """
        items = [self.items[name] for name in names]
        for number, item in enumerate(items):
            following = items[number + 1] if number + 1 < len(items) else None
            self.words = []
            say(names[number], "running")
            if cpu:
                signal.setitimer(signal.ITIMER_PROF, cpu(names[number]))
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            bad = [word for word in self.words if word != "passed"]
            say(names[number], bad[0] if bad else "passed" if self.words else "missing")
        signal.setitimer(signal.ITIMER_PROF, 0)


def confine() -> None:
    """Limits of a process that runs a mutant: its group, its memory, the CPU clock's answer."""
    os.setpgid(0, 0)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    with open("/proc/self/statm") as file:
        size = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + MARGIN, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Clock:
    """CPU and wall time since the last look."""

    def __init__(self) -> None:
        self.last = (time.process_time(), time.monotonic())

    def look(self) -> "tuple[float, float]":
        """Seconds of both."""
        now = (time.process_time(), time.monotonic())
        spent = (now[0] - self.last[0], now[1] - self.last[1])
        self.last = now
        return spent
