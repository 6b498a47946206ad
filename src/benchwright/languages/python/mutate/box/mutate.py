"""Measures a suite, or runs it on mutants; started in a box instead of the judge's launcher.

Two modes. `measure`: what each test takes, and which lines of the product it runs. `run`: each
mutant in a process of its own, forked from one that has pytest imported and the session collected
(the mutant is switched into its functions) or from one that has only imported what isn't the
product's (the mutant is written and imported). What it says is one JSON object a line.
"""

import gc
import importlib
import json
import os
import signal
import sys
import time
from typing import Any

import pytest
from judge_events import arguments  # type: ignore[import-not-found]
from launch import EVENTS, prepare  # type: ignore[import-not-found]
from mutate_fork import FORKS, watch  # type: ignore[import-not-found]
from mutate_session import Clock, Session, confine  # type: ignore[import-not-found]
from mutate_switch import (  # type: ignore[import-not-found]
    CannotSwitchError,
    default,
    futures,
    live,
    switch,
)
from mutate_trace import Tracer  # type: ignore[import-not-found]
from mutate_tree import Tree  # type: ignore[import-not-found]

HERE = os.path.dirname(os.path.abspath(__file__))


class Engine:
    """What both modes share."""

    def __init__(self, config: "dict[str, Any]", plan: "dict[str, Any]", descriptor: int) -> None:
        self.config = config
        self.plan = plan
        self.descriptor = descriptor
        self.tree = config["tree"]

    def emit(self, **fields: "Any") -> None:
        """One line for the host."""
        data = json.dumps(fields).encode() + b"\n"
        while data:
            data = data[os.write(self.descriptor, data) :]

    def path(self, file: str) -> str:
        """Where a file of the product is in here."""
        return os.path.join(self.tree, file)

    def session(self, take: "Any") -> None:
        """Collect the suite and hand it to `take`."""
        pytest.main([*arguments(self.config), "--assert=plain"], plugins=[Session(take)])


class Measure(Engine):
    """Times and lines of every test on the reference."""

    def main(self) -> None:
        """Collect under the tracer, then run everything twice: for the times, for the lines."""
        before = set(sys.modules)
        self.tracer = Tracer({self.path(name): name for name in self.plan["files"]})
        self.tracer.start()
        start = time.process_time()

        def take(session: "Any") -> None:
            self.tracer.stop()
            lines, _ = self.tracer.take()
            self.emit(lines=ranges(lines), seconds=time.process_time() - start)
            self.emit(modules=self.foreign(before))
            self.times(session, before)
            self.lines(session)

        self.session(take)
        self.emit(done=True)

    def foreign(self, before: "set[str]") -> "list[str]":
        """What collecting imported that isn't in the tree: safe to import beforehand."""
        found = []
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None)
            if name in before or not file or file.startswith(self.tree + "/"):
                continue
            if not any(part in name for part in ("pytest", "hypothesis", "conftest")):
                found.append(name)
        return found

    def times(self, session: "Any", before: "set[str]") -> None:
        """How each test ends in a forked process, what it takes, and what it imports."""

        def work(board: "Any") -> None:
            confine()
            clock = Clock()

            def say(name: str, word: str) -> None:
                cpu, wall = clock.look()
                if word != "running":
                    self.emit(test=name, outcome=word, cpu=cpu, wall=wall)
                board.say(name, word)
                clock.look()

            session.run(board.names, say, None)
            self.emit(modules=self.foreign(before))

        self.all(session.ids, work, self.plan["patience"])

    def lines(self, session: "Any") -> None:
        """Which lines each test runs."""

        def work(board: "Any") -> None:
            self.tracer.start()

            def say(name: str, word: str) -> None:
                found, started = self.tracer.take()
                if word != "running":
                    self.emit(traced=name, lines=ranges(found), started=started)
                board.say(name, word)

            session.run(board.names, say, None)

        self.all(session.ids, work, 10 * self.plan["patience"])

    def all(self, names: "list[str]", work: "Any", patience: float) -> None:
        """Run every test once, in as many processes as that takes."""
        while names:
            board = watch(names, work, lambda name: patience)
            outcomes = board.outcomes()
            for name, word in outcomes.items():
                if word in ("timeout", "crash"):
                    self.emit(test=name, outcome=word, cpu=0, wall=0)
            names = [name for name in names if name not in outcomes] if outcomes else []


