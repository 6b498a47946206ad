"""A bound on what an agent writes into its workspace, which lies on the machine's own disk."""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchwright.sandbox import Box

FILES = 1_000_000
"""Entries of a workspace, at most."""
SHARE = 20
"""Of the time of a look, how many times as long until the next one; at least a second."""


class Quota:
    """Looks at a workspace from time to time, and ends the box whose workspace is too large."""

    def __init__(self, workspace: Path, size: int) -> None:
        self._workspace = workspace
        self._size = size
        self._over = threading.Event()
        self._done = threading.Event()

    @property
    def exceeded(self) -> str:
        """What was too much, if the box was ended for it."""
        return f"the workspace held more than {self._size >> 20} MB" if self._over.is_set() else ""

    @contextmanager
    def held(self, box: Box) -> Iterator[None]:
        """Watch until the context is left."""
        watcher = threading.Thread(target=self._watch, args=(box,), name="quota", daemon=True)
        watcher.start()
        try:
            yield
        finally:
            self._done.set()
            watcher.join()

    def _watch(self, box: Box) -> None:
        pause = 1.0
        while not self._done.wait(pause):
            start = time.monotonic()
            if too_large(self._workspace, self._size, FILES):
                self._over.set()
                box.kill()
                return
            pause = max(1.0, SHARE * (time.monotonic() - start))


def too_large(root: Path, size: int, files: int) -> bool:
    """Whether a tree takes more than `size` bytes of disk or has more than `files` entries. No
    link is followed; what is nested too deep to be named is too much.
    """
    used, seen, todo = 0, 0, [str(root)]
    while todo:
        try:
            with os.scandir(todo.pop()) as entries:
                for entry in entries:
                    seen += 1
                    used += entry.stat(follow_symlinks=False).st_blocks * 512
                    if used > size or seen > files:
                        return True
                    if entry.is_dir(follow_symlinks=False):
                        todo.append(entry.path)
        except OSError as error:  # gone meanwhile, or closed to us
            if error.errno == errno.ENAMETOOLONG:
                return True
    return False
