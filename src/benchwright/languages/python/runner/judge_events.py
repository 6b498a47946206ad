"""A pytest plugin that says what happens, one JSON object a line, on a descriptor.

What it says is a claim: it shares a process with submitted code. The judge reads it as such.
Python 3.6 and pytest 4 must be able to run it.
"""

import ast
import json
import os
import random
import sys
import time
from typing import Any, Generator

import pytest

MESSAGE = 2000
OLD_LINES = sys.version_info < (3, 10)
"""Whether leaving a `with` block counts as its last line instead of the statement itself."""


class Stream:
    """The writing end of the event stream; silent in processes that tests fork off."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.owner = os.getpid()
        os.set_inheritable(descriptor, False)

    def send(self, name: str, phase: str, outcome: str, **more: "Any") -> None:
        """Write one event."""
        if os.getpid() != self.owner:
            return
        fields = dict({"id": clean(name), "phase": phase, "outcome": outcome}, **more)
        data = json.dumps(fields).encode() + b"\n"
        while data:
            data = data[os.write(self.descriptor, data) :]


def clean(text: str) -> str:
    """The text without lone surrogates, which are not Unicode."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def qualified(kind: type) -> str:
    """The name of an exception's type, with its module unless that is `builtins`."""
    module = getattr(kind, "__module__", "") or ""
    name = getattr(kind, "__qualname__", "") or getattr(kind, "__name__", "")
    return clean(f"{name}" if module in ("builtins", "") else f"{module}.{name}")


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
        self.tests = config["tests"]
        self.product = config["product"]
        self.names = {}  # type: dict[int, str]
        self.seen = {}  # type: dict[str, int]
        self.current = ""
        self.failed = False

    # -- which frames belong to the tests

    def below(self, filename: str) -> str:
        """The file's path below the tree if it belongs to the hidden tests, else nothing."""
        if not filename.startswith(self.tree + "/"):
            return ""
        name = filename[len(self.tree) + 1 :]
        if longest(name, self.tests) >= longest(name, self.product):
            return clean(name)
        return clean(name) if os.path.basename(name) == "conftest.py" else ""

    def where(self, excinfo: "Any") -> "tuple[str, int]":
        """File and line of the innermost frame that belongs to the tests."""
        found = ("", 0)
        trace = excinfo._excinfo[2]
        while trace is not None:
            file, line = trace.tb_frame.f_code.co_filename, trace.tb_lineno
            name, trace = self.below(file), trace.tb_next
            if name:
                leaves = trace is not None and trace.tb_frame.f_code.co_name == "__exit__"
                found = (name, with_line(file, line) if leaves and OLD_LINES else line)
        example = doctest_line(excinfo.value)
        if example is not None and self.below(example[0]):
            return self.below(example[0]), example[1]
        return found

    def details(self, excinfo: "Any") -> "dict[str, Any]":
        """Exception, place and message of a failure."""
        if excinfo is None:
            return {}
        file, line = self.where(excinfo)
        try:
            message = str(excinfo.value)[:MESSAGE]
        except Exception as error:
            message = "no message: its own __str__ raised " + qualified(type(error))
        return {
            "exception": qualified(excinfo._excinfo[0]),
            "file": file,
            "line": line,
            "message": clean(message),
        }

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
        """Name the item: a second one of the same id is `#2`."""
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
        return clean(path[len(self.tree) + 1 :] if path.startswith(self.tree + "/") else path)

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


def longest(name: str, prefixes: "list[str]") -> int:
    """Length of the longest prefix (a folder or the file itself) that `name` is below; -1: none."""
    found = -1
    for prefix in prefixes:
        if prefix == ".":
            found = max(found, 0)
        elif name == prefix or name.startswith(prefix + "/"):
            found = max(found, len(prefix))
    return found


def doctest_line(value: "Any") -> "tuple[str, int] | None":
    """File and line of the example that a doctest failed at."""
    failures = getattr(value, "failures", None) or [value]
    test = getattr(failures[0], "test", None)
    example = getattr(failures[0], "example", None)
    if test is None or example is None or getattr(test, "lineno", None) is None:
        return None
    return str(test.filename), test.lineno + example.lineno + 1


def with_line(filename: str, line: int) -> int:
    """The line of the innermost `with` statement around a line."""
    try:
        with open(filename, "rb") as file:
            tree = ast.parse(file.read())
    except (OSError, SyntaxError, ValueError):
        return line
    kinds = (ast.With, ast.AsyncWith)
    around = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, kinds)
        and node.lineno <= line <= max(getattr(n, "lineno", 0) for n in ast.walk(node))
    ]
    return max(around) if around else line


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
