"""A running box: its streams, its clock, its limits, its end.

Contract: everything that runs inside is in one PID namespace, whose first process is `inner`.
When `wait` or `kill` returns, that namespace is empty. One thread reads the streams and keeps the
limits while the box runs, and is gone by then too; output above the bound is dropped, not stored.
"""

from __future__ import annotations

import contextlib
import os
import select
import selectors
import signal
import socket
import subprocess
import threading
import time
from dataclasses import dataclass, field
from types import TracebackType
from typing import IO, Self

from benchwright.formats import SandboxError

from .cgroups import Group
from .protocol import Caps, Completed, End
from .watch import Usage, usage

TICK = 0.05
"""Seconds between two looks at what a box uses."""
CHUNK = 1 << 16


@dataclass(slots=True)
class Stream:
    """One output of the box, and what is kept of it."""

    name: str
    file: IO[bytes]
    limit: int
    kept: bytearray = field(default_factory=bytearray)
    truncated: bool = False

    def pump(self) -> bool:
        """Read what is there; false at the end of the stream."""
        try:
            data = os.read(self.file.fileno(), CHUNK)
        except BlockingIOError:
            return True
        room = self.limit - len(self.kept)
        self.kept += data[:room]
        self.truncated |= len(data) > room
        return bool(data)

    def drain(self) -> None:
        """Read the rest, once no writer is left, and close."""
        ready = [self.file]
        while ready and self.pump():
            ready, _, _ = select.select([self.file], [], [], 0)
        self.file.close()


