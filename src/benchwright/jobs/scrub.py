"""Clearing away what an agent left, and saying what it changed: in a box, never by our own hand.

A workspace is hostile: ten thousand folders deep, unreadable, full of links. The programs that
walk it here see nothing else and end when their time is up.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from benchwright.formats import StorageError, boundary, remove
from benchwright.sandbox import Caps, Mount, Sandbox, Spec

EMPTY = "chmod -R u+rwX /app; find /app -mindepth 1 -delete"
MINUTE = Caps(wall_seconds=60.0, output=8 << 20)


def scrub(workspace: Path, sandbox: Sandbox) -> None:
    """Remove a workspace.

    Raises:
        SandboxError: the box couldn't be made.
        StorageError: something of it can't be removed.
    """
    if not workspace.is_dir():
        return
    mounts = (Mount("/app", "rw", workspace),)
    sandbox.run(Spec(command=("/bin/sh", "-c", EMPTY), mounts=mounts, caps=MINUTE))
    with boundary(StorageError, f"{workspace}: can't be removed"):
        workspace.rmdir()


def discard(attempt: Path, sandbox: Sandbox) -> None:
    """Remove an attempt that has no result."""
    scrub(attempt / "workspace", sandbox)
    remove(attempt)


def changes(start: Path, end: Path, sandbox: Sandbox) -> bytes:
    """A readable diff of two trees, at most 8 MB of it; nothing where `diff` isn't installed."""
    if shutil.which("diff") is None:
        return b""
    mounts = (Mount("/start", "ro", start), Mount("/end", "ro", end))
    command = ("diff", "-urN", "--no-dereference", "start", "end")
    return sandbox.run(Spec(command=command, mounts=mounts, cwd="/", caps=MINUTE)).stdout
