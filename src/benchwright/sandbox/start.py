"""Starting a box in two steps: bwrap builds it and waits, we complete it, and only then it runs.

Contract: before the command runs, it is in its control group, its limits are set, its writable
copies are filled and its door exists. No code of ours runs between fork and exec. If anything
fails, everything is taken back, and nothing was run.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import signal
import subprocess
import time
from pathlib import Path
from typing import IO

from benchwright.formats import SandboxError

from . import cgroups, fill, layout
from .box import Handles
from .door import make_door
from .protocol import EVENTS, Caps, Spec

READY_SECONDS = 30.0
"""How long bwrap may take to build a box."""
POLL_SECONDS = 0.0003


def start(
    bwrap: Path, args: layout.Arguments, command: tuple[str, ...], spec: Spec, owner: int | None
) -> Handles:
    """Start `command` in the box that `args` describe; `owner`: the uid of its files, if not ours.

    Raises:
        SandboxError: the box couldn't be made.
    """
    with contextlib.ExitStack() as undo, contextlib.ExitStack() as theirs:
        theirs.callback(args.close)
        info, info_end = _pipe(undo, theirs)
        wait_end, wait = os.pipe2(os.O_CLOEXEC)
        theirs.callback(os.close, wait_end)
        go = undo.enter_context(os.fdopen(wait, "wb", buffering=0))
        args.add("--info-fd", info_end, "--block-fd", wait_end)
        passed = [info_end, wait_end]
        events = None
        if spec.events:
            events, end = _pipe(undo, theirs)
            args.add("--setenv", EVENTS, end)
            passed.append(end)
        group = cgroups.create(spec.caps, forgetful=spec.forget)
        if group is not None:
            undo.callback(group.close)
        process = _spawn(bwrap, args, command, passed, spec.stdin, group)
        undo.callback(_end, process)
        theirs.close()
        _hand_over((process.stdout, process.stderr, events), owner)
        try:
            pid = int(json.loads(info.read())["child-pid"])
            inner = os.pidfd_open(pid)
            undo.callback(os.close, inner)
            undo.callback(_kill, inner)
            if group is not None:
                group.join(pid)
            _limit(pid, spec.caps, own_count=owner is None and group is None)
            _built(pid, process)
        except (OSError, ValueError, KeyError):
            raise _failure(process) from None
        fill.fill(pid, spec.mounts, owner)
        door = make_door(pid) if spec.door else None
        info.close()
        go.close()
        undo.pop_all()
        copies = (mount.target for mount in spec.mounts if mount.mode in ("overlay", "tmpfs"))
        scratch = ("/tmp", "/dev/shm", *copies)  # noqa: S108 - paths inside the box
        return Handles(process, pid, inner, group, events, door, scratch)


def _spawn(
    bwrap: Path,
    args: layout.Arguments,
    command: tuple[str, ...],
    passed: list[int],
    stdin: bytes,
    group: cgroups.Group | None,
) -> subprocess.Popen[bytes]:
    """Run bwrap. What is on its command line can be read in the box: nothing but the command."""
    words = args.content(os.fsencode("\0".join(args.words) + "\0"))
    source = layout.memory_file(stdin) if stdin else os.open(os.devnull, os.O_RDONLY)
    try:
        with group.born() if group is not None else contextlib.nullcontext():
            return subprocess.Popen(
                ["bwrap", "--args", str(words), "--", *command],
                executable=bwrap,
                stdin=source,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(*passed, *args.descriptors),
                env={},
                start_new_session=True,
            )
    except (OSError, ValueError) as error:
        raise SandboxError(f"{bwrap}: can't be run: {error}") from error
    finally:
        os.close(source)


def _hand_over(streams: tuple[IO[bytes] | None, ...], owner: int | None) -> None:
    """Make pipes the box's own, so that it can open them by name (`/dev/stderr`)."""
    for stream in streams:
        if stream is not None and owner is not None:
            os.fchown(stream.fileno(), owner, owner)


def _pipe(undo: contextlib.ExitStack, theirs: contextlib.ExitStack) -> tuple[IO[bytes], int]:
    """A pipe from the box to us."""
    read, write = os.pipe2(os.O_CLOEXEC)
    theirs.callback(os.close, write)
    return undo.enter_context(os.fdopen(read, "rb", buffering=0)), write


def _built(pid: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until the first process inside stands in its final root.

    Raises:
        OSError: it ended before, or takes too long.
    """
    host = Path("/").stat().st_dev
    deadline = time.monotonic() + READY_SECONDS
    outer = os.pidfd_open(process.pid)
    try:
        while not _stands(pid, host):
            ended, _, _ = select.select([outer], [], [], POLL_SECONDS)
            if ended or time.monotonic() > deadline:
                raise TimeoutError
    finally:
        os.close(outer)


def _stands(pid: int, host: int) -> bool:
    """Whether a process has left the host's root, and bwrap's own scaffold, for the box's root."""
    try:
        root = f"/proc/{pid}/root"
        moved = os.stat(f"{root}/").st_dev != host  # noqa: PTH116 - asked every 0.3 ms
        return moved and os.access(f"{root}/dev/pts", os.F_OK)
    except OSError:
        return False


def _failure(process: subprocess.Popen[bytes]) -> SandboxError:
    """What bwrap said."""
    process.kill()
    code = process.wait()
    assert process.stderr is not None
    os.set_blocking(process.stderr.fileno(), False)
    text = (process.stderr.read(2000) or b"").decode(errors="replace").strip()
    reason = text.splitlines()[-1] if text else f"bwrap ended early (status {code})"
    hint = "benchwright doctor says what this machine can do"
    return SandboxError(f"the sandbox couldn't be made: {reason}", hint=hint)


def _kill(inner: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        signal.pidfd_send_signal(inner, signal.SIGKILL)
    select.select([inner], [], [])


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()


def _limit(pid: int, caps: Caps, *, own_count: bool) -> None:
    """Limits of each process. The count of processes is that of the box's own user namespace."""
    limits = {resource.RLIMIT_CORE: 0}
    if caps.open_files:
        limits[resource.RLIMIT_NOFILE] = caps.open_files
    if caps.file_size:
        limits[resource.RLIMIT_FSIZE] = caps.file_size
    if caps.cpu_seconds:
        limits[resource.RLIMIT_CPU] = int(caps.cpu_seconds) + 2
    if caps.processes and own_count:
        limits[resource.RLIMIT_NPROC] = caps.processes + 1
    for kind, value in limits.items():
        hard = resource.prlimit(pid, kind)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.prlimit(pid, kind, (value, value))
    if caps.cores:
        allowed = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(pid, allowed[: max(1, -int(-caps.cores // 1))])
