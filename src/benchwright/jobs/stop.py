"""Stopping: end every box that a job has started, at once, from another thread."""

from __future__ import annotations

import socket
import threading
from pathlib import Path
from types import TracebackType
from typing import IO, ClassVar, Self

from benchwright.formats import InfraError
from benchwright.sandbox import Box, Completed, Sandbox, Spec


class StoppedError(InfraError):
    """The job is being stopped: whatever is under way doesn't count."""


class Stoppable:
    """A sandbox whose boxes can all be ended together; after that it starts no more."""

    name: ClassVar[str] = "stoppable"

    def __init__(self, inner: Sandbox) -> None:
        self._inner = inner
        self._lock = threading.Lock()
        self._boxes: set[Box] = set()
        self.stopped = threading.Event()

    def stop(self) -> None:
        """End everything."""
        with self._lock:
            self.stopped.set()
            boxes = list(self._boxes)
        for box in boxes:
            box.kill()

    def start(self, spec: Spec) -> Box:
        """Start a command.

        Raises:
            SandboxError: the box couldn't be made.
            StoppedError: the job is being stopped.
        """
        self.check()
        box = self._inner.start(spec)
        with self._lock:
            self._boxes.add(box)
        if self.stopped.is_set():
            box.kill()
        return _Watched(box, self)

    def run(self, spec: Spec) -> Completed:
        """Start a command and wait for its end."""
        with self.start(spec) as box:
            return box.wait()

    def check(self) -> None:
        """Raise `StoppedError` if the job is being stopped."""
        if self.stopped.is_set():
            raise StoppedError("stopped")

    def describe(self) -> str:
        """As the sandbox itself says."""
        return self._inner.describe()

    def give(self, path: Path) -> None:
        """As the sandbox itself does."""
        self._inner.give(path)

    def forget(self, box: Box) -> None:
        """A box has ended."""
        with self._lock:
            self._boxes.discard(box)


class _Watched:
    """A box that says when it is gone."""

    def __init__(self, inner: Box, owner: Stoppable) -> None:
        self._inner = inner
        self._owner = owner

    @property
    def events(self) -> IO[bytes] | None:
        return self._inner.events

    @property
    def door(self) -> socket.socket:
        return self._inner.door

    def kill(self) -> None:
        self._inner.kill()

    def wait(self) -> Completed:
        completed = self._inner.wait()
        self._owner.check()
        return completed

    def __enter__(self) -> Self:
        self._inner.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._inner.__exit__(kind, error, trace)
        self._owner.forget(self._inner)
