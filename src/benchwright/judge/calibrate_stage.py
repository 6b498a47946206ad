"""The reference on its judged tree, and how the hidden suite is run on it with edits."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchwright.formats import Edit, ExpectedTest, FormatError, TaskError

from .assemble import HiddenFile, edited, write_tests
from .rig import Rig
from .suite import SuiteResult, called, run_suite


@dataclass(slots=True)
class Stage:
    """The reference on its judged tree, and how to run the hidden suite on it."""

    tree: Path
    files: Mapping[str, HiddenFile]
    tests: tuple[ExpectedTest, ...]
    idle: frozenset[str]
    """Ids that don't count: they run only where all ids are lined up."""
    rig: Rig
    say: Callable[[str], None]
    normal: tuple[Edit, ...] = ()
    aliases: dict[str, str] = field(default_factory=dict)
    runs: int = 0
    seconds: float = 0.0
    """Spent on running the suite."""
    budget: float = math.inf
    """Seconds after which no more candidates are tried."""

    def run(
        self,
        edits: Iterable[Edit] = (),
        only: frozenset[str] | None = None,
        *,
        idle: bool = False,
    ) -> SuiteResult:
        """Run the counted tests, or only some, or with `idle` all there are, with edits."""
        write_tests(self.tree, edited(self.files, (*self.normal, *edits)))
        start = time.monotonic()
        result = run_suite(
            self.tree,
            self.rig,
            tests=tuple(self.files),
            skip=frozenset() if idle else self.skipped(only),
        )
        self.runs += 1
        self.seconds += time.monotonic() - start
        return result.renamed(self.aliases)

    def skipped(self, only: frozenset[str] | None) -> frozenset[str]:
        """The ids to leave out, as the runner knows them."""
        left = set(self.idle)
        if only is not None:
            left |= {test.id for test in self.tests if test.id not in only}
        return called(self.aliases, left)

    def normalise(self, edits: tuple[Edit, ...]) -> None:
        """Take the edits that every round needs, as far as they change nothing but ids.

        Raises:
            TaskError: the reference fails without any edit.
        """
        self.say("running the reference")
        plain = self.run(idle=True)
        bad = [t.id for t in self.tests if plain.outcome(t.id, t.file).outcome != "passed"]
        if bad:
            raise TaskError(
                f"the reference fails {len(bad)} of its counted tests, first {bad[0]}",
                hint="validate the task again",
            )
        while edits:
            self.normal = edits
            try:
                result = self.run(idle=True)
            except FormatError:
                self.normal, edits = (), ()
                break
            self.aliases, strange = aligned(plain.order, result)
            strange |= self.spoilt(result.renamed(self.aliases))
            if not strange:
                return
            self.aliases = {}
            edits = tuple(e for e in edits if e.file not in strange)
        self.normal = edits

    def spoilt(self, result: SuiteResult) -> set[str]:
        """Files of counted tests that no longer pass."""
        outcomes = {test: result.outcome(test.id, test.file).outcome for test in self.tests}
        return {test.file for test, outcome in outcomes.items() if outcome != "passed"}


def aligned(order: tuple[str, ...], result: SuiteResult) -> tuple[dict[str, str], set[str]]:
    """Which new id stands for which old one, by position; and files where that can't be said."""
    old, new = grouped(order), grouped(result.order)
    aliases: dict[str, str] = {}
    strange: set[str] = set()
    for name, mine in old.items():
        theirs = new.get(name, [])
        passed = all(t in result.tests and result.tests[t].outcome != "error" for t in theirs)
        if len(mine) != len(theirs) or not passed:
            strange.add(name.partition("::")[0])
        else:
            aliases |= {a: b for a, b in zip(theirs, mine, strict=True) if a != b}
    return aliases, strange


def grouped(ids: Iterable[str]) -> dict[str, list[str]]:
    """Ids by what stands before their parameters."""
    groups: dict[str, list[str]] = defaultdict(list)
    for test in ids:
        groups[test.partition("[")[0]].append(test)
    return groups
