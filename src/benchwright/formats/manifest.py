"""`tests/manifest.json`: every id the hidden suite is expected to have, and whether it counts."""

from __future__ import annotations

from typing import Literal

from .base import Document, Record

Group = Literal["test", "fail_to_pass", "pass_to_pass"]


class ExpectedTest(Record):
    """One hidden test."""

    id: str
    """Exact id. A second test of the same id gets `#2` appended, a third `#3`, and so on."""
    file: str
    """The hidden file it is in, POSIX path below the judged tree."""
    group: Group = "test"
    seconds: float = 0.0
    """Mean time of its reference runs."""
    counted: bool = True
    """Whether it is part of the score."""
    reason: str = ""
    """Why it isn't counted: `vacuous`, `unstable`, `unfair`, `skipped`, `xfailed`, …"""


class Manifest(Document):
    """The expected ids of a task, in the order of collection."""

    format: Literal["benchwright.manifest/1"] = "benchwright.manifest/1"
    tests: tuple[ExpectedTest, ...]
    dropped: dict[str, str] = {}
    """Ids that can't be expected (they differ between collections), with the reason."""

    @property
    def counted(self) -> tuple[ExpectedTest, ...]:
        """The tests that make the score."""
        return tuple(test for test in self.tests if test.counted)

    @property
    def idle(self) -> frozenset[str]:
        """The ids that don't count: a judge needn't run them."""
        return frozenset(test.id for test in self.tests if not test.counted)
