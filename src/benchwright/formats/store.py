"""The cache on this machine: folders that are made once, whole, by whoever comes first.

Everything in it can be made again; nothing in it is changed after it was made.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import platformdirs

from .errors import StorageError, boundary

CACHE = "BENCHWRIGHT_CACHE"
"""Variable that names another cache folder."""


def cache_root() -> Path:
    """Where downloads, interpreters and environments are kept."""
    named = os.environ.get(CACHE)
    return (
        Path(named).expanduser().absolute()
        if named
        else platformdirs.user_cache_path("benchwright")
    )


def once(dest: Path, make: Callable[[Path], None]) -> Path:
    """`dest`, made by `make` in a folder beside it if it isn't there yet.

    Other processes that want the same folder wait. A reader sees it whole or not at all; what an
    interrupted process left behind is cleared away by the next one.

    Raises:
        StorageError: the cache can't be written.
    """
    if dest.exists():
        return dest
    with boundary(StorageError, "the cache can't be written"):
        dest.parent.mkdir(parents=True, exist_ok=True)
        with exclusive(dest.parent / f".{dest.name}.lock"):
            if not dest.exists():
                _make(dest, make)
    return dest


def _make(dest: Path, make: Callable[[Path], None]) -> None:
    for left in dest.parent.glob(f".{dest.name}.tmp-*"):
        remove(left)
    work = Path(tempfile.mkdtemp(dir=dest.parent, prefix=f".{dest.name}.tmp-"))
    try:
        made = work / "made"
        made.mkdir(mode=0o755)
        make(made)
        mode = made.stat().st_mode & 0o7777
        made.chmod(0o755)  # an ordinary user can't move a folder that can't be written
        made.rename(dest)
        dest.chmod(mode)
    finally:
        remove(work)


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold a lock between processes; it is released when its holder ends, however it ends."""
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def remove(tree: Path) -> None:
    """Remove a tree of ours, read-only folders included."""
    for folder, _, _ in os.walk(tree):
        Path(folder).chmod(0o700)
    shutil.rmtree(tree, ignore_errors=True)


def seal(tree: Path) -> None:
    """Make a tree read-only for everybody, and readable by everybody."""
    for folder, _, files in os.walk(tree, topdown=False):
        for name in files:
            path = Path(folder) / name
            if not path.is_symlink():
                path.chmod(0o555 if path.stat().st_mode & 0o100 else 0o444)
        Path(folder).chmod(0o555)
