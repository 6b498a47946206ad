"""What an engine is: whatever carries out trials, here or elsewhere.

An engine gets trials that are missing and the folder they belong to. It holds a trial's lock while
it works on it, saves every result as soon as it is there, and tries a lost trial again a bounded
number of times. It returns when every trial has a result, its own or another process's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from benchwright.formats import TrialResult
from benchwright.jobs.plan import Trial
from benchwright.jobs.store import Store
from benchwright.jobs.trial import Tools


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that happened, for whoever watches."""

    what: Literal["kept", "working", "judging", "retrying", "finished", "elsewhere"]
    """`kept`: it was finished before; `elsewhere`: another process works on it."""
    trial: str
    result: TrialResult | None = None
    """With `retrying` the lost one, with `kept` and `finished` the final one."""


Watch = Callable[[Moment], None]


class Engine(Protocol):
    """A way to carry out trials."""

    def run(self, trials: Sequence[Trial], store: Store, tools: Tools, watch: Watch) -> None:
        """Carry out every trial.

        Raises:
            InputError: a task or an agent can't be used at all; what was finished stays.
            StorageError: a result couldn't be written.
            KeyboardInterrupt: everything under way was ended; what was finished stays.
        """
