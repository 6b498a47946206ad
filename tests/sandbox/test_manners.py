"""How a sandbox treats the machine it runs on."""

import contextlib
import sys
import threading
from pathlib import Path

import pytest

from benchwright.formats import SandboxError
from benchwright.sandbox import Mount, Spec
from sandbox.caller import Caller


def test_nothing_is_left_behind(caller: Caller) -> None:
    def count() -> tuple[int, int]:
        caller.sandbox.run(Spec(("/bin/true",), events=True, door=True))
        before = len(list(Path("/proc/self/fd").iterdir())), threading.active_count()
        for _ in range(3):
            caller.sandbox.run(Spec(("/bin/true",), events=True, door=True, stdin=b"x"))
            with contextlib.suppress(SandboxError):
                caller.sandbox.run(Spec(("/bin/true",), mounts=(Mount("/usr/x", "tmpfs"),)))
        after = len(list(Path("/proc/self/fd").iterdir())), threading.active_count()
        return after[0] - before[0], after[1] - before[1]

    assert caller.call(count) == (0, 0)


def test_what_bwrap_refuses_is_one_line(caller: Caller) -> None:
    with pytest.raises(SandboxError, match="couldn't be made") as caught:
        caller.run("/bin/true", mounts=(Mount("/usr/x", "tmpfs"),))

    assert "\n" not in str(caught.value)


def test_describe_says_what_holds(caller: Caller) -> None:
    text = caller.call(caller.sandbox.describe)

    assert "no network" in text
    assert sys.platform == "linux"
