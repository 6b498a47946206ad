"""The official grading semantics, on exact outcomes instead of a log.

Source: swebench 5.0.2 (`test_passed`, `test_maintained`, `get_resolution_status`). Where we differ
on purpose, the difference is one line here and one row in the documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from benchwright.formats import Record

Resolution = Literal["RESOLVED_FULL", "RESOLVED_PARTIAL", "RESOLVED_NO"]
GAINED = frozenset({"passed", "xfailed"})
KEPT = frozenset({"passed", "xfailed", "skipped"})


class Share(Record):
    """The ids of one list, by success."""

    success: tuple[str, ...] = ()
    failure: tuple[str, ...] = ()

    @property
    def ratio(self) -> float:
        """Successes by total. An empty list is 1 for ids to keep; see `grade` for the others."""
        total = len(self.success) + len(self.failure)
        return len(self.success) / total if total else 1.0


class Grade(Record):
    """How an instance ended."""

    resolution: Resolution
    fail_to_pass: Share
    pass_to_pass: Share

    @property
    def resolved(self) -> bool:
        """All of both lists."""
        return self.resolution == "RESOLVED_FULL"


def share(ids: Iterable[str], outcomes: Mapping[str, str], good: frozenset[str]) -> Share:
    """Split ids by whether their outcome is a good one; an absent id is a failure."""
    listed = tuple(ids)
    return Share(
        success=tuple(i for i in listed if outcomes.get(i) in good),
        failure=tuple(i for i in listed if outcomes.get(i) not in good),
    )


def grade(
    fail_to_pass: Iterable[str], pass_to_pass: Iterable[str], outcomes: Mapping[str, str]
) -> Grade:
    """Grade outcomes (row id -> passed, failed, error, skipped, xfailed, xpassed).

    An empty FAIL_TO_PASS never resolves: nothing was shown to be fixed.
    """
    gained = share(fail_to_pass, outcomes, GAINED)
    kept = share(pass_to_pass, outcomes, KEPT)
    resolution: Resolution = "RESOLVED_NO"
    if kept.ratio == 1 and gained.success:
        resolution = "RESOLVED_FULL" if gained.ratio == 1 else "RESOLVED_PARTIAL"
    return Grade(resolution=resolution, fail_to_pass=gained, pass_to_pass=kept)
