"""The event stream: what a test runner says while it runs, one JSON object a line.

The stream is written by a process that also runs submitted code, so it is a claim, not a verdict:
the judge reads it with bounds, and believes a pass only where the wrong twin of the same check
failed.
"""

from __future__ import annotations

from typing import Literal

from .base import Record

Phase = Literal["collect", "setup", "call", "teardown", "session"]
Outcome = Literal["started", "passed", "failed", "error", "skipped", "xfailed", "xpassed", "done"]


class Event(Record):
    """One line of the stream."""

    id: str
    """The test's exact id; for `collect` errors the file; empty for `session`."""
    phase: Phase
    outcome: Outcome
    exception: str = ""
    """Qualified name of the exception's type, where there was one."""
    file: str = ""
    """File (below the tree) of the innermost frame that belongs to the hidden tests."""
    line: int = 0
    """Line of that frame, 1-based."""
    message: str = ""
    """First 2,000 characters of what it said; for people, never for the verdict."""
    elapsed: float = 0.0
    """Seconds, as the runner's clock says; the judge keeps its own."""
