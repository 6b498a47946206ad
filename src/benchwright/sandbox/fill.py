"""Writable copies: `overlay` mounts are filled from outside while a box waits to run.

Contract: nothing of a submission runs in the box yet, so its paths can't change under us. Links
are copied as links, times and execute bits are kept, owners are the box's. Special files are left
out. Paths at which the box has another mount are left to that mount.
"""

# ruff: noqa: PTH101, PTH103, PTH115, PTH116, PTH123, PTH211
# (many small calls on strings: Path objects would cost more than the copy)
from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import PurePosixPath

from benchwright.formats import SandboxError, boundary

from .protocol import Mount


def fill(pid: int, mounts: Iterable[Mount], owner: int | None) -> None:
    """Fill the box whose first process is `pid`; `owner` gets the files, if not us.

    Raises:
        SandboxError: a source can't be read, or doesn't fit.
    """
    mounts = tuple(mounts)
    targets = {PurePosixPath(m.target) for m in mounts}
    for item in mounts:
        if item.mode == "overlay":
            if item.source is None:
                raise SandboxError(f"{item.target}: a mount of mode overlay needs a source")
            with boundary(SandboxError, f"{item.target}: copying {item.source} failed"):
                root = f"/proc/{pid}/root{item.target}"
                copy_tree(str(item.source), root, PurePosixPath(item.target), targets, owner)


def copy_tree(
    source: str,
    dest: str,
    inside: PurePosixPath,
    others: set[PurePosixPath],
    owner: int | None,
) -> None:
    """Copy the content of one folder into another that exists; then its mode and times."""
    for entry in sorted(os.scandir(source), key=lambda e: e.name):
        path = inside / entry.name
        target = f"{dest}/{entry.name}"
        if path in others:
            continue
        if entry.is_symlink():
            os.symlink(os.readlink(entry.path), target)
        elif entry.is_dir():
            os.makedirs(target, exist_ok=True)
            copy_tree(entry.path, target, path, others, owner)
        elif entry.is_file():
            _copy_file(entry.path, target)
        else:
            continue
        _settle(entry.stat(follow_symlinks=False), target, owner)
    _settle(os.stat(source), dest, owner)


def _copy_file(source: str, dest: str) -> None:
    with open(source, "rb", buffering=0) as reader, open(dest, "xb", buffering=0) as writer:
        while os.sendfile(writer.fileno(), reader.fileno(), None, 1 << 24):
            pass


def _settle(status: os.stat_result, path: str, owner: int | None) -> None:
    if owner is not None:
        os.chown(path, owner, owner, follow_symlinks=False)
    if not stat.S_ISLNK(status.st_mode):
        need = 0o700 if stat.S_ISDIR(status.st_mode) else 0o600
        os.chmod(path, status.st_mode & 0o777 | need)
    os.utime(path, ns=(status.st_mtime_ns, status.st_mtime_ns), follow_symlinks=False)
