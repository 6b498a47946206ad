"""Freezing: the one look at a submitted folder. What it gives is scanned, judged and kept.

Contract: no link is followed, nothing but regular files is opened, nothing of another file system
is read, and the folder isn't changed. It takes bounded time and memory whatever the folder holds.
The folder should be still (its box ended); if it isn't, each file is read once, whole or not
at all, so what was scanned is what is judged.
"""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchwright.formats import Snapshot, SubmissionError

from .keep import DEFAULTS, FreezeLimits, Keeper, Unusable, printable

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
CHUNK = 1 << 20


def freeze(source: Path, dest: Path, limits: FreezeLimits = DEFAULTS) -> Snapshot:
    """Copy what can be judged of `source` into `dest` (new or empty), with every byte hashed.

    A folder that breaks a bound gives a snapshot with `unusable` set, and no `dest`.

    Raises:
        SubmissionError: `source` isn't a folder that can be read.
        InputError: `dest` holds something.
        StorageError: `dest` can't be written.
    """
    try:
        root = os.open(source, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise SubmissionError(f"{source}: not a readable folder: {error.strerror}") from error
    try:
        keeper = Keeper(dest, limits)
        return keeper.keep(lambda: _Walk(keeper, os.fstat(root).st_dev).run(root))
    finally:
        os.close(root)


@dataclass(frozen=True, slots=True)
class Found:
    """A regular file that the first pass saw."""

    path: str
    inode: int
    links: int
    size: int
    mode: int


class _Walk:
    """Two passes: see everything, then read what may be kept."""

    def __init__(self, keeper: Keeper, device: int) -> None:
        self.keeper, self.device = keeper, device
        self.found: dict[str, list[Found]] = {}
        self.inside: Counter[int] = Counter()
        self.planned = 0

    def run(self, root: int) -> None:
        self._see(root, "")
        for folder, files in sorted(self.found.items()):
            handle = _descend(root, folder)
            if handle is None:
                self.keeper.drop("unreadable", folder)
                continue
            try:
                for file in files:
                    self._keep(handle, file)
            finally:
                os.close(handle)

    def _see(self, folder: int, prefix: str) -> None:
        names = []
        with os.scandir(folder) as entries:
            for entry in entries:
                self.keeper.look()
                names.append(entry.name)
        for name in sorted(names, key=os.fsencode):
            path = f"{prefix}{name}"
            if self.keeper.accepts(path):
                self._sort(folder, name, path)

    def _sort(self, folder: int, name: str, path: str) -> None:
        """Decide what one name is."""
        keeper = self.keeper
        try:
            status = os.lstat(name, dir_fd=folder)
            if stat.S_ISLNK(status.st_mode):
                keeper.link(path, os.readlink(name, dir_fd=folder))
            elif status.st_dev != self.device:
                keeper.drop("other-file-system", path)
            elif stat.S_ISDIR(status.st_mode):
                handle = os.open(name, FOLDER, dir_fd=folder)
                try:
                    self._see(handle, f"{path}/")
                finally:
                    os.close(handle)
            elif stat.S_ISREG(status.st_mode):
                self._plan(path, status)
            else:
                keeper.drop("special-file", path)
        except OSError as error:
            keeper.drop("unreadable", path, error.strerror or "")

    def _plan(self, path: str, status: os.stat_result) -> None:
        self.planned += status.st_size
        self.keeper.check_size(self.planned)
        self.inside[status.st_ino] += 1
        file = Found(path, status.st_ino, status.st_nlink, status.st_size, status.st_mode)
        self.found.setdefault(path.rpartition("/")[0], []).append(file)

    def _keep(self, folder: int, file: Found) -> None:
        keeper = self.keeper
        if file.links != self.inside[file.inode]:
            keeper.drop("hard-link-outside", file.path)
            return
        try:
            handle = os.open(file.path.rpartition("/")[2], FILE, dir_fd=folder)
        except OSError as error:
            keeper.drop("unreadable", file.path, error.strerror or "")
            return
        try:
            status = os.fstat(handle)
            if (status.st_ino, status.st_dev) != (file.inode, self.device):
                keeper.drop("changed", file.path)
                return
            executable = bool(status.st_mode & stat.S_IXUSR)
            keeper.file(file.path, _chunks(handle, file.path), executable=executable)
        finally:
            os.close(handle)


def _chunks(handle: int, path: str) -> Iterator[bytes]:
    try:
        while chunk := os.read(handle, CHUNK):
            yield chunk
    except OSError as error:
        raise Unusable(f"{printable(path)}: can't be read: {error.strerror}") from error


def _descend(root: int, path: str) -> int | None:
    """Open a folder below `root`, one name at a time; none if it is no longer what it was."""
    handle = os.dup(root)
    for name in filter(None, path.split("/")):
        try:
            below = os.open(name, FOLDER, dir_fd=handle)
        except OSError:
            return None
        finally:
            os.close(handle)
        handle = below
    return handle
