"""What each test takes, and which lines of the product it runs."""

import gc
import mmap
import sys
import time
from typing import Any

from mutate_engine import Engine  # type: ignore[import-not-found]
from mutate_fork import Board, watch  # type: ignore[import-not-found]
from mutate_session import Clock, confine  # type: ignore[import-not-found]
from mutate_trace import Tracer  # type: ignore[import-not-found]


class Measure(Engine):  # type: ignore[misc]
    """Times and lines of every test on the reference."""

    def main(self) -> None:
        """Collect under the tracer, then run a part: for the times, then for the lines."""
        before = set(sys.modules)
        self.tracer = Tracer({self.path(name): name for name in self.plan["files"]})
        self.tracer.start()
        start = time.process_time()

        def take(session: "Any") -> None:
            self.tracer.stop()
            lines, _ = self.tracer.take()
            self.emit(lines=ranges(lines), seconds=time.process_time() - start)
            self.emit(modules=self.foreign(before))
            names = part_of(session.ids, *self.plan["part"])
            self.times(session, names, before)
            self.lines(session, names)

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

    def times(self, session: "Any", names: "list[str]", before: "set[str]") -> None:
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

            session.run(board.names, say)
            self.emit(modules=self.foreign(before))

        self.all(names, work, self.plan["patience"])

    def lines(self, session: "Any", names: "list[str]") -> None:
        """Which lines each test runs after the others, and, where a second run of all runs other
        lines, also alone: what one test makes the product remember, the next doesn't run.
        """
        remembers = mmap.mmap(-1, 1)

        def together(board: "Any") -> None:
            self.tracer.start()
            if self.traced(session, board) != self.traced(session, Board(board.names)):
                remembers[0] = 1

        def alone(board: "Any") -> None:
            self.tracer.start()
            self.traced(session, board)

        self.all(names, together, 10 * self.plan["patience"])
        gc.collect()
        gc.freeze() if hasattr(gc, "freeze") else None
        for name in names if remembers[0] else ():
            self.all([name], alone, 10 * self.plan["patience"])

    def traced(self, session: "Any", board: "Any") -> "dict[str, dict[str, str]]":
        """The lines that each test of a board runs now."""
        told = {}

        def say(name: str, word: str) -> None:
            found, started = self.tracer.take()
            if word != "running":
                told[name] = ranges(found)
                self.emit(traced=name, lines=told[name], started=started)
            board.say(name, word)

        session.run(board.names, say)
        return told

    def all(self, names: "list[str]", work: "Any", patience: float) -> None:
        """Run every test once, in as many processes as that takes."""
        while names:
            board = watch(names, work, lambda name: patience)
            outcomes = board.outcomes()
            for name, word in outcomes.items():
                if word in ("timeout", "crash"):
                    self.emit(test=name, outcome=word, cpu=0, wall=0)
            names = [name for name in names if name not in outcomes] if outcomes else []


def part_of(names: "list[str]", number: int, parts: int) -> "list[str]":
    """The tests of a part of a suite: whole files, about as many tests in each part."""
    first = {}  # type: dict[str, int]
    for place, name in enumerate(names):
        first.setdefault(name.partition("::")[0], place)
    mine = {file for file, place in first.items() if place * parts // len(names) == number}
    return [name for name in names if name.partition("::")[0] in mine]


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
