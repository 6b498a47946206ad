"""Run the launcher as root or as an ordinary user, whoever runs the tests."""

from __future__ import annotations

import os
import pickle
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from benchwright.sandbox import Caps, Completed, Mount, Sandbox, Spec, bubblewrap, cgroups

T = TypeVar("T")
ORDINARY = 51_777
"""An ordinary uid that nobody has."""
NAMES = ["root", "user"] if os.geteuid() == 0 else ["user"]
"""Every caller that this machine lets us be."""

SMALL = Caps(memory=100 << 20, processes=40, wall_seconds=20, scratch=10 << 20)


def text(data: bytes) -> str:
    """A line of output."""
    return data.decode().strip()


@dataclass(frozen=True)
class Caller:
    """Who starts the boxes."""

    name: str
    sandbox: Sandbox

    @property
    def changes(self) -> bool:
        return self.name == "user" and os.geteuid() == 0

    @property
    def uid(self) -> int:
        return ORDINARY if self.changes else os.geteuid()

    def call(self, function: Callable[[], T]) -> T:
        """What `function` gives when this caller calls it."""
        return in_a_child(function) if self.changes else function()

    def run(self, *command: str, **parts: object) -> Completed:
        """Run a command in a box."""
        spec = Spec(command, **parts)  # type: ignore[arg-type]
        return self.call(lambda: self.sandbox.run(spec))

    def shell(self, script: str, **parts: object) -> Completed:
        return self.run("/bin/sh", "-c", script, **parts)

    def perl(self, script: str, **parts: object) -> Completed:
        return self.run("/usr/bin/perl", "-e", script, **parts)

    def folder(self) -> Path:
        """A new folder that this caller owns and everybody can read."""
        path = Path(tempfile.mkdtemp(prefix="bw-test-", dir="/tmp"))
        os.chown(path, self.uid, self.uid if self.changes else -1)
        path.chmod(0o755)
        return path

    def own(self, path: Path) -> None:
        """Make a tree the caller's."""
        for item in (path, *path.rglob("*")):
            os.chown(item, self.uid, self.uid if self.changes else -1, follow_symlinks=False)

    def give(self, path: Path) -> Mount:
        """A writable mount of a tree, at /work."""
        self.own(path)
        self.call(lambda: self.sandbox.give(path))
        return Mount("/work", "rw", path)


def in_a_child(function: Callable[[], T]) -> T:
    """Call in a process that has become an ordinary user for good."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        try:
            os.setgroups([])
            os.setresgid(ORDINARY, ORDINARY, ORDINARY)
            os.setresuid(ORDINARY, ORDINARY, ORDINARY)
            os.chdir("/")
            os.environ["HOME"] = "/tmp"
            cgroups._parents.cache_clear()
            bubblewrap.find.cache_clear()
            # an interpreter below /root can't be run by this user; the system's can
            sys.executable = shutil.which("python3", path="/usr/bin:/usr/local/bin") or ""
            answer: tuple[bool, object] = (True, function())
        except BaseException as error:
            answer = (False, error)
        with os.fdopen(write, "wb") as file:
            pickle.dump(answer, file)
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as file:
        data = file.read()
    os.waitpid(pid, 0)
    good, value = pickle.loads(data)
    if not good:
        raise value
    return value
