"""Taking a submission in: a folder, a tar archive or a patch becomes one frozen tree.

Everything about it is hostile. It is read once, by readers of our own; a patch is applied in a
box. What can't be judged on its content is unusable, which is the submission's failure.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from benchwright.formats import Finding, Snapshot, SubmissionError, boundary, printable
from benchwright.sandbox import Sandbox, freeze, unpack_tar
from benchwright.tasks import Task

from .patch import LIMIT, apply_patch

HEAD = 1 << 20
MAGICS = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00")


@dataclass(frozen=True, slots=True)
class Taken:
    """A submission, taken in."""

    digest: str
    tree: Path | None = None
    """The frozen tree; none if it is unusable."""
    unusable: str = ""
    """Why."""
    findings: tuple[Finding, ...] = ()


def take(submission: Path, task: Task, dest: Path, sandbox: Sandbox) -> Taken:
    """Freeze a submission into `dest`, which doesn't exist yet.

    Raises:
        SubmissionError: there is nothing at that path that can be read.
        SandboxError: a patch couldn't be applied for want of a tool or a box.
        StorageError: the disk is full.
    """
    if submission.is_dir():
        return taken(freeze(submission, dest), dest)
    if not submission.is_file():
        what = "not a folder or a file" if submission.exists() else "does not exist"
        raise SubmissionError(f"{submission}: {what}")
    try:
        with submission.open("rb") as file:
            head = file.read(HEAD)
    except OSError as error:
        raise SubmissionError(f"{submission}: can't be read: {error.strerror}") from error
    if head.startswith(MAGICS) or head[257:262] == b"ustar":
        try:
            return taken(unpack_tar(submission, dest), dest)
        except SubmissionError:
            return Taken(sha256(head), unusable="it is compressed, but not a tar archive")
    if is_patch(head):
        return patched(submission, task, dest, sandbox)
    return Taken(sha256(head), unusable="it is neither a folder nor a tar archive nor a patch")


def sha256(data: bytes) -> str:
    """The digest of what isn't a tree."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def is_patch(head: bytes) -> bool:
    """Whether a file begins like a unified diff."""
    lines = head.split(b"\n")
    git = any(line.startswith(b"diff --git ") for line in lines)
    pairs = pairwise(lines)
    return git or any(a.startswith(b"--- ") and b.startswith(b"+++ ") for a, b in pairs)


def taken(snapshot: Snapshot, dest: Path, digest: str = "") -> Taken:
    """What a snapshot means for the judge."""
    findings: tuple[Finding, ...] = ()
    if snapshot.dropped:
        some = ", ".join(f"{note.path} ({note.code})" for note in snapshot.notes[:5])
        message = f"{snapshot.dropped} entries of the submission were left out: {some}"
        findings = (Finding(code="left-out", message=printable(message, 1000)),)
    reason = snapshot.unusable or ("" if snapshot.entries else "it is empty")
    tree = None if reason else dest
    return Taken(digest or snapshot.digest, tree, printable(reason, 500), findings)


def patched(patch: Path, task: Task, dest: Path, sandbox: Sandbox) -> Taken:
    """What a patch makes of the task's workspace."""
    with boundary(SubmissionError, f"{patch}: can't be read"), patch.open("rb") as file:
        text = file.read(LIMIT + 1)
    digest = sha256(text)
    applied = apply_patch(task.workspace, text, dest, sandbox)
    if applied.snapshot is None:
        return Taken(digest, unusable=f"the patch doesn't apply: {applied.why}")
    found = taken(applied.snapshot, dest, digest)
    how = Finding(code="applied", message=f"the patch was applied by {applied.how}")
    return replace(found, findings=(how, *found.findings))
