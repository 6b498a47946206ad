"""The suite on mutants, each in a process of its own.

It is forked from one that has the session collected (the mutant is switched into its functions), or
from one that has only imported what isn't the product's (the mutant is written and imported).
"""

import gc
import importlib
import os
import signal
import time
from typing import Any

from mutate_codes import FEW, beside, remember  # type: ignore[import-not-found]
from mutate_engine import Engine  # type: ignore[import-not-found]
from mutate_fork import FORKS, watch  # type: ignore[import-not-found]
from mutate_session import confine  # type: ignore[import-not-found]
from mutate_switch import (  # type: ignore[import-not-found]
    CannotSwitchError,
    Context,
    found,
    live,
)
from mutate_tree import Tree  # type: ignore[import-not-found]

ASLEEP = 0.5
"""The share of the time without progress that is allowed while nothing of a mutant runs."""
HASTE, LEAST = 0.5, 0.2
"""A test that takes too long makes the next ones of that mutant suspect: what they may take is
multiplied by this, down to a least share.
"""


class Run(Engine):  # type: ignore[misc]
    """The suite on mutants."""

    share = 1.0
    """Of the time that a test may take, what is left to this mutant."""

    def main(self) -> None:
        """Those that can be switched first, then those that must be imported."""
        import_quietly(self.plan["preload"])
        self.files = {name: read(self.path(name)) for name in self.plan["files"]}
        self.box = Tree(self.tree)
        left = self.switched([m for m in self.plan["mutants"] if m["how"] != "fresh"])
        fresh = [m for m in self.plan["mutants"] if m["how"] == "fresh" or m["n"] in left]
        if len(fresh) > FEW:
            tests = {name.partition("::")[0] for name in self.plan["tests"]}
            remember(beside(self.box.content, {self.path(n) for n in {*self.files, *tests}}))
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
        functions, contexts = self.ready(mutants)
        for mutant in mutants:
            file = mutant["file"]
            try:
                puts = found(mutant, self.path(file), contexts[file], functions)
            except CannotSwitchError:
                os.write(pipe, b"%d\n" % mutant["n"])
                continue

            def work(board: "Any", puts: "Any" = puts) -> None:
                self.switch(puts)
                session.run(board.names, board.say, self.cpu)

            self.one(mutant, work)

    def ready(self, mutants: "list[Any]") -> "tuple[Any, dict[str, Context]]":
        """Before the forks: the live functions, and how those of each mutated file are compiled."""
        functions = live(frozenset(self.path(name) for name in self.files))
        contexts = {name: Context(self.files[name]) for name in {m["file"] for m in mutants}}
        gc.collect()
        gc.freeze() if hasattr(gc, "freeze") else None
        return functions, contexts

    def switch(self, puts: "Any") -> None:
        """In the mutant's own process: put the mutant in."""
        confine()
        for function, name, value in puts:
            setattr(function, name, value)

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
            session.run(there, board.say, self.cpu)

        self.session(take)

    def one(self, mutant: "Any", work: "Any") -> None:
        """Run one mutant to its end, in as many processes as it takes."""
        start = time.monotonic()
        self.box.put(self.path(mutant["file"]), edited(self.files[mutant["file"]], mutant))
        outcomes = {}  # type: dict[str, str]
        names = left = [self.plan["tests"][number] for number in mutant["tests"]]
        broken, cut = "", 0
        for _ in range(FORKS):
            self.share = max(LEAST, HASTE**cut)
            board = watch(left, work, self.wall, ASLEEP)
            late = [name for name, word in board.outcomes().items() if word == "timeout"]
            first, cut = not cut, cut + len(late)
            again = late if first else []  # once, it may have been the machine that stood still
            outcomes.update((n, w) for n, w in board.outcomes().items() if n not in again)
            left = [name for name in names if name not in outcomes]
            if not left:
                break
            if not board.outcomes():
                broken = "import"
                break
        self.box.restore()
        if names and all(word == "missing" for word in outcomes.values()):
            broken = broken or "import"
        self.report(mutant, names, outcomes, broken, time.monotonic() - start)

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

    def cpu(self, name: str) -> float:
        """CPU seconds that a test may take."""
        return self.share * float(self.plan["cpu"][name])

    def wall(self, running: str) -> float:
        """Seconds of silence that are allowed."""
        return self.share * float(self.plan["wall"].get(running, self.plan["patience"]))


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
