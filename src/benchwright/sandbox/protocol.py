"""What a sandbox is, whatever stands behind it.

A sandbox runs one command in isolation: no network, no caller's environment, no file but the
mounts, an ordinary uid, hard limits. When the command ends, or is ended, everything it started is
gone before `run` returns. The caller gets facts (`Completed`); what they mean is the caller's
affair.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, ClassVar, Literal, Protocol, Self

EVENTS = "BENCHWRIGHT_EVENTS"
"""Variable that holds the number of the event descriptor inside the box, if one was asked for."""


@dataclass(frozen=True, slots=True)
class Mount:
    """One thing that is visible inside.

    `ro` and `rw` bind `source`; `tmpfs` is empty scratch of `size` bytes; `overlay` shows `source`
    and takes writes that vanish with the box; `mask` hides what is at `target`; `link` is a
    symbolic link whose text is `source`; `data` is a read-only file with `content`.
    """

    target: str
    mode: Literal["ro", "rw", "tmpfs", "overlay", "mask", "link", "data"]
    source: Path | None = None
    size: int = 64 << 20
    content: bytes = b""


@dataclass(frozen=True, slots=True)
class Caps:
    """Hard limits of one box. Zero means none."""

    wall_seconds: float = 600.0
    cpu_seconds: float = 0.0
    memory: int = 2 << 30
    """Bytes, of the whole process tree and its scratch space."""
    processes: int = 256
    cores: float = 0.0
    scratch: int = 1 << 30
    """Bytes of `/tmp`; `/dev/shm` gets a quarter."""
    open_files: int = 1024
    file_size: int = 1 << 30
    output: int = 16 << 20
    """Bytes kept of stdout and of stderr each, and read of the event stream."""


@dataclass(frozen=True, slots=True)
class Spec:
    """A command and its box."""

    command: tuple[str, ...]
    mounts: tuple[Mount, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    """The whole environment besides PATH, HOME, LANG and TMPDIR, which have defaults."""
    cwd: str = "/tmp"  # noqa: S108 - a path inside the box
    caps: Caps = Caps()
    stdin: bytes = b""
    events: bool = False
    """Give the box a descriptor to write events to; its number is in the variable `EVENTS`."""
    door: bool = False
    """Create a listening loopback socket inside; it is handed out by `Box.door`."""
    system: bool = True
    """Show the host's `/usr` (read-only, without its Python and Node packages)."""
    forget: bool = False
    """Drop afterwards what the box brought into the kernel's caches (names, pages), where there are
    control groups: a later box could tell by the time it takes what was looked up before."""


End = Literal["exited", "wall", "cpu", "memory", "processes", "output", "killed"]


@dataclass(frozen=True, slots=True)
class Completed:
    """What happened in a box."""

    end: End
    """`exited` by itself (also by a signal), or the limit that ended it; `killed` by the caller."""
    exit_code: int
    """As the shell counts: 128 + signal for a signal."""
    stdout: bytes
    stderr: bytes
    events: bytes
    wall_seconds: float
    cpu_seconds: float
    peak_memory: int
    """Bytes; 0 where it can't be measured."""
    truncated: tuple[str, ...] = ()
    """Which of `stdout`, `stderr`, `events` were longer than what was kept."""


class Box(Protocol):
    """A running sandbox. A context manager: leaving it kills everything inside."""

    @property
    def events(self) -> IO[bytes] | None:
        """The reading end of the event descriptor, where the spec asked for one. A caller that
        reads it itself gets nothing in `Completed.events`.
        """

    @property
    def door(self) -> socket.socket:
        """The listening socket that lives in the box's network namespace (its port: `door_port`).

        Raises:
            SandboxError: the spec didn't ask for a door.
        """

    def kill(self) -> None:
        """End everything inside; returns when it is gone."""

    def wait(self) -> Completed:
        """Wait for the end, enforcing the limits."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


class Sandbox(Protocol):
    """A kind of sandbox."""

    name: ClassVar[str]

    def start(self, spec: Spec) -> Box:
        """Start a command.

        Raises:
            SandboxError: the box couldn't be made; nothing was run.
        """

    def run(self, spec: Spec) -> Completed:
        """Start a command and wait for its end."""

    def describe(self) -> str:
        """The backend and the protections that really hold here, in one line."""

    def give(self, path: Path) -> None:
        """Make a tree of ours writable inside (owner: the uid that commands run as)."""


DOOR_PORT = 8321
"""The loopback port that answers inside a box that has a door."""
