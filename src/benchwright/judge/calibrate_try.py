"""Try candidate controls on the reference, many in one run, and learn from what fails."""

from __future__ import annotations

from collections import Counter, defaultdict

from benchwright.formats import (
    Control,
    Edit,
    ExpectedTest,
    Failure,
    FormatError,
)
from benchwright.languages import Candidates

from .calibrate_stage import Stage
from .lines import Span, original
from .plan import overlap, place
from .stream import Observed
from .suite import SuiteResult

ENOUGH = 6
"""Strong controls that a test should have, over all its checks."""
LEAST = 2
"""Strong controls that a check should have, where it has so many candidates."""
RUNS = 150
"""Runs that are spent at most on one suite."""
SURE = ("AssertionError", "Failed", "_pytest.outcomes.Failed")
"""How a check itself fails."""
OWN = ("swap-type",)
"""Operators of checks that await an error: they end in the product's own."""


class Trial:
    """Goes through the candidates until every check has enough controls."""

    def __init__(self, stage: Stage, found: Candidates) -> None:
        self.stage = stage
        self.checks: dict[str, list[Control]] = defaultdict(list)
        for control in found.controls:
            if not overlap(control.edits, stage.normal):
                self.checks[control.check].append(control)
        self.tried: Counter[str] = Counter()
        self.held: Counter[str] = Counter()
        """Per check, candidates that left it passing."""
        self.proven: dict[str, list[Control]] = defaultdict(list)
        self.suspect: list[Control] = []
        per_test = Counter(
            t for c in self.checks for t in {i for k in self.checks[c] for i in k.ids}
        )
        self.share = per_test
        self.places: dict[str, set[Span]] = defaultdict(set)
        """Per file, the lines of every check."""
        for control in found.controls:
            self.places[place(control.check)[0]].add(Span(*control.lines))

    def run(self) -> tuple[Control, ...]:
        """Every control that holds; those of tests that must show a change are sought first."""
        every = frozenset(test.id for test in self.stage.tests)
        first = frozenset(test.id for test in self.stage.tests if test.group == "fail_to_pass")
        for wanted in (first, every):
            while self.able and (batch := self.batch(wanted)):
                self.stage.say(
                    f"trying controls: run {self.stage.runs}, {len(batch)} candidates, "
                    f"{sum(map(len, self.proven.values()))} hold"
                )
                self.attempt(batch)
        for control in self.suspect[: max(0, RUNS - self.stage.runs)]:
            self.attempt([control], last=True)
        return tuple(c for check in sorted(self.proven, key=place) for c in self.proven[check])

    @property
    def able(self) -> bool:
        """Whether there are runs and time left."""
        return self.stage.runs < RUNS and self.stage.seconds < self.stage.budget

    # -- what to try next

    def batch(self, wanted: frozenset[str]) -> list[Control]:
        """Candidates for some tests that can share a run: no test has two, no edits overlap."""
        chosen: list[Control] = []
        busy: set[str] = set()
        edits: dict[str, list[Edit]] = defaultdict(list)
        for check in sorted(self.checks, key=lambda c: (self.tried[c], place(c))):
            control = self.next(check)
            if (
                control is None
                or not busy.isdisjoint(control.ids)
                or wanted.isdisjoint(control.ids)
            ):
                continue
            mine = [e for edit in control.edits for e in edits[edit.file]]
            if overlap(control.edits, mine) or any(e in mine for e in control.edits):
                continue
            chosen.append(control)
            busy.update(control.ids)
            for edit in control.edits:
                edits[edit.file].append(edit)
            self.checks[check].remove(control)
            self.tried[check] += 1
        return chosen

    def next(self, check: str) -> Control | None:
        """The next candidate of a check that is worth a run."""
        have = self.proven[check]
        for control in self.checks[check]:
            bare = any(not any(t in c.ids for c in have) for t in control.ids)
            if bare if control.strength == "weak" else self.lacking(control):
                return control
        return None

    def lacking(self, control: Control) -> bool:
        """Whether one of its tests has too few strong controls at this check. Those that make
        several tests wrong at once count only among themselves: who solved one of the tests can
        tell by it which version of the others is shown.
        """
        alone = len(control.ids) == 1
        have = [
            c
            for c in self.proven[control.check]
            if c.strength == "strong" and not (alone and len(c.ids) > 1)
        ]
        return any(
            sum(t in c.ids for c in have) < max(LEAST, -(-ENOUGH // self.share[t]))
            for t in control.ids
        )

    # -- what a run showed

    def attempt(self, batch: list[Control], *, last: bool = False) -> None:
        """Run one batch and sort its candidates."""
        busy = frozenset(t for control in batch for t in control.ids)
        narrow = len(busy) < len(self.stage.tests) // 2
        try:
            result = self.stage.run(
                [e for control in batch for e in control.edits], busy if narrow else None
            )
        except FormatError:
            return
        strays = set() if narrow or last else self.strays(result, busy)
        edits = (*self.stage.normal, *(edit for control in batch for edit in control.edits))
        for control in batch:
            if len(batch) > 1 and any(self.related(control, test) for test in strays):
                self.suspect.append(control)
            else:
                self.judge(control, result, edits)

    def strays(self, result: SuiteResult, busy: frozenset[str]) -> set[ExpectedTest]:
        """Tests that failed although no candidate was meant for them."""
        return {
            t
            for t in self.stage.tests
            if t.id not in busy and result.outcome(t.id, t.file).outcome != "passed"
        }

    def related(self, control: Control, test: ExpectedTest) -> bool:
        """Whether a control could be why another test failed."""
        files = {e.file for e in control.edits}
        return test.file in files or not any(f.rpartition("/")[2].startswith("test") for f in files)

    def judge(self, control: Control, result: SuiteResult, edits: tuple[Edit, ...]) -> None:
        """Keep a control for the tests that failed because of it; as a weak one where they failed
        beside every check, as in what prepares them: that says nothing of what is checked.
        """
        files = {test.id: test.file for test in self.stage.tests}
        seen = {t: result.outcome(t, files[t]) for t in control.ids}
        failures = {t: failure(s) for t, s in seen.items() if self.counts(control, s)}
        others = [s for t, s in seen.items() if t not in failures and s.outcome != "passed"]
        if not failures or others:
            self.held[control.check] += not others
            return
        passed = tuple(t for t in control.ids if t not in failures)
        found = {"ids": tuple(failures), "failures": failures, "touches": passed}
        if not all(self.at_a_check(control, one, edits) for one in failures.values()):
            found["strength"] = "weak"
        self.proven[control.check].append(control.model_copy(update=found))

    def at_a_check(self, control: Control, failure: Failure, edits: tuple[Edit, ...]) -> bool:
        """Whether a test failed in the lines of a check. A check that was edited itself may also
        surface elsewhere: where a product hands on what was raised in a callback of the test.
        """
        if self.inside(control) and (failure.exception in SURE or control.operator in OWN):
            return True
        mine = {edit: None for edit in edits if edit.file == failure.file}
        now = original(self.stage.files[failure.file].data, mine, failure.line)
        return any(span.meets(now) for span in self.places[failure.file])

    def inside(self, control: Control) -> bool:
        """Whether a control edits nothing but its check."""
        file, lines = place(control.check)[0], Span(*control.lines)
        data = self.stage.files[file].data
        starts = (data.count(b"\n", 0, edit.start) + 1 for edit in control.edits)
        return all(edit.file == file for edit in control.edits) and all(
            lines.meets(Span(line, line)) for line in starts
        )

    def counts(self, control: Control, seen: Observed) -> bool:
        """Whether a test failed as a control should make it fail: in the tests, by the check."""
        if seen.outcome != "failed" or seen.file not in self.stage.files or seen.line < 1:
            return False
        if seen.exception in ("SyntaxError", "NameError", "IndentationError"):
            return False
        own = control.operator in OWN or control.operator.startswith("input")
        return own or seen.exception in SURE or seen.exception.endswith("Error")


def failure(seen: Observed) -> Failure:
    """The signature of a failure."""
    return Failure(exception=seen.exception, file=seen.file, line=seen.line)
