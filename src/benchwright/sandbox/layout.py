"""What a box sees: the arguments of bwrap for its file system.

Contract: a small read-only root; the host's `/usr` if asked for, without the Python and Node
packages in it; an `/etc` of our own; private `/proc`, `/dev`, `/tmp`; then the caller's mounts,
in order. Files of `/proc` that tell what else the machine does hold constants.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path, PurePath, PurePosixPath

from benchwright.formats import SandboxError

from .protocol import Mount, Spec

HOSTNAME = "sandbox"
HIDDEN = (
    "usr/local", "usr/lib/python3", "usr/lib/node_modules", "usr/share/nodejs",
    "usr/share/python-wheels", "usr/share/python3", "usr/share/node_modules", "usr/lib/pypy3",
)  # fmt: skip
"""Parts of the host's `/usr` that no box sees: packages that might hold a task's answer."""
PATTERNS = ("lib/python[23].*", "lib64/python[23].*")
ETC = ("ssl", "pki", "ca-certificates", "alternatives", "ld.so.cache", "localtime", "mime.types")
LOADAVG = "0.00 0.00 0.00 1/1 1\n"
OFFSET = "1000.00 1000.00\n"


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
    import fcntl

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
        _system(args)
    _etc(args, uid)
    args.add("--proc", "/proc")
    _proc(args, spec)
    args.add("--dev", "/dev")
    for target, size in (("/dev/shm", spec.caps.scratch // 4), ("/tmp", spec.caps.scratch)):  # noqa: S108
        args.add("--perms", "1777", "--size", max(size, 4096), "--tmpfs", target)
    args.add("--symlink", "/tmp", "/var/tmp", "--remount-ro", "/dev")  # noqa: S108


def _system(args: Arguments) -> None:
    args.add("--ro-bind", "/usr", "/usr")
    for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
        path = Path("/", name)
        if path.is_symlink():
            args.add("--symlink", f"usr/{name}", path)
        elif path.is_dir():
            args.add("--ro-bind", path, path)
    hidden = [Path("/", name) for name in HIDDEN]
    for pattern in PATTERNS:
        hidden.extend(sorted(Path("/usr").glob(pattern)))
    for path in hidden:
        if path.is_dir() and not path.is_symlink():
            args.add("--perms", "0755", "--size", 4096, "--tmpfs", path, "--remount-ro", path)
    for name in ETC:
        path = Path("/etc", name)
        if path.exists():
            args.add("--ro-bind", path, path)


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
    cores = os.cpu_count() or 1
    kilobytes = (spec.caps.memory or 2 << 30) >> 10
    zeros = " 0" * 10
    texts = {
        "loadavg": LOADAVG,
        "uptime": OFFSET,
        "meminfo": "".join(
            f"{key}: {value} kB\n"
            for key, value in (
                ("MemTotal", kilobytes), ("MemFree", kilobytes), ("MemAvailable", kilobytes),
                ("Buffers", 0), ("Cached", 0), ("SwapCached", 0), ("Active", 0), ("Inactive", 0),
                ("SwapTotal", 0), ("SwapFree", 0), ("Shmem", 0), ("Slab", 0), ("SReclaimable", 0),
            )
        ),
        "stat": f"cpu {zeros}\n"
        + "".join(f"cpu{n}{zeros}\n" for n in range(cores))
        + "intr 0\nctxt 0\nbtime 1577836800\nprocesses 1\nprocs_running 1\nprocs_blocked 0\n",
    }  # fmt: skip
    for name, text in texts.items():
        args.file(f"/proc/{name}", text, "--ro-bind-data")
    for name in EMPTY:
        if Path("/proc", name).is_file():
            args.file(f"/proc/{name}", b"", "--ro-bind-data")
    for name in FOLDERS:
        if Path("/proc", name).is_dir():
            args.add("--perms", "0755", "--size", 4096, "--tmpfs", f"/proc/{name}")
            args.add("--remount-ro", f"/proc/{name}")


EMPTY = (
    "vmstat", "diskstats", "interrupts", "softirqs", "schedstat", "zoneinfo", "buddyinfo",
    "pagetypeinfo", "slabinfo", "timer_list", "sched_debug", "swaps", "locks", "cgroups", "keys",
    "key-users", "kmsg", "kcore", "kallsyms", "cmdline", "modules", "partitions", "latency_stats",
    "vmallocinfo", "sys/fs/file-nr", "sys/fs/inode-nr", "sys/fs/inode-state",
    "sys/fs/dentry-state", "sys/fs/aio-nr", "sys/kernel/random/entropy_avail",
    "sys/kernel/pty/nr",
)  # fmt: skip
FOLDERS = ("pressure", "fs", "driver", "acpi", "scsi", "asound", "tty")


def mount(args: Arguments, mounts: Iterable[Mount], ordinary: int | None) -> None:
    """The caller's mounts; `ordinary` is the uid that must be able to read them, if not ours.

    Raises:
        SandboxError: a source is missing, or the box's user couldn't read it.
    """
    placed = {"/", "/tmp", "/etc", "/run", "/var", "/usr", "/dev", "/proc"}  # noqa: S108
    for item in mounts:
        for parent in reversed(PurePosixPath(item.target).parents):
            if not any(str(p) in placed for p in (parent, *list(parent.parents)[:-1])):
                args.add("--perms", "0755", "--dir", parent)
                placed.add(str(parent))
        placed.add(item.target)
        _one(args, item, ordinary)


def _one(args: Arguments, item: Mount, ordinary: int | None) -> None:
    if item.mode in ("ro", "rw"):
        source = _source(item, ordinary)
        args.add("--ro-bind" if item.mode == "ro" else "--bind", source, item.target)
    elif item.mode in ("tmpfs", "overlay"):
        args.add("--perms", "1777", "--size", item.size, "--tmpfs", item.target)
    elif item.mode == "link":
        args.add("--symlink", item.source or "", item.target)
    elif item.mode == "data":
        args.file(item.target, item.content, "--ro-bind-data")
    elif item.source is not None and item.source.is_dir():
        args.add("--perms", "0755", "--size", 4096, "--tmpfs", item.target)
        args.add("--remount-ro", item.target)
    else:
        args.file(item.target, b"", "--ro-bind-data")


def _source(item: Mount, ordinary: int | None) -> Path:
    """The source, made sure of: bwrap's own message would name no way out."""
    source = item.source
    if source is None:
        raise SandboxError(f"{item.target}: a mount of mode {item.mode} needs a source")
    source = Path(os.path.abspath(source))  # noqa: PTH100 - links stay links for bwrap to follow
    try:
        status = source.stat()
    except OSError as error:
        raise SandboxError(f"{source}: can't be mounted: {error.strerror}") from error
    need = 5 if source.is_dir() else 4
    readable = status.st_mode & need == need or status.st_uid == ordinary
    if ordinary is not None and not readable:
        raise SandboxError(
            f"{source}: the sandbox's user can't read it",
            hint="make it readable for others (chmod o+rX), or give() it",
        )
    return source
