"""What a box sees: the arguments of bwrap for its file system.

Contract: a small read-only root; the host's `/usr` if asked for, without the Python and Node
packages in it; an `/etc` of our own; private `/proc`, `/dev`, `/tmp`; then the caller's mounts,
in order. Files of `/proc` that tell what else the machine does hold constants.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path, PurePath, PurePosixPath

from benchwright.formats import SandboxError, boundary

from .protocol import Mount, Spec

HOSTNAME = "sandbox"
HIDDEN = (
    "usr/local", "usr/lib/python3", "usr/lib/node_modules", "usr/share/nodejs",
    "usr/share/python-wheels", "usr/share/python3", "usr/share/node_modules", "usr/lib/pypy3",
)  # fmt: skip
"""Parts of the host's `/usr` that no box sees: packages that might hold a task's answer."""
PATTERNS = ("lib/python[23].*", "lib64/python[23].*")
ETC = ("ssl", "pki", "ca-certificates", "alternatives", "ld.so.cache", "localtime", "mime.types")


class Arguments:
    """bwrap's arguments, and the descriptors with the bytes some of them refer to."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.descriptors: list[int] = []

    def add(self, *words: str | PurePath | int) -> None:
        """Append arguments."""
        self.words.extend(str(word) for word in words)

    def content(self, content: bytes) -> int:
        """A descriptor that `content` can be read from."""
        handle = memory_file(content)
        self.descriptors.append(handle)
        return handle

    def file(self, target: str, content: bytes | str, how: str = "--file") -> None:
        """A read-only file at `target`; `--ro-bind-data` where something is there already."""
        data = content.encode() if isinstance(content, str) else content
        self.add("--perms", "0444", how, self.content(data), target)

    def close(self) -> None:
        """Close the descriptors."""
        while self.descriptors:
            os.close(self.descriptors.pop())


