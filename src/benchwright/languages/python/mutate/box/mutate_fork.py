"""One process a mutant: forked from a warm one, watched, cut when it hangs, started again.

The child tells how far it is through shared memory, one byte a test, which costs no system call;
that it ended is told by a pipe that closes.
"""

import mmap
import os
import select
import signal
import time
from typing import Any, Callable

from mutate_tree import busy, kill_strangers, processes  # type: ignore[import-not-found]

FORKS = 400
"""Most processes that one mutant gets: each one that is lost costs the test it was running."""
LOOK = 0.1
"""Seconds between two looks at how far a child is."""
ENDING = 50
"""Looks at a child whose pipe is closed: it closes a moment before the child ends by itself."""
WORDS = ("waiting", "running", "passed", "failed", "error", "skipped", "xfailed", "xpassed",
         "missing", "timeout", "crash")  # fmt: skip


class Board:
    """What a child says: a byte a test."""

    def __init__(self, names: "list[str]") -> None:
        self.places = {name: number for number, name in enumerate(names)}
        self.names = names
        self.memory = mmap.mmap(-1, max(1, len(names)))

    def say(self, name: str, word: str) -> None:
        """A test starts (`running`) or ended."""
        self.memory[self.places[name]] = WORDS.index(word)

    @property
    def running(self) -> str:
        """The test under way."""
        place = self.memory[: len(self.names)].find(1)
        return self.names[place] if place >= 0 else ""

    def outcomes(self) -> "dict[str, str]":
        """How the tests that were started ended."""
        told = self.memory[: len(self.names)]
        return {name: WORDS[byte] for name, byte in zip(self.names, told) if byte > 1}


def watch(
    names: "list[str]", work: "Callable[[Board], None]", wall: "Any", asleep: float = 1.0
) -> Board:
    """Fork, let the child `work`, and see how far it comes until it ends.

    Args:
        names: The tests it will run.
        work: Runs in the child; what it raises is the mutant's end.
        wall: Seconds that are allowed without progress while a test runs (its name is given).
        asleep: The share of them that is allowed while nothing of the child runs.
    """
    keep = processes()
    board = Board(names)
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            os.close(reading)
            work(board)
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    try:
        late = wait(reading, board, keep, wall, asleep)
    finally:
        os.close(reading)
    status = end(pid, keep)
    running = board.running
    if running:
        cut = late or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF)
        board.say(running, "timeout" if cut else "crash")
    return board


def wait(reading: int, board: Board, keep: "set[int]", wall: "Any", asleep: float) -> bool:
    """Wait for a child's end; whether it took too long."""
    told, since = b"", time.monotonic()
    awake = since
    while not select.select([reading], [], [], LOOK)[0]:
        now, at = bytes(board.memory[:]), time.monotonic()
        if now != told:
            told, since = now, at
        if since == at or busy(keep):
            awake = at
        allowed = wall(board.running)
        if at - since > allowed or at - awake > allowed * asleep:
            return True
    return False


def end(pid: int, keep: "set[int]") -> int:
    """See a child and all it started to their end; its status."""
    status = 0
    for look in range(ENDING):
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            break
        time.sleep(0.001 if look > ENDING // 5 else 0.0001)
    else:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    try:
        os.killpg(pid, signal.SIGKILL)
    except OSError:
        pass
    kill_strangers(keep)
    return status