class Run(Engine):
    """The suite on mutants."""

    def main(self) -> None:
        """Those that can be switched first, then those that must be imported."""
        import_quietly(self.plan["preload"])
        self.files = {name: read(self.path(name)) for name in self.plan["files"]}
        self.box = Tree(self.tree)
        left = self.switched([m for m in self.plan["mutants"] if m["how"] != "fresh"])
        fresh = [m for m in self.plan["mutants"] if m["how"] == "fresh" or m["n"] in left]
        gc.freeze() if hasattr(gc, "freeze") else None
        for mutant in fresh:
            self.one(mutant, self.imported)
        self.emit(done=True)

    def switched(self, mutants: "list[Any]") -> "set[int]":
        """Run mutants in forks of a process that has collected; those that can't be."""
        if not mutants:
            return set()
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                os.close(reading)
                self.session(lambda session: self.all_switched(session, mutants, writing))
            finally:
                os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            left = {int(line) for line in pipe.read().split()}
        os.waitpid(pid, 0)
        return left

    def all_switched(self, session: "Any", mutants: "list[Any]", pipe: int) -> None:
        """In the collected process: one fork a mutant."""
        functions = live(frozenset(self.path(name) for name in self.files))
        flags = {name: futures(source) for name, source in self.files.items()}
        gc.collect()
        gc.freeze() if hasattr(gc, "freeze") else None

        for mutant in mutants:

            def work(board: "Any", m: "Any" = mutant) -> None:
                self.switch(m, flags[m["file"]], functions, board)
                session.run(board.names, board.say, self.plan["cpu"])

            if self.one(mutant, work) == "switch":
                os.write(pipe, b"%d\n" % mutant["n"])

    def switch(self, mutant: "Any", flags: int, functions: "Any", board: "Any") -> None:
        """In the mutant's own process: put the mutant in."""
        confine()
        put = default if mutant["how"] == "default" else switch
        try:
            put(mutant["unit"], self.path(mutant["file"]), flags, functions)
        except CannotSwitchError:
            board.refuse()
            raise

    def imported(self, board: "Any") -> None:
        """In the mutant's own process: collect with the mutated file, then run."""
        confine()
        signal.setitimer(signal.ITIMER_PROF, self.plan["collect"])

        def take(session: "Any") -> None:
            signal.setitimer(signal.ITIMER_PROF, 0)
            there = [name for name in board.names if name in session.items]
            for name in board.names:
                if name not in session.items:
                    board.say(name, "missing")
            session.run(there, board.say, self.plan["cpu"])

        self.session(take)

    def one(self, mutant: "Any", work: "Any") -> str:
        """Run one mutant to its end, in as many processes as it takes; why it can't be run."""
        start = time.monotonic()
        self.box.put(self.path(mutant["file"]), edited(self.files[mutant["file"]], mutant))
        outcomes = {}  # type: dict[str, str]
        names = left = [self.plan["tests"][number] for number in mutant["tests"]]
        broken = ""
        for _ in range(FORKS):
            board = watch(left, work, self.wall)
            outcomes.update(board.outcomes())
            left = [name for name in names if name not in outcomes]
            if not left:
                break
            if board.refused or not board.outcomes():
                broken = "switch" if board.refused else "import"
                break
        self.box.restore()
        if names and all(word == "missing" for word in outcomes.values()):
            broken = broken or "import"
        if broken != "switch":
            self.report(mutant, names, outcomes, broken, time.monotonic() - start)
        return broken

    def report(
        self,
        mutant: "Any",
        names: "list[str]",
        outcomes: "dict[str, str]",
        broken: str,
        seconds: float,
    ) -> None:
        """One line: which tests didn't pass."""
        words = [outcomes.get(name, "missing") for name in names]
        numbered = list(zip(mutant["tests"], words))
        self.emit(
            n=mutant["n"],
            failed=[number for number, word in numbered if word != "passed"],
            timeouts=words.count("timeout"),
            crashes=words.count("crash"),
            broken=broken,
            seconds=round(seconds, 4),
        )

    def wall(self, running: str) -> float:
        """Seconds of silence that are allowed."""
        return float(self.plan["wall"].get(running, self.plan["patience"]))


def ranges(lines: "dict[str, list[int]]") -> "dict[str, str]":
    """Line numbers as `3-7,9`: they are many."""
    found = {}
    for name, numbers in lines.items():
        parts = []  # type: list[list[int]]
        for number in numbers:
            if parts and number == parts[-1][1] + 1:
                parts[-1][1] = number
            else:
                parts.append([number, number])
        found[name] = ",".join("%d-%d" % (a, b) if a != b else "%d" % a for a, b in parts)
    return found


def import_quietly(names: "list[str]") -> None:
    """Import what can be imported: nothing depends on it but speed."""
    for name in names:
        try:
            importlib.import_module(name)
        except Exception:
            continue


def read(path: str) -> bytes:
    """A file's bytes."""
    with open(path, "rb") as file:
        return file.read()


def edited(source: bytes, mutant: "Any") -> bytes:
    """The file with the mutant's edits made."""
    for start, end, text in sorted(mutant["edits"], reverse=True):
        source = source[:start] + text.encode() + source[end:]
    return source


def load(name: str) -> "Any":
    """A JSON file beside this one."""
    with open(os.path.join(HERE, name), "rb") as file:
        return json.loads(file.read().decode())


def main() -> None:
    """Do what the plan says and leave at once."""
    descriptor = int(os.environ[EVENTS])
    os.set_inheritable(descriptor, False)
    config, plan = load("run.json"), load("plan.json")
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    prepare(config)
    engine = (Measure if plan["mode"] == "measure" else Run)(config, plan, descriptor)
    engine.main()
    os._exit(0)


if __name__ == "__main__":
    main()
