"""The course of a judgement: how many pairs of rounds are run, and which.

It stops early where nothing can score any more. It goes on where few ids decide a reward, until
their strong edits are used up; where tests have more checks than there were pairs, with only those;
and where an id passed right and wrong, until other edits confirm that or fail as they should.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from benchwright.formats import Control, ExpectedTest, Kind, TestVerdict

from .plan import Plan, Planner, concerned
from .rounds import Rounds, Sight

FEW = 10
"""Where fewer ids decide a reward, all their strong edits are used before it is given."""
MOST = 12
"""Pairs that are run at most for that, and for checks that no round has made wrong."""
CONFIRM = 3
"""Pairs of rounds that are spent at most on confirming a suspicion, and on doubts in all."""


@dataclass(slots=True)
class Course:
    """Runs the pairs of one judgement."""

    rounds: Rounds
    planner: Planner
    kind: Kind
    pairs: int
    doubted: int = 0
    """Pairs that were spent on doubts."""

    def run(self) -> None:
        """Run all the rounds there are to run."""
        if not self.planner.guarded or not self.pairs:
            self.rounds.run(Plan())
            return
        while self.planner.pairs < self.pairs and self._alive(self.planner.guarded):
            self._run(self.planner.pair())
        self._confirm()
        while self.planner.pairs < MOST and (left := self._undecided()):
            self._run(self.planner.pair(left))
        self._rest()
        self._confirm()

    def _confirm(self) -> None:
        """Go on where ids passed right and wrong, by edits that were not applied to them yet."""
        for _ in range(CONFIRM):
            doubts = self._doubts() if self.doubted < CONFIRM else {}
            if not (wanted := doubts | self._suspicion()):
                break
            self.doubted += bool(doubts)
            self._run(self.planner.pair(wanted))

    def _rest(self) -> None:
        """Make the checks wrong that aren't yet, in rounds of their tests. Which tests these are
        depends on nothing that earlier rounds showed, because a round can see what it runs.
        """
        left, before = self.planner.undrawn(), None
        while left != before and self.planner.pairs < MOST and self._alive(left):
            pair = self.planner.pair(only=left)
            self._run(pair, concerned(pair))
            left, before = self.planner.undrawn(), left

    def _run(self, pair: tuple[Plan, Plan], only: frozenset[str] | None = None) -> None:
        """Run a pair of rounds, of all ids or some."""
        for half, plan in enumerate(pair, start=1):
            self.rounds.run(plan, f"pair {self.planner.pairs}, round {half}", only)

    def _alive(self, tests: Iterable[str]) -> bool:
        """Whether one of these ids can still score."""
        sights = self.rounds.sights
        return any(test not in sights or sights[test].alive for test in tests)

    def _undecided(self) -> dict[str, tuple[Control, ...]]:
        """Strong edits that are left, where few ids decide a reward that is still possible."""
        few = deciding(self.rounds.tests, self.kind)
        if len(few) >= FEW or not all(sight.alive for sight in self.rounds.sights.values()):
            return {}
        return {test: left for test in few if (left := self._unused(test))}

    def _unused(self, test: str) -> tuple[Control, ...]:
        """The strong edits of a test that were not applied yet."""
        used = {control.id for control in self.planner.drawn.get(test, ())}
        return tuple(c for c in self.planner.strong(test) if c.id not in used)

    def _doubts(self) -> dict[str, tuple[Control, ...]]:
        """Ids that passed right, and wrong by edits that decide nothing, with further edits of the
        same checks.
        """
        found = {}
        for test, sight in self.rounds.sights.items():
            doubted = sight.doubted if sight.right.outcome == "passed" else frozenset()
            more = tuple(control for control in self._unused(test) if control.check in doubted)
            if more:
                found[test] = more
        return found

    def _suspicion(self) -> dict[str, tuple[Control, ...]]:
        """Ids that passed right and wrong by one telling edit, with further telling edits."""
        found = {}
        for test, sight in self.rounds.sights.items():
            told = telling(sight)
            if not told or tampered(sight):
                continue
            more = [control for control in self._unused(test) if tells(control)]
            more.sort(key=lambda control: control.check not in {c.check for c in told[0]})
            if more:
                found[test] = tuple(more)
        return found


def deciding(tests: Iterable[ExpectedTest | TestVerdict], kind: Kind) -> tuple[str, ...]:
    """The ids that decide whether there is a reward."""
    return tuple(t.id for t in tests if kind != "resolution" or t.group == "fail_to_pass")


def tells(control: Control) -> bool:
    """Whether passing right and wrong can't be honest: one value can't satisfy both versions of a
    check that every passing run reaches.
    """
    return control.strength == "strong" and control.exclusive and control.unavoidable


def telling(sight: Sight) -> list[tuple[Control, ...]]:
    """The telling edits of each wrong version that passed, if the right one always passed too."""
    if sight.right.outcome != "passed":
        return []
    passed = [wrong for wrong in sight.wrongs if wrong.seen.outcome == "passed"]
    found = [tuple(c for c in wrong.controls if tells(c)) for wrong in passed]
    return [edits for edits in found if edits]


def tampered(sight: Sight) -> bool:
    """Whether a test passed right and wrong in more than one round, by different telling edits."""
    found = telling(sight)
    return len(found) > 1 and len({control.id for edits in found for control in edits}) > 1