def memory_file(content: bytes) -> int:
    """A descriptor on an anonymous file that holds `content` and can't be changed."""
    handle = os.memfd_create("data", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    view = memoryview(content)
    while view:
        view = view[os.write(handle, view) :]
    os.lseek(handle, 0, os.SEEK_SET)
    seals = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
    fcntl.fcntl(handle, fcntl.F_ADD_SEALS, seals)
    return handle


def root(args: Arguments, spec: Spec, uid: int) -> None:
    """Everything but the caller's mounts."""
    for folder in ("/etc", "/run", "/var"):
        args.add("--perms", "0755", "--dir", folder)
    if spec.system:
        args.add(*_system())
    _etc(args, uid)
    args.add("--proc", "/proc")
    _proc(args, spec)
    args.add("--dev", "/dev")
    for target, size in (("/dev/shm", spec.caps.scratch // 4), ("/tmp", spec.caps.scratch)):  # noqa: S108
        args.add("--perms", "1777", "--size", max(size, 4096), "--tmpfs", target)
    args.add("--symlink", "/tmp", "/var/tmp", "--remount-ro", "/dev")  # noqa: S108


@cache
def _system() -> tuple[str, ...]:
    """The host's `/usr` and what of `/etc` belongs to it."""
    words = ["--ro-bind", "/usr", "/usr"]
    for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
        path = Path("/", name)
        if path.is_symlink():
            words += ["--symlink", f"usr/{name}", str(path)]
        elif path.is_dir():
            words += ["--ro-bind", str(path), str(path)]
    hidden = [Path("/", name) for name in HIDDEN]
    for pattern in PATTERNS:
        hidden.extend(sorted(Path("/usr").glob(pattern)))
    for path in hidden:
        if path.is_dir() and not path.is_symlink():
            words += _blank(str(path))
    for name in ETC:
        path = Path("/etc", name)
        if path.exists():
            words += ["--ro-bind", str(path), str(path)]
    return tuple(words)


def _blank(path: str) -> tuple[str, ...]:
    """An empty folder over what is there; of one page, so that it is no place to write to."""
    return ("--perms", "0555", "--size", "4096", "--tmpfs", path)


@cache
def _telling() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What of `/proc` tells about the whole machine, and can be read: files, folders."""
    files = (Path("/proc", name) for name in FILES)
    readable = tuple(str(f) for f in files if f.is_file() and f.stat().st_mode & 0o004)
    return readable, tuple(f"/proc/{name}" for name in FOLDERS if Path("/proc", name).is_dir())


def _etc(args: Arguments, uid: int) -> None:
    args.file(
        "/etc/passwd",
        f"root:x:0:0:root:/:/bin/false\nuser:x:{uid}:{uid}::/tmp:/bin/sh\n"
        "nobody:x:65534:65534::/:/bin/false\n",
    )
    args.file("/etc/group", f"root:x:0:\nuser:x:{uid}:\nnogroup:x:65534:\n")
    args.file("/etc/hosts", f"127.0.0.1 localhost {HOSTNAME}\n::1 localhost\n")
    args.file("/etc/hostname", f"{HOSTNAME}\n")
    args.file("/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n")
    args.file("/etc/resolv.conf", "options timeout:1 attempts:1\n")


def _proc(args: Arguments, spec: Spec) -> None:
    """Constants in place of what the machine as a whole does."""
    kilobytes = (spec.caps.memory or 2 << 30) >> 10
    memory = {**dict.fromkeys(MEMINFO, 0), **dict.fromkeys(MEMINFO[:3], kilobytes)}
    cores = "".join(f"cpu{n}{' 0' * 10}\n" for n in range(os.cpu_count() or 1))
    rest = "intr 0\nctxt 0\nbtime 1577836800\nprocesses 1\nprocs_running 1\nprocs_blocked 0\n"
    texts = {
        "loadavg": "0.00 0.00 0.00 1/1 1\n",
        "uptime": "1000.00 1000.00\n",
        "meminfo": "".join(f"{key}: {value} kB\n" for key, value in memory.items()),
        "stat": f"cpu {' 0' * 10}\n{cores}{rest}",
    }
    for name, text in texts.items():
        args.file(f"/proc/{name}", text, "--ro-bind-data")
    files, folders = _telling()
    for name in files:
        args.file(name, b"", "--ro-bind-data")
    for name in folders:
        args.add(*_blank(name))


MEMINFO = (
    "MemTotal", "MemFree", "MemAvailable", "Buffers", "Cached", "SwapCached", "Active", "Inactive",
    "SwapTotal", "SwapFree", "Shmem", "Slab", "SReclaimable",
)  # fmt: skip
FILES = (
    "vmstat", "diskstats", "interrupts", "softirqs", "schedstat", "zoneinfo", "buddyinfo",
    "pagetypeinfo", "slabinfo", "timer_list", "sched_debug", "swaps", "cgroups", "key-users",
    "latency_stats", "vmallocinfo",
)  # fmt: skip
FOLDERS = ("pressure", "sys/fs", "sys/kernel/pty", "1")
"""The first process is the box's own, and of an ordinary caller's uid, as the command is."""


def mount(args: Arguments, mounts: Iterable[Mount], ordinary: int | None, *, system: bool) -> None:
    """The caller's mounts; `ordinary` is the uid that must be able to read them, if not ours.

    Raises:
        SandboxError: a source is missing, or the box's user couldn't read it.
    """
    shown = {"/usr": Path("/usr")} if system else {}
    placed = {"/", "/tmp", "/etc", "/run", "/var", "/usr", "/dev", "/proc"}  # noqa: S108
    for item in mounts:
        if not item.target.startswith("/") or "\0" in item.target:
            raise SandboxError(f"{item.target!r}: a mount's target is an absolute path")
        below = [str(p) for p in PurePosixPath(item.target).parents]
        if not any(place in shown for place in below):
            for parent in reversed(below):
                if parent not in placed:
                    args.add("--perms", "0755", "--dir", parent)
                    placed.add(parent)
        _one(args, item, ordinary, shown)
        placed.add(item.target)
        if item.source is not None and item.mode in ("ro", "rw", "overlay"):
            shown[item.target] = item.source


def _one(args: Arguments, item: Mount, ordinary: int | None, shown: dict[str, Path]) -> None:
    if item.mode in ("ro", "rw"):
        source = _source(item, ordinary)
        args.add("--ro-bind" if item.mode == "ro" else "--bind", source, item.target)
    elif item.mode in ("tmpfs", "overlay"):
        args.add("--perms", "1777", "--size", max(item.size, 4096), "--tmpfs", item.target)
    elif item.mode == "link":
        args.add("--symlink", item.source or "", item.target)
    elif item.mode == "data":
        args.file(item.target, item.content, "--ro-bind-data")
    else:
        _mask(args, item.target, shown)


def _mask(args: Arguments, target: str, shown: dict[str, Path]) -> None:
    """Hide what earlier mounts show at `target`: a folder becomes empty, and so does a file."""
    for parent in (PurePosixPath(target), *PurePosixPath(target).parents):
        source = shown.get(str(parent))
        if source is None:
            continue
        hidden = source / PurePosixPath(target).relative_to(parent)
        if hidden.is_dir():
            args.add(*_blank(target), "--remount-ro", target)
        elif hidden.exists():
            args.file(target, b"", "--ro-bind-data")
        return


def _source(item: Mount, ordinary: int | None) -> Path:
    """The source, made sure of: bwrap's own message would name no way out."""
    if item.source is None:
        raise SandboxError(f"{item.target}: a mount of mode {item.mode} needs a source")
    source = item.source.absolute()
    with boundary(SandboxError, f"{source}: can't be mounted"):
        status = source.stat()
    need = 5 if source.is_dir() else 4
    readable = status.st_mode & need == need or status.st_uid == ordinary
    if ordinary is not None and not readable:
        raise SandboxError(
            f"{source}: the sandbox's user can't read it",
            hint="make it readable for others (chmod o+rX), or give() it",
        )
    return source
