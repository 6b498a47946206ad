"""Edits and controls: small changes of text files, and what must fail because of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Literal

from .base import Record
from .errors import FormatError


class Edit(Record):
    """Replace one span of one file."""

    file: str
    """POSIX path below the tree's root."""
    start: int
    """First byte of the span."""
    end: int
    """First byte after the span; equal to `start` for an insertion."""
    digest: str
    """sha256 (hex) of the old bytes of the span: an edit never lands on other text."""
    text: str
    """What stands there afterwards."""


def edit(file: str, source: bytes, start: int, end: int, text: str) -> Edit:
    """The edit of `source[start:end]` into `text`."""
    digest = hashlib.sha256(source[start:end]).hexdigest()
    return Edit(file=file, start=start, end=end, digest=digest, text=text)


def apply(source: bytes, edits: Iterable[Edit]) -> bytes:
    """The text with all edits made; they may not overlap.

    Raises:
        FormatError: two edits overlap, or a span doesn't hold the text the edit was made for.
    """
    result = source
    last = len(source) + 1
    for item in sorted(edits, key=lambda e: (e.start, e.end), reverse=True):
        if item.end > min(last, len(source)) or item.start > item.end:
            raise FormatError(f"{item.file}: edits overlap or leave the file at byte {item.start}")
        if hashlib.sha256(source[item.start : item.end]).hexdigest() != item.digest:
            raise FormatError(f"{item.file}: the text at byte {item.start} isn't what was edited")
        result = result[: item.start] + item.text.encode() + result[item.end :]
        last = item.start
    return result


class Failure(Record):
    """How a test failed: the signature by which a wrong version is recognised."""

    exception: str
    """Qualified name of the exception's type, such as `AssertionError`."""
    file: str
    """File of the statement at which it surfaced in the test's own tree."""
    line: int
    """Its line in that file, 1-based, as the file stood when it ran."""


class Control(Record):
    """An edit of hidden tests that makes one check wrong, and the ids that must then fail."""

    id: str
    """Stable name, unique in the task."""
    operator: str
    """Which operator made it, such as `swap-sibling`."""
    check: str
    """The check it edits, as `file:line:column` of its statement."""
    lines: tuple[int, int] = (0, 0)
    """First and last line of the check in its file, 1-based; of a `with`, the whole block."""
    family: str = ""
    """The same for edits of one text in checks that read alike, as copies of a test have them."""
    edits: tuple[Edit, ...]
    """All on one file in almost every case; applied together."""
    ids: tuple[str, ...]
    """Expected ids that fail when the edits are made and the product is right."""
    touches: tuple[str, ...] = ()
    """Ids that reach the edits and didn't fail on the reference, though another right product may.
    What they do in such a round says nothing."""
    strength: Literal["strong", "weak"]
    """Strong: a plausible value for a plausible value. Weak: its polarity can be recognised."""
    exclusive: bool
    """No value satisfies both versions of the check."""
    unavoidable: bool
    """Every passing run of its ids reaches the check (no loop, branch or handler around it)."""
    failures: dict[str, Failure] = {}
    """Per id, how it failed on the reference."""
