"""A ledger with a budget: every call is reserved before it is made and settled after it.

Any number of threads and processes may open the same file; a lock beside it makes reserving and
settling one step each. Calls that are under way are held against the budget by an estimate, so
that parallel calls can't overshoot together; one call may still use more than its estimate.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from pydantic import ValidationError

from benchwright.formats import Budget, Call, Spent, StorageError, boundary, exclusive


class OverBudgetError(Exception):
    """The budget is spent; the text says which, for the agent."""


class Account:
    """A `ledger.jsonl` and what may be spent on it."""

    def __init__(self, path: Path, budget: Budget | None = None) -> None:
        self.path = path
        self.budget = budget or Budget()
        self._open = path.with_name(f".{path.name}.open")
        self._guard = Lock()
        self._offset = 0
        self._spent = Spent()

    def reserve(self, call: str, tokens: int, money: float, seconds: float) -> None:
        """Hold an estimate of a call that will end within `seconds`.

        Raises:
            OverBudgetError: the budget doesn't allow it; nothing is held.
        """
        if self.budget == Budget():
            return
        with self._locked():
            under_way = self._under_way()
            held = list(under_way.values())
            spent = self._spent
            self._allow("calls", self.budget.calls, spent.calls + len(held) + 1)
            self._allow("tokens", self.budget.tokens, spent.counted + sum(h[1] for h in held) + 1)
            self._allow("money", self.budget.money, spent.money + sum(h[2] for h in held) + 1e-9)
            under_way[call] = (time.time() + seconds, tokens, money)
            self._hold(under_way)

    def release(self, call: str) -> None:
        """Give up what was held for a call that wasn't made."""
        if self.budget == Budget():
            return
        with self._locked():
            self._hold({k: v for k, v in self._under_way().items() if k != call})

    def settle(self, call: Call) -> None:
        """Write the call's line; what was held for it is free again."""
        with self._locked():
            with self.path.open("ab") as file:
                torn = file.tell() > self._offset
                file.write(b"\n" * torn + call.model_dump_json().encode() + b"\n")
            self._catch_up()
            under_way = self._under_way() if self.budget != Budget() else {}
            if under_way.pop(call.id, None):
                self._hold(under_way)

    def spent(self) -> Spent:
        """What the file says now."""
        with self._locked():
            return self._spent

    def _allow(self, what: str, limit: float | None, needed: float) -> None:
        if limit is not None and needed > limit:
            raise OverBudgetError(f"the budget of {what} is spent ({limit:g})")

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with self._guard, boundary(StorageError, str(self.path)):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with exclusive(self.path.with_name(f".{self.path.name}.lock")):
                self._catch_up()
                yield

    def _catch_up(self) -> None:
        """Add the whole lines that came since the last look, whoever wrote them."""
        if not self.path.exists():
            return
        with self.path.open("rb") as file:
            file.seek(self._offset)
            data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        for call in calls(whole):
            self._spent = self._spent.plus(call)
        self._offset += len(whole)

    def _under_way(self) -> dict[str, tuple[float, int, float]]:
        """What is held; a process that died can't hold longer than its calls could have run."""
        try:
            held = json.loads(self._open.read_bytes())
        except (FileNotFoundError, ValueError):
            return {}
        return {k: tuple(v) for k, v in held.items() if v[0] > time.time()}

    def _hold(self, held: dict[str, tuple[float, int, float]]) -> None:
        # Not by truncating to nothing first: file systems flush what is replaced like that.
        handle = os.open(self._open, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
        with os.fdopen(handle, "wb") as file:
            file.write(json.dumps(held).encode())
            file.truncate()


def calls(data: bytes) -> Iterator[Call]:
    """The lines of a ledger; one that a crash left half written isn't a call."""
    for line in data.splitlines():
        try:
            yield Call.model_validate_json(line)
        except ValidationError:
            continue
