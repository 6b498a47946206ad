"""What a box uses, seen from outside: for limits where no control group can be made.

Contract: `usage` reads `/proc` for the tree below one process. It is a sample, so a limit kept by
it is soft: memory that comes and goes between two looks isn't seen.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

PAGE = os.sysconf("SC_PAGE_SIZE")
TICK = os.sysconf("SC_CLK_TCK")
INODE = 1024
"""About what the kernel keeps for one file of a scratch file system."""


@dataclass(frozen=True, slots=True)
class Usage:
    """One look."""

    memory: int
    processes: int
    cpu_seconds: float


def usage(pid: int, scratch: tuple[str, ...], limit: int) -> Usage:
    """Memory (with scratch), processes and CPU time of `pid` and all its descendants.

    Shared pages are counted once, but only when the cheap count is above `limit`.
    """
    tree = descendants(pid)
    resident, cpu = 0, 0.0
    for process in tree:
        pages, seconds = _stat(process)
        resident += pages * PAGE
        cpu += seconds
    extra = sum(_scratch(f"/proc/{pid}/root{path}") for path in scratch)
    if limit and resident + extra > limit:
        resident = sum(_proportional(process) for process in tree)
    return Usage(resident + extra, len(tree), cpu)


def descendants(pid: int) -> list[int]:
    """`pid` and every process below it."""
    found, todo = [], [pid]
    while todo:
        process = todo.pop()
        found.append(process)
        for tid in _names(f"/proc/{process}/task"):
            todo.extend(int(c) for c in _read(f"/proc/{process}/task/{tid}/children").split())
    return found


def _stat(pid: int) -> tuple[int, float]:
    """Resident pages, and CPU seconds with those of children that ended."""
    fields = _read(f"/proc/{pid}/stat").rpartition(")")[2].split()
    if len(fields) < 22:
        return 0, 0.0
    return int(fields[21]), sum(int(f) for f in fields[11:15]) / TICK


def _proportional(pid: int) -> int:
    for line in _read(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) << 10
    return _stat(pid)[0] * PAGE


def _scratch(path: str) -> int:
    try:
        state = os.statvfs(path)
    except OSError:
        return 0
    files = (state.f_files - state.f_ffree) * INODE
    return (state.f_blocks - state.f_bfree) * state.f_frsize + files


def _names(path: str) -> list[str]:
    try:
        return os.listdir(path)  # noqa: PTH208 - names only, and fast
    except OSError:
        return []


def _read(path: str) -> str:
    try:
        return Path(path).read_text(errors="replace")
    except OSError:
        return ""
