"""The rounds of one judgement: the same suite on the same product, some of its tests made wrong.

The tests of every round are written anew by the same writer, in the same order, with the same
names and times. One round follows the other, each in fresh boxes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from benchwright.formats import Control, ControlSet, Edit, ExpectedTest, Failure

from .assemble import HiddenFile, edited, write_tests
from .guess import forgiven
from .lines import Span, original
from .plan import Plan, place
from .rig import Rig
from .stream import Observed
from .suite import SuiteResult, called, run_suite

ENDED = ("timeout", "crash")
UNEXPECTED = 200
"""Ids that weren't expected and are noted."""
SLACK = 30.0
"""Seconds that a later round may take beyond three times the first."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """What a wrong version of a test did."""

    seen: Observed
    controls: tuple[Control, ...]
    proven: bool
    """It failed as it failed on the reference."""

    @property
    def checks(self) -> frozenset[str]:
        """The checks that were made wrong."""
        return frozenset(control.check for control in self.controls)

    @property
    def open(self) -> bool:
        """Whether it passed by edits that an honest product may satisfy beside the right version:
        one that is wrong in its own way may well take another input for the one that was meant.
        """
        return self.seen.outcome == "passed" and all(
            control.strength == "strong" and not control.exclusive for control in self.controls
        )


@dataclass(slots=True)
class Sight:
    """Everything the rounds showed of one test."""

    rights: list[Observed] = field(default_factory=list)
    wrongs: list[Wrong] = field(default_factory=list)

    @property
    def right(self) -> Observed:
        """What its right version did: the first run that didn't pass, else the first. Where only a
        wrong version ran, because it ended the box, that.
        """
        bad = [seen for seen in self.rights if seen.outcome != "passed"]
        ended = [wrong.seen for wrong in self.wrongs if wrong.seen.outcome in ENDED]
        return (bad or self.rights or ended or [Observed("missing")])[0]

    @property
    def doubted(self) -> frozenset[str]:
        """The checks of which a wrong version passed openly, and too few others failed."""
        strong = [(w, c) for w in self.wrongs for c in w.controls if c.strength == "strong"]
        failed = Counter({c.id: c.check for w, c in strong if w.proven}.values())
        opened = Counter({c.id: c.check for w, c in strong if w.open}.values())
        return frozenset(check for check, n in opened.items() if not forgiven(failed[check], n))

    @property
    def heeded(self) -> list[Wrong]:
        """The wrong versions that decide: without those that passed openly, where others failed."""
        doubted = self.doubted
        return [wrong for wrong in self.wrongs if not wrong.open or wrong.checks & doubted]

    @property
    def alive(self) -> bool:
        """Whether it can still score."""
        return self.right.outcome == "passed" and all(wrong.proven for wrong in self.heeded)


@dataclass(frozen=True, slots=True)
class Ran:
    """One round, when it is over."""

    plan: Plan
    seconds: float
    restarts: int
    notes: tuple[str, ...]


@dataclass(slots=True)
class Rounds:
    """Runs rounds and keeps what they showed."""

    tree: Path
    """The judged tree; its hidden tests are overwritten."""
    files: Mapping[str, HiddenFile]
    tests: tuple[ExpectedTest, ...]
    """The counted tests."""
    idle: frozenset[str]
    """Ids that don't count, which no round runs."""
    controls: ControlSet
    rig: Rig
    progress: Callable[[str], None] | None = None
    sights: dict[str, Sight] = field(default_factory=dict)
    ran: list[Ran] = field(default_factory=list)
    unexpected: dict[str, None] = field(default_factory=dict)

    def run(self, plan: Plan, label: str = "", only: frozenset[str] | None = None) -> None:
        """Run one round, of all ids or some, and take note of it."""
        if self.progress is not None:
            self.progress(label or f"round {len(self.ran) + 1}")
        edits = (*self.controls.normalise, *plan.edits)
        write_tests(self.tree, edited(self.files, edits))
        names = self.controls.aliases
        tests = tuple(test for test in self.tests if only is None or test.id in only)
        others = {test.id for test in self.tests} - {test.id for test in tests}
        result = run_suite(
            self.tree,
            self.rig,
            tests=tuple(self.files),
            skip=called(names, self.idle | others),
            hurried=self.rig.settings.limits.hurried(test.seconds for test in self.tests),
            seconds=self._seconds(),
        ).renamed(names)
        self.ran.append(Ran(plan, result.seconds, result.restarts, result.notes))
        self._note(plan, tests, edits, result)

    def _note(
        self,
        plan: Plan,
        tests: tuple[ExpectedTest, ...],
        edits: tuple[Edit, ...],
        result: SuiteResult,
    ) -> None:
        wrong, touched = plan.wrong, plan.touched
        for test in tests:
            sight = self.sights.setdefault(test.id, Sight())
            seen = result.outcome(test.id, test.file)
            if test.id in wrong:
                controls = wrong[test.id]
                proven = any(self._matches(c, c.failures[test.id], seen, edits) for c in controls)
                sight.wrongs.append(Wrong(seen, controls, proven))
            elif test.id not in touched:
                sight.rights.append(seen)
        expected = {test.id for test in self.tests}
        strangers = (name for name in result.tests if name not in expected)
        room = UNEXPECTED - len(self.unexpected)
        self.unexpected.update(dict.fromkeys(islice(strangers, room)))

    def _matches(
        self, control: Control, failure: Failure, seen: Observed, edits: tuple[Edit, ...]
    ) -> bool:
        """Whether a test failed because of a control: in its check, where it surfaced on the
        reference, or from the edit on to these. The exception may be another: a half-done product
        fails in its own way, and to forge the type is no harder than to forge the failure.
        """
        if seen.outcome not in ("failed", "error"):
            return False
        alone = (*self.controls.normalise, *control.edits)
        ends = [self._span(failure.file, alone, failure.line)]
        ends.append((place(control.check)[0], Span(*control.lines)))
        places = list(ends)
        for edit in control.edits:
            span = self._touched(edit)
            places.append((edit.file, span))
            places += [(name, span.to(end)) for name, end in ends if name == edit.file]
        file, now = self._span(seen.file, edits, seen.line)
        return any(file == name and span.meets(now) for name, span in places)

    def _span(self, name: str, edits: tuple[Edit, ...], line: int) -> tuple[str, Span]:
        """A place in a round, as the lines of the original file it stands for."""
        file = self.files.get(name)
        mine = {edit: None for edit in edits if edit.file == name}
        return name, original(file.data, mine, line) if file else Span(line, line)

    def _touched(self, edit: Edit) -> Span:
        """The original lines that an edit replaces."""
        data = self.files[edit.file].data
        first = data.count(b"\n", 0, edit.start) + 1
        return Span(first, first + data.count(b"\n", edit.start, edit.end))

    def _seconds(self) -> float:
        """How long a round may take: the task's limit, less when the first took less."""
        limit = self.rig.settings.limits.suite_seconds
        return min(limit, 3 * self.ran[0].seconds + SLACK) if self.ran else limit
