"""Control groups, version 1 and 2: hard limits on a whole process tree, where we may make them.

Contract: `create` gives a `Group`, or none where this process can't make one (no delegation, a
read-only mount). A group holds memory, process count and CPU share of everything that joins,
counts what was ended for memory, and is removed by `close`.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .protocol import Caps

MOUNT = Path("/sys/fs/cgroup")
PREFIX = "benchwright"
OURS = 2
"""Processes of bwrap itself, outside and inside."""
CONTROLLERS: tuple[str, ...] = ("memory", "pids", "cpu", "cpuacct")


@dataclass(frozen=True, slots=True)
class Group:
    """One group: one folder in version 2, one for each controller in version 1."""

    version: int
    folders: dict[str, Path]
    forgetful: bool = False
    """Leave nothing behind in the kernel's caches."""

    @contextlib.contextmanager
    def born(self) -> Iterator[None]:
        """Processes that this thread starts in the meantime are born in the group (version 1).

        Moving another process waits for the kernel to look at all of them (10 ms); a thread can
        move itself at once.
        """
        if self.version == 2:  # a thread can't leave its process there; see `join`
            yield
            return
        homes = _own("/proc/thread-self/cgroup")
        try:
            for folder in self.folders.values():
                _write(folder / "tasks", 0)
            yield
        finally:
            for name in self.folders:
                _write(homes[name] / "tasks", 0)

    def join(self, pid: int) -> None:
        """Put a process in, where it couldn't be born there."""
        if self.version == 2:
            _write(self.folders["memory"] / "cgroup.procs", pid)

    def limit(self, caps: Caps) -> None:
        """Set the limits."""
        quota = int(caps.cores * 100_000)
        most = caps.processes + OURS if caps.processes else "max"
        if self.version == 2:
            folder = self.folders["memory"]
            _write(folder / "memory.max", caps.memory or "max")
            _write(folder / "pids.max", most)
            for name, value in (("memory.swap.max", "0"), ("memory.oom.group", "1")):
                with contextlib.suppress(OSError):  # absent on older kernels, or without swap
                    _write(folder / name, value)
            if quota and "cpu" in self.folders:
                _write(folder / "cpu.max", f"{quota} 100000")
            return
        _write(self.folders["memory"] / "memory.limit_in_bytes", caps.memory or -1)
        with contextlib.suppress(OSError):  # kernels without swap accounting
            _write(self.folders["memory"] / "memory.memsw.limit_in_bytes", caps.memory or -1)
        _write(self.folders["pids"] / "pids.max", most)
        if quota and "cpu" in self.folders:
            _write(self.folders["cpu"] / "cpu.cfs_quota_us", quota)

    def ended_for_memory(self) -> int:
        """How many processes the kernel ended because memory was used up."""
        name = "memory.events" if self.version == 2 else "memory.oom_control"
        return _field(self.folders["memory"] / name, "oom_kill")

    def peak(self) -> int:
        """Most bytes used at once; 0 if the kernel doesn't say."""
        name = "memory.peak" if self.version == 2 else "memory.max_usage_in_bytes"
        return _number(self.folders["memory"] / name)

    def cpu_seconds(self) -> float | None:
        """CPU time used, if a controller counts it."""
        if self.version == 2:
            return _field(self.folders["memory"] / "cpu.stat", "usage_usec") / 1e6
        if "cpuacct" in self.folders:
            return _number(self.folders["cpuacct"] / "cpuacct.usage") / 1e9
        return None

    def forget(self) -> None:
        """Drop what the group brought into the kernel's caches: names that were looked up, pages
        that were read. How long a later box takes to find them would tell what an earlier one did.
        """
        folder = self.folders["memory"]
        with contextlib.suppress(OSError):  # older kernels; or less is left than was asked for
            if self.version == 2:
                _write(folder / "memory.reclaim", _number(folder / "memory.current"))
            else:
                _write(folder / "memory.force_empty", 0)

    def close(self) -> None:
        """Remove the group; the kernel may be busy with it for a moment after the last exit."""
        if self.forgetful:
            self.forget()
        for folder in set(self.folders.values()):
            for _ in range(100):
                try:
                    folder.rmdir()
                    break
                except FileNotFoundError:
                    break
                except OSError:
                    time.sleep(0.01)


def create(caps: Caps, *, forgetful: bool = False) -> Group | None:
    """A new group with these limits, or none where it can't be made."""
    parents = _parents()
    if not parents:
        return None
    name = f"{PREFIX}-{os.getpid()}-{secrets.token_hex(4)}"
    version = 2 if "" in parents else 1
    shared = parents.get("")
    keys = ("memory", "pids", "cpu") if shared else tuple(parents)
    group = Group(version, {key: (shared or parents[key]) / name for key in keys}, forgetful)
    try:
        for folder in set(group.folders.values()):
            folder.mkdir()
        group.limit(caps)
    except OSError:
        group.close()
        return None
    return group


@cache
def _parents() -> dict[str, Path]:
    """Where groups can be made: by controller in version 1, one entry `""` in version 2."""
    found = _version_2() or _version_1()
    for parent in set(found.values()):
        _sweep(parent)
    return found


def _version_1() -> dict[str, Path]:
    own = _own("/proc/self/cgroup")
    usable = {name: own[name] for name in CONTROLLERS if name in own and _can_make(own[name])}
    return usable if {"memory", "pids"} <= usable.keys() else {}


def _own(file: str) -> dict[str, Path]:
    """The folder of each controller of version 1 that a process or thread is in."""
    return _folders("\n".join(_lines(Path(file))))


@cache
def _folders(text: str) -> dict[str, Path]:
    """The folders that a `cgroup` file names."""
    own: dict[str, Path] = {}
    for line in text.splitlines():
        _, names, path = line.split(":", 2)
        for name in names.split(","):
            folder = MOUNT / name / path.lstrip("/")
            own[name] = folder if folder.is_dir() else MOUNT / name
    return own


def _version_2() -> dict[str, Path]:
    """The nearest ancestor that hands memory and pids to its children and lets us make some."""
    root = MOUNT if (MOUNT / "cgroup.controllers").exists() else MOUNT / "unified"
    path = next((x[3:] for x in _lines(Path("/proc/self/cgroup")) if x.startswith("0::")), "")
    folder = root / path.lstrip("/")
    while folder.is_relative_to(root):
        handed = " ".join(_lines(folder / "cgroup.subtree_control")).split()
        if {"memory", "pids"} <= set(handed) and _can_make(folder):
            return {"": folder}
        folder = folder.parent
    return {}


def _can_make(folder: Path) -> bool:
    trial = folder / f"{PREFIX}-{os.getpid()}-trial"
    try:
        trial.mkdir()
        trial.rmdir()
    except OSError:
        return False
    return True


def _sweep(parent: Path) -> None:
    """Remove groups of launchers that were killed; a group in use can't be removed."""
    for folder in parent.glob(f"{PREFIX}-*-*"):
        if not Path("/proc", folder.name.split("-")[1]).exists():
            with contextlib.suppress(OSError):
                folder.rmdir()


def _write(path: Path, value: object) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(handle, f"{value}\n".encode())
    finally:
        os.close(handle)


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except OSError:
        return []


def _number(path: Path) -> int:
    text = "".join(_lines(path)[:1])
    return int(text) if text.isdigit() else 0


def _field(path: Path, key: str) -> int:
    for line in _lines(path):
        name, _, value = line.partition(" ")
        if name == key:
            return int(value)
    return 0
