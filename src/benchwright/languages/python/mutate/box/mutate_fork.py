"""One process a mutant: forked from a warm one, watched, cut when it hangs, started again."""

import os
import select
import signal
import time
from collections.abc import Callable
from typing import Any

from mutate_tree import kill_strangers, processes  # type: ignore[import-not-found]

FORKS = 400
"""Most processes that one mutant gets: each one that is lost costs the test it was running."""


class Watched:
    """What was seen of one child."""

    def __init__(self) -> None:
        self.outcomes = {}  # type: dict[str, str]
        self.running = ""
        self.broken = ""
        """Why the mutant can't be run like this, in a word and an explanation."""


def watch(work: "Callable[[Callable[[str, str], None]], None]", wall: "Any") -> Watched:
    """Fork, let the child `work` (it is given `say`), and see what it says until it ends.

    Args:
        work: Runs in the child; what it raises is the mutant's end.
        wall: Seconds of silence that are allowed while a test runs (its name is given).
    """
    keep = processes()
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            os.close(reading)
            with os.fdopen(writing, "wb", buffering=0) as pipe:
                work(lambda name, word: sent(pipe, name, word))
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    seen = Watched()
    try:
        silence = listen(reading, seen, wall)
    finally:
        os.close(reading)
    end(pid, keep)
    if seen.running:
        seen.outcomes[seen.running] = "timeout" if silence == "wall" else "crash"
    return seen


def sent(pipe: "Any", name: str, word: str) -> None:
    """Write one line; names never hold a tab or a newline after this."""
    pipe.write(("%s\t%s\n" % (word, name.encode("unicode_escape").decode())).encode())


def listen(reading: int, seen: Watched, wall: "Any") -> str:
    """Take in what a child says; why that ended: `wall` or `closed`."""
    rest = b""
    heard = time.monotonic()
    while True:
        left = heard + wall(seen.running) - time.monotonic()
        ready = select.select([reading], [], [], max(0.0, left))[0]
        if not ready:
            return "wall"
        data = os.read(reading, 1 << 16)
        if not data:
            return "closed"
        heard = time.monotonic()
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            take(seen, line.decode())


def take(seen: Watched, line: str) -> None:
    """One line of a child."""
    word, _, name = line.partition("\t")
    name = name.encode().decode("unicode_escape")
    if word == "+":
        seen.running = name
    elif word == "!":
        seen.broken = name
    else:
        seen.outcomes[name] = word
        seen.running = ""


def end(pid: int, keep: "set[int]") -> None:
    """See a child and all it started to their end."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except OSError:
        pass
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        pass
    os.waitpid(pid, 0)
    kill_strangers(keep)