@dataclass(frozen=True, slots=True)
class Handles:
    """What `start` made: the processes and what else belongs to one box."""

    process: subprocess.Popen[bytes]
    """bwrap, outside."""
    pid: int
    """The first process inside."""
    inner: int
    """A descriptor (pidfd) of it."""
    group: Group | None
    events: IO[bytes] | None
    door: socket.socket | None
    scratch: tuple[str, ...]
    """Scratch file systems, by their path inside."""

    def end(self) -> None:
        """End everything inside and wait until the namespace is empty."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.inner, signal.SIGKILL)
        select.select([self.inner], [], [])
        self.process.wait()


class RunningBox:
    """One box; see `Box` for the contract of the public names."""

    def __init__(self, handles: Handles, caps: Caps) -> None:
        self._handles, self._caps = handles, caps
        self._watches = bool(caps.cpu_seconds) or handles.group is None
        self._next_look = 0.0
        self._events_taken = False
        self._end: End | None = None
        self._usage = Usage(0, 0, 0.0)
        self._completed: Completed | None = None
        self._lock = threading.Lock()
        self._over = threading.Event()  # a join that Ctrl-C broke off takes the thread for ended
        self._wake = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        process = handles.process
        assert process.stdout is not None
        assert process.stderr is not None
        self._streams = [
            Stream("stdout", process.stdout, caps.output),
            Stream("stderr", process.stderr, caps.output),
        ]
        self._started = time.monotonic()
        self._ended = self._started
        self._thread = threading.Thread(target=self._live, name="box", daemon=True)
        self._thread.start()

    @property
    def events(self) -> IO[bytes] | None:
        """The reading end of the event descriptor."""
        self._events_taken = True
        return self._handles.events

    @property
    def door(self) -> socket.socket:
        """The listening socket inside the box's network namespace."""
        if self._handles.door is None:
            raise SandboxError("the box has no door", hint="ask for one: Spec(door=True)")
        return self._handles.door

    def kill(self) -> None:
        """End everything inside; returns when it is gone."""
        self._stop("killed")
        self.wait()

    def wait(self) -> Completed:
        """Wait for the end; the limits are enforced all the while."""
        with self._lock:
            if self._completed is None:
                os.eventfd_write(self._wake, 1)  # from now on the events are ours to read
                self._over.wait()
                self._completed = self._finish()
        return self._completed

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()
        if self._handles.events is not None:
            self._handles.events.close()
        if self._handles.door is not None:
            self._handles.door.close()

    def _stop(self, end: End) -> None:
        """Begin the end; the first reason counts. After the end: nothing."""
        if self._end is None and not self._over.is_set():
            self._end = end
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handles.inner, signal.SIGKILL)

    def _live(self) -> None:
        """The thread."""
        try:
            self._run()
        finally:
            self._over.set()

    def _run(self) -> None:
        """Pump and watch until bwrap ends, then make sure of everything inside."""
        outer = os.pidfd_open(self._handles.process.pid)
        with selectors.DefaultSelector() as selector:
            selector.register(outer, selectors.EVENT_READ)
            selector.register(self._wake, selectors.EVENT_READ)
            for stream in self._streams:
                os.set_blocking(stream.file.fileno(), False)
                selector.register(stream.file, selectors.EVENT_READ, stream)
            ended = False
            while not ended:
                for key, _ in selector.select(self._patience()):
                    if key.fd == outer:
                        ended = True
                    elif key.fd == self._wake:
                        selector.unregister(self._wake)
                        if events := self._read_events():
                            selector.register(events.file, selectors.EVENT_READ, events)
                    elif not key.data.pump():
                        selector.unregister(key.fileobj)
                self._enforce()
        os.close(outer)
        self._ended = time.monotonic()
        self._look()
        self._handles.end()

    def _read_events(self) -> Stream | None:
        """From now on the events are read here, unless the caller reads them."""
        if self._handles.events is None or self._events_taken:
            return None
        self._events_taken = True
        stream = Stream("events", self._handles.events, self._caps.output)
        os.set_blocking(stream.file.fileno(), False)
        self._streams.append(stream)
        return stream

    def _patience(self) -> float | None:
        """How long the thread may sleep."""
        limits = []
        if self._caps.wall_seconds:
            limits.append(self._started + self._caps.wall_seconds - time.monotonic())
        if self._watches:
            limits.append(TICK)
        return max(min(limits), 0.0) if limits else None

    def _enforce(self) -> None:
        """End the box if a limit is passed that the kernel doesn't keep for us."""
        caps = self._caps
        if caps.wall_seconds and time.monotonic() - self._started >= caps.wall_seconds:
            self._stop("wall")
        if any(s.truncated for s in self._streams if s.name == "events"):
            self._stop("output")
        if not self._watches or time.monotonic() < self._next_look:
            return
        self._look()
        self._next_look = time.monotonic() + TICK
        if caps.cpu_seconds and self._usage.cpu_seconds >= caps.cpu_seconds:
            self._stop("cpu")
        if self._handles.group is None:
            if caps.memory and self._usage.memory > caps.memory:
                self._stop("memory")
            if caps.processes and self._usage.processes > caps.processes + 1:
                self._stop("processes")

    def _look(self) -> None:
        """Measure; what was seen before stays where it was more."""
        group, last = self._handles.group, self._usage
        seconds = group.cpu_seconds() if group is not None else None
        if group is not None and seconds is not None:
            now = Usage(group.peak(), 0, seconds)
        else:
            now = usage(self._handles.pid, self._handles.scratch, self._caps.memory)
        self._usage = Usage(
            max(now.memory, last.memory), now.processes, max(now.cpu_seconds, last.cpu_seconds)
        )

    def _finish(self) -> Completed:
        """What happened; called once, when nothing runs any more."""
        handles = self._handles
        self._read_events()
        for stream in self._streams:
            stream.drain()
        code = handles.process.returncode
        code = 128 - code if code < 0 else code
        end = self._end or "exited"
        if handles.group is not None:
            if end == "exited" and code != 0 and handles.group.ended_for_memory():
                end = "memory"
            self._look()
            handles.group.close()
        os.close(handles.inner)
        os.close(self._wake)
        kept = {stream.name: bytes(stream.kept) for stream in self._streams}
        return Completed(
            end=end,
            exit_code=code,
            stdout=kept["stdout"],
            stderr=kept["stderr"],
            events=kept.get("events", b""),
            wall_seconds=self._ended - self._started,
            cpu_seconds=self._usage.cpu_seconds,
            peak_memory=self._usage.memory,
            truncated=tuple(s.name for s in self._streams if s.truncated),
        )
