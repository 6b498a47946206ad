"""`submit` and `check`: what an agent may ask of the harness itself.

Both are plain HTTP on the door (`POST /submit`, `POST /check` with a word as body, answered with
text) and two small commands in every sandbox. What they do is the job's affair, given as callbacks;
what is held here is that a trial is submitted once, and that checks are limited in kind and number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Literal

CheckKind = Literal["visible", "hidden-count", "lint", "types"]
SHOWN = 16 << 10
"""Bytes of a check's answer that an agent sees."""


class DeclinedError(Exception):
    """The agent asked for what it can't have; the text is for the agent."""


def no_check(kind: CheckKind) -> str:
    """Where a task allows no checks."""
    raise DeclinedError(f"{kind}: not available")


def no_submit(message: str) -> None:
    """Where nothing has to be done at once: that it was submitted is known."""


@dataclass(slots=True)
class Services:
    """What one trial's agent may ask for. Callbacks are called in a thread of their own."""

    allow: tuple[CheckKind, ...] = ()
    limit: int = 0
    check: Callable[[CheckKind], str] = no_check
    """Runs one kind of check on the workspace as it is; what it returns is shown as it is, so it
    must hold no more than the task allows. May raise `DeclinedError`."""
    submit: Callable[[str], None] = no_submit
    """Is told, once, that the work was submitted."""
    submitted: bool = False
    used: int = 0
    _guard: Lock = field(default_factory=Lock, repr=False)

    def run_submit(self, message: str) -> str:
        """Submit, the first time.

        Raises:
            DeclinedError: it was submitted already.
        """
        with self._guard:
            if self.submitted:
                raise DeclinedError("already submitted: the first submission counts")
            self.submitted = True
        self.submit(message)
        return "submitted: the work as it is now will be judged\n"

    def run_check(self, kind: str) -> str:
        """Check, if the task allows this kind and there is one left.

        Raises:
            DeclinedError: it doesn't, or there is none.
        """
        chosen = next((k for k in self.allow if k == (kind or self.allow[0])), None)
        if chosen is None:
            known = ", ".join(self.allow) or "none"
            raise DeclinedError(f"{kind or 'check'}: not allowed here (allowed: {known})")
        with self._guard:  # one at a time: a check costs as much as judging
            if self.submitted:
                raise DeclinedError("already submitted")
            if self.used >= self.limit:
                raise DeclinedError(f"no checks left (of {self.limit})")
            self.used += 1
            text = self.check(chosen)
        left = self.limit - self.used
        return f"{text[:SHOWN].rstrip()}\n({left} of {self.limit} checks left)\n"
