"""`snapshot.json`: the frozen bytes of a submission, one entry for each file or link."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Literal

from .base import Document, Record, canonical


class Entry(Record):
    """One file or link."""

    path: str
    """POSIX path below the root."""
    kind: Literal["file", "link"]
    size: int = 0
    sha256: str = ""
    """Hex, of a file's bytes."""
    executable: bool = False
    target: str = ""
    """Text of a link: relative, and inside."""


class Note(Record):
    """Something of the submission that was left out, and why."""

    code: str
    """Stable name, such as `special-file` or `link-outside`."""
    path: str
    """Printable form of its path."""
    message: str = ""


class Snapshot(Document):
    """What a submission consists of."""

    format: Literal["benchwright.snapshot/1"] = "benchwright.snapshot/1"
    digest: str
    """`sha256:…` of names, kinds, execute bits and bytes."""
    entries: tuple[Entry, ...] = ()
    """Sorted by path."""
    size: int = 0
    """Bytes of all files."""
    notes: tuple[Note, ...] = ()
    """The first of what was left out; `dropped` counts all."""
    dropped: int = 0
    unusable: str = ""
    """Why the submission can't be judged on its content; empty when it can. Nothing is kept."""


def tree_digest(entries: Iterable[Entry]) -> str:
    """The digest of a tree with these entries."""
    rows = sorted(
        [e.path, "link", e.target]
        if e.kind == "link"
        else [e.path, "exec" if e.executable else "file", e.sha256]
        for e in entries
    )
    return "sha256:" + hashlib.sha256(canonical(rows)).hexdigest()
