"""A pytest plugin that says what happens, one JSON object a line, on a descriptor.

What it says is a claim: it shares a process with submitted code. The judge reads it as such.
Python 3.6 and pytest 4 must be able to run it.
"""

import os
import random
import time
from typing import Any, Generator

import pytest
from judge_stream import MESSAGE, Places, Stream, clean  # type: ignore[import-not-found]

HERE = os.path.dirname(os.path.abspath(__file__))


def run(stream: Stream, config: "dict[str, Any]") -> int:
    """Run the suite; gives pytest's exit code."""
    stream.send("", "session", "started", message=f"pytest {pytest.__version__}")
    return int(pytest.main(arguments(config), plugins=[Reporter(stream, config)]))


def arguments(config: "dict[str, Any]") -> "list[str]":
    """The command line of pytest."""
    tree = config["tree"]
    fixed = [
        "-c",
        os.path.join(HERE, "pytest.ini"),
        f"--rootdir={tree}",
        f"--confcutdir={tree}",
        "--continue-on-collection-errors",
        "--tb=no",
        "--show-capture=no",
        "-p",
        "no:cacheprovider",
    ]
    for plugin in config["plugins"]:
        fixed += ["-p", plugin]
    ignored = ["--ignore=" + os.path.join(tree, name) for name in config["skip_files"]]
    paths = [os.path.join(tree, name) for name in config["paths"]]
    return [*fixed, *ignored, *config["options"], *paths]


def untold(*_: "Any", **__: "Any") -> str:
    """The text of a failure, left out."""
    return ""


def outcome_of(report: "Any") -> str:
    """Our word for the outcome of a report."""
    expected = hasattr(report, "wasxfail")
    if report.outcome == "passed":
        return "xpassed" if expected else "passed"
    if report.outcome == "skipped":
        return "xfailed" if expected else "skipped"
    return "failed" if report.when == "call" else "error"


class Reporter:
    """The plugin."""

    def __init__(self, stream: Stream, config: "dict[str, Any]") -> None:
        self.stream = stream
        self.tree = config["tree"]
        self.skip = frozenset(config["skip"])
        self.seed = config["seed"]
        self.places = Places(config)
        self.names = {}  # type: dict[int, str]
        self.seen = {}  # type: dict[str, int]
        self.current = ""
        self.failed = False

    def details(self, excinfo: "Any") -> "dict[str, Any]":
        """Exception, place and message of what pytest caught, if anything."""
        return dict(self.places.details(None if excinfo is None else excinfo._excinfo))

    # -- collection

    @pytest.hookimpl(tryfirst=True)
    def pytest_collectstart(self, collector: "Any") -> None:
        """A file is about to be imported."""
        if isinstance(collector, pytest.File):
            self.stream.send(self.path_of(collector), "collect", "started")

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_make_collect_report(self, collector: "Any") -> "Generator[None, Any, None]":
        """A file, class or folder couldn't be collected, or was left out."""
        outcome = yield
        report = outcome.get_result()
        if report.outcome == "passed":
            return
        call = getattr(report, "call", None)
        more = self.details(getattr(call, "excinfo", None))
        name = collector.nodeid or self.path_of(collector)
        word = "skipped" if report.outcome == "skipped" else "error"
        self.stream.send(name, "collect", word, **more)

    @pytest.hookimpl(tryfirst=True)
    def pytest_itemcollected(self, item: "Any") -> None:
        """Name the item: a second one of the same id is `#2`. Nobody reads the text of its failure,
        for which pytest would parse the whole file and go through every cause of the exception.
        """
        item.repr_failure = item._repr_failure_py = untold
        count = self.seen[item.nodeid] = self.seen.get(item.nodeid, 0) + 1
        self.names[id(item)] = item.nodeid if count == 1 else f"{item.nodeid}#{count}"

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: "list[Any]") -> None:
        """Leave out what the judge has no use for, and put the rest in the order asked for."""
        items[:] = [item for item in items if clean(self.names[id(item)]) not in self.skip]
        if self.seed is not None:
            items[:] = shuffled(items, self.seed)

    def pytest_collection_finish(self, session: "Any") -> None:
        """Say what will run, in order."""
        for item in session.items:
            file = self.path_of(item)
            line = (item.location[1] or 0) + 1
            self.stream.send(self.names[id(item)], "collect", "passed", file=file, line=line)
        self.stream.send("", "collect", "done")

    def path_of(self, node: "Any") -> str:
        """The file of a node, below the tree."""
        path = str(getattr(node, "path", None) or node.fspath)
        return str(clean(path[len(self.tree) + 1 :] if path.startswith(self.tree + "/") else path))

    # -- running

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: "Any") -> "Generator[None, Any, None]":
        """One test, from its start to its end."""
        self.current, self.failed = self.names[id(item)], False
        start = time.perf_counter()
        self.stream.send(self.current, "setup", "started")
        yield
        elapsed = time.perf_counter() - start
        self.stream.send(self.current, "teardown", "done", elapsed=elapsed)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, call: "Any") -> "Generator[None, Any, None]":
        """Keep what a report doesn't: the exception's type and the place in the tests."""
        outcome = yield
        report = outcome.get_result()
        report.judge_details = self.details(call.excinfo)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: "Any") -> None:
        """One phase of a test ended, or a part of a test did."""
        if report.outcome not in ("passed", "failed", "skipped"):
            return
        part = hasattr(report, "context")
        if part and report.outcome != "failed":
            return
        word = outcome_of(report)
        if word == "passed" and report.when != "call":
            return
        more = getattr(report, "judge_details", {}) if word != "passed" else {}
        if word in ("failed", "error") and not more:
            more = {"message": clean(str(report.longrepr)[:MESSAGE])}
        self.stream.send(self.current, report.when, word, elapsed=report.duration, **more)


def shuffled(items: "list[Any]", seed: int) -> "list[Any]":
    """Files in random order, and the tests of each file in random order."""
    chance = random.Random(seed)
    files = {}  # type: dict[str, list[Any]]
    for item in items:
        files.setdefault(item.nodeid.split("::")[0], []).append(item)
    groups = list(files.values())
    chance.shuffle(groups)
    for group in groups:
        chance.shuffle(group)
    return [item for group in groups for item in group]
