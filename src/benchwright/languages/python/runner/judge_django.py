"""Runs Django's own suite by Django's own runner, and says what happens, one JSON object a line.

`tests/runtests.py` sets the suite up, as upstream runs it; only what carries out the tests is ours:
a result that reports. Ids have the form of pytest's, `file::Class::test`, below the tree. What it
says is a claim: the product is the runner. Python 3.6 must be able to run it.
"""

import os
import random
import runpy
import sys
import time
import unittest
from typing import Any, Iterator

from judge_stream import MESSAGE, Places, Stream, clean  # type: ignore[import-not-found]

TESTS = "tests"
SCRIPT = "runtests.py"
OPTIONS = ("--settings=test_sqlite", "--parallel=1", "--noinput")


class Result(unittest.TestResult):
    """Reports the tests that a unittest suite runs."""

    def __init__(self, stream: Stream, config: "dict[str, Any]") -> None:
        super().__init__()
        self.stream = stream
        self.places = Places(config)
        self.started = 0.0

    def startTest(self, test: "Any") -> None:  # noqa: N802
        """A test begins."""
        super().startTest(test)
        self.started = time.perf_counter()
        self.stream.send(name_of(test, self.places.tree), "setup", "started")

    def stopTest(self, test: "Any") -> None:  # noqa: N802
        """A test has ended."""
        super().stopTest(test)
        elapsed = time.perf_counter() - self.started
        name = name_of(test, self.places.tree)
        self.stream.send(name, "teardown", "done", elapsed=elapsed)

    def say(self, test: "Any", outcome: str, failure: "Any" = None, message: str = "") -> None:
        """What became of a test, or of what surrounds a class of them."""
        more = self.places.details(failure)
        if message:
            more["message"] = clean(message[:MESSAGE])
        if isinstance(test, unittest.TestCase):
            self.stream.send(name_of(test, self.places.tree), "call", outcome, **more)
        else:
            self.stream.send(test.id(), "collect", outcome, **more)

    def addSuccess(self, test: "Any") -> None:  # noqa: N802
        """It passed."""
        super().addSuccess(test)
        self.say(test, "passed")

    def addError(self, test: "Any", err: "Any") -> None:  # noqa: N802
        """It raised."""
        super().addError(test, err)
        self.say(test, "failed" if isinstance(test, unittest.TestCase) else "error", err)

    def addFailure(self, test: "Any", err: "Any") -> None:  # noqa: N802
        """An assertion failed."""
        super().addFailure(test, err)
        self.say(test, "failed", err)

    def addSubTest(self, test: "Any", subtest: "Any", err: "Any") -> None:  # noqa: N802
        """A part of it ended."""
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.say(test, "failed", err)

    def addSkip(self, test: "Any", reason: str) -> None:  # noqa: N802
        """It was left out."""
        super().addSkip(test, reason)
        self.say(test, "skipped", message=str(reason))

    def addExpectedFailure(self, test: "Any", err: "Any") -> None:  # noqa: N802
        """It failed as it should."""
        super().addExpectedFailure(test, err)
        self.say(test, "xfailed")

    def addUnexpectedSuccess(self, test: "Any") -> None:  # noqa: N802
        """It passed, though it should fail."""
        super().addUnexpectedSuccess(test)
        self.say(test, "xpassed")


def run(stream: Stream, config: "dict[str, Any]") -> int:
    """Run the suite; gives the runner's exit code."""
    stream.send("", "session", "started", message="django")
    wanted = labels(config["paths"])
    if not wanted and TESTS not in config["paths"]:
        stream.send("", "collect", "done")
        return 0
    here = os.path.join(config["tree"], TESTS)
    script = os.path.join(here, SCRIPT)
    os.chdir(here)
    sys.path.insert(0, here)
    sys.argv = [script, *OPTIONS, *wanted]
    try:
        attach(stream, config)
        runpy.run_path(script, run_name="__main__")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    except BaseException:
        more = Places(config).details(sys.exc_info())
        stream.send(TESTS + "/" + SCRIPT, "collect", "error", **more)
        return 1
    return 0


def attach(stream: Stream, config: "dict[str, Any]") -> None:
    """Let Django's runner carry tests out by our result, in one process."""
    from django.test.runner import DiscoverRunner  # type: ignore[import-not-found]

    def run_suite(_: "Any", suite: "Any", **__: "Any") -> Result:
        result = Result(stream, config)
        tests = list(chosen(suite, stream, config))
        for test in tests:
            said = {"message": clean(test.shortDescription() or "")[:MESSAGE]}
            file = file_of(test, config["tree"])
            stream.send(name_of(test, config["tree"]), "collect", "passed", file=file, **said)
        stream.send("", "collect", "done")
        unittest.TestSuite(tests).run(result)
        return result

    DiscoverRunner.run_suite = run_suite


def chosen(suite: "Any", stream: Stream, config: "dict[str, Any]") -> "Iterator[Any]":
    """The tests that the judge has a use for, each class's in the order asked for."""
    skip, seed, tree = frozenset(config["skip"]), config["seed"], config["tree"]
    groups = []  # type: list[list[Any]]
    for test in flat(suite):
        if type(test).__name__ == "_FailedTest":
            broken = test._exception
            file = TESTS + "/" + test._testMethodName.replace(".", "/") + ".py"
            more = {"exception": type(broken).__name__, "message": clean(str(broken)[:MESSAGE])}
            stream.send(file, "collect", "error", **more)
        elif clean(name_of(test, tree)) not in skip:
            if not groups or type(groups[-1][0]) is not type(test):
                groups.append([])
            groups[-1].append(test)
    for group in groups:
        if seed is not None:
            random.Random(seed).shuffle(group)
        yield from group


def flat(suite: "Any") -> "Iterator[Any]":
    """The tests of a suite and of the suites in it."""
    for part in suite:
        if isinstance(part, unittest.TestCase):
            yield part
        else:
            yield from flat(part)


def labels(paths: "list[str]") -> "list[str]":
    """What Django calls the files below its tests; the whole folder has no name."""
    found = []
    for path in paths:
        if path.startswith(TESTS + "/") and path.endswith(".py"):
            label = path[len(TESTS) + 1 : -len(".py")].replace("/", ".")
            found.append(label[: -len(".__init__")] if label.endswith(".__init__") else label)
    return found


def file_of(test: "Any", tree: str) -> str:
    """The file that a test's class is in, below the tree."""
    module = sys.modules.get(type(test).__module__)
    path = str(getattr(module, "__file__", "") or "")
    return str(clean(path[len(tree) + 1 :] if path.startswith(tree + "/") else path))


def name_of(test: "Any", tree: str) -> str:
    """The id of a test."""
    parts = type(test).__qualname__.split(".")
    return "::".join([file_of(test, tree), *parts, test._testMethodName])
