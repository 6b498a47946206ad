"""Which controls are applied in which round.

Rounds come in pairs. Of each pair, every guarded id is wrong in one round, secretly chosen, and
right in the other; no round is all right. A control that makes several ids wrong puts all of them
on one side. The first pair edits the last check of a test, because that one also shows whether the
test came to its end; the next ones go through the checks that weren't edited yet.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from benchwright.formats import Control, ControlSet, Edit

Place = tuple[str, int, int]
Change = tuple[tuple[str, str], ...]
"""Of each edit, the digest of the old text, and the new text."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One round: what is applied, and which ids that makes wrong."""

    controls: tuple[Control, ...] = ()

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Every edit of the round."""
        return tuple(edit for control in self.controls for edit in control.edits)

    @property
    def wrong(self) -> dict[str, tuple[Control, ...]]:
        """The wrong ids, each with the controls that make it wrong."""
        found: dict[str, tuple[Control, ...]] = {}
        for control in self.controls:
            for test in control.ids:
                found[test] = (*found.get(test, ()), control)
        return found

    @property
    def touched(self) -> frozenset[str]:
        """The ids of which the round shows nothing, because an edit of others changes them too."""
        return frozenset(test for control in self.controls for test in control.touches)


@dataclass(slots=True)
class Draw:
    """A pair of rounds while it is being drawn.

    Tests that are copies of each other would tell by comparison which version is the right one. So
    checks that read alike get the same change, one half of them in the one round, the other half in
    the other: in each, both versions are seen equally often.
    """

    sides: tuple[list[Control], list[Control]] = field(default_factory=lambda: ([], []))
    taken: set[str] = field(default_factory=set)
    """Ids that are wrong on one of the sides, each by one control: two could undo each other."""
    touched: set[str] = field(default_factory=set)
    """Ids that are changed without being made wrong; they are wrong on neither side."""
    changes: dict[str, Change] = field(default_factory=dict)
    """Family -> the change that its checks get."""
    lean: Counter[str] = field(default_factory=Counter)
    """Family -> how many more of its checks are on the second side than on the first."""

    def put(self, control: Control, side: int) -> None:
        """Take a control in."""
        self.sides[side].append(control)
        self.taken.update(control.ids)
        self.touched.update(control.touches)
        self.changes.setdefault(control.family, change(control))
        self.lean[control.family] += 1 if side else -1

    def free(self, control: Control) -> bool:
        """Whether nothing that was drawn so far concerns the ids that a control changes."""
        return self.taken.isdisjoint((*control.ids, *control.touches)) and self.touched.isdisjoint(
            control.ids
        )

    def lighter(self, family: str, otherwise: int) -> int:
        """The side with fewer checks of a family."""
        lean = self.lean[family] if family else 0
        return int(lean < 0) if lean else otherwise

    def likeness(self, control: Control) -> int:
        """Whether checks that read alike were changed in this way: 0, in another: 2, or not: 1."""
        if control.family not in self.changes or not control.family:
            return 1
        return 0 if self.changes[control.family] == change(control) else 2


@dataclass(slots=True)
class Planner:
    """Draws pairs of rounds; what was drawn before is drawn last."""

    controls: ControlSet
    files: Mapping[str, str]
    """Every counted id, with the file it is in."""
    chance: random.Random
    drawn: dict[str, list[Control]] = field(default_factory=dict)
    """Per id, the controls that were applied so far."""
    pairs: int = 0
    _pools: dict[str, tuple[Control, ...]] = field(init=False)
    _apart: frozenset[frozenset[str]] = field(init=False)

    def __post_init__(self) -> None:
        self._pools = pools(self.controls, self.files)
        self._apart = frozenset(frozenset(pair) for pair in self.controls.interferes)

    @property
    def guarded(self) -> frozenset[str]:
        """The ids that have a control."""
        return frozenset(self._pools)

    def pool(self, test: str) -> tuple[Control, ...]:
        """The usable controls of an id."""
        return self._pools.get(test, ())

    def strong(self, test: str) -> tuple[Control, ...]:
        """The strong controls of an id."""
        return tuple(c for c in self.pool(test) if c.strength == "strong")

    def undrawn(self) -> dict[str, frozenset[str]]:
        """Per id, the checks that a strong control could still make wrong; none is empty."""
        found = {}
        for test in self._pools:
            checks = frozenset(control.check for control in self.strong(test))
            found[test] = checks - self._shown(test)
        return {test: left for test, left in found.items() if left}

    def open(self, test: str) -> bool:
        """Whether an id has a check, known by any control, that no strong one has made wrong."""
        return any(control.check not in self._shown(test) for control in self.pool(test))

    def _shown(self, test: str) -> frozenset[str]:
        """The checks of an id that a strong control has made wrong."""
        drawn = self.drawn.get(test, ())
        return frozenset(control.check for control in drawn if control.strength == "strong")

    def pair(
        self,
        wanted: Mapping[str, tuple[Control, ...]] | None = None,
        only: Iterable[str] | None = None,
    ) -> tuple[Plan, Plan]:
        """The next pair of rounds.

        Args:
            wanted: controls that come first for their ids.
            only: the ids to make wrong; all the guarded ones if not given.
        """
        draw = Draw()
        tests = sorted(self._pools if only is None else only)
        self.chance.shuffle(tests)
        wanted = wanted or {}
        for test in sorted(tests, key=lambda t: (t not in wanted, self._alone(t))):
            if test not in draw.taken:
                self._place((*wanted.get(test, ()), *self._ordered(test, draw)), draw)
        self.pairs += 1
        first, second = draw.sides
        for control in (*first, *second):
            for test in control.ids:
                self.drawn.setdefault(test, []).append(control)
        return Plan(tuple(first)), Plan(tuple(second))

    def _place(self, candidates: Iterable[Control], draw: Draw) -> None:
        """Put the first control that fits on a side, drawn before; the id stays right if none does.
        It never goes to the other side instead: where one test is would then tell where another is.
        """
        coin = self.chance.randrange(2)
        for control in candidates:
            side = draw.lighter(control.family, coin)
            apart = not any(self._clash(control, other) for other in draw.sides[side])
            if apart and draw.free(control):
                draw.put(control, side)
                return

    def _alone(self, test: str) -> bool:
        """Whether an id can be made wrong without others: it gives way to those that can't."""
        return any(len(control.ids) == 1 for control in self._pools[test])

    def _clash(self, one: Control, other: Control) -> bool:
        return frozenset((one.id, other.id)) in self._apart or overlap(one.edits, other.edits)

    def _ordered(self, test: str, draw: Draw) -> list[Control]:
        """The controls of an id, the one to draw next first."""
        pool = list(self._pools[test])
        self.chance.shuffle(pool)
        used = [control.id for control in self.drawn.get(test, ())]
        checks = [control.check for control in self.drawn.get(test, ())]
        own = [control for control in pool if self._own(test, control)]
        firm = [control for control in own if control.strength == "strong"] or own
        last = max((place(control.check) for control in firm), default=None)

        def rank(control: Control) -> tuple[object, ...]:
            weak = control.strength == "weak"
            return (
                not checks and place(control.check) != last,
                checks.count(control.check) + weak,
                weak,
                draw.likeness(control),
                bool(control.touches),
                used.count(control.id),
                not control.exclusive,
                len(control.ids) > 1,
            )

        best: dict[str, Control] = {}
        ranked = sorted(pool, key=rank)
        for control in ranked:
            best.setdefault(control.check, control)
        return [*best.values(), *(c for c in ranked if best[c.check] is not c)]

    def _own(self, test: str, control: Control) -> bool:
        return control.unavoidable and place(control.check)[0] == self.files[test]


def concerned(pair: tuple[Plan, Plan]) -> frozenset[str]:
    """The ids that a pair of rounds makes wrong."""
    return frozenset(test for plan in pair for test in plan.wrong)


def change(control: Control) -> Change:
    """What a control does, wherever it does it."""
    return tuple((edit.digest, edit.text) for edit in control.edits)


def pools(controls: ControlSet, files: Mapping[str, str]) -> dict[str, tuple[Control, ...]]:
    """The usable controls of every counted id: those whose failures on the reference are known."""
    found: dict[str, list[Control]] = {}
    for control in controls.controls:
        if not overlap(control.edits, controls.normalise) and all(
            test in control.failures for test in control.ids
        ):
            for test in control.ids:
                if test in files:
                    found.setdefault(test, []).append(control)
    return {test: tuple(pool) for test, pool in found.items()}


def overlap(some: Iterable[Edit], others: Iterable[Edit]) -> bool:
    """Whether two sets of edits can't be made together."""
    others = tuple(others)
    return any(
        a.file == b.file and a != b and a.start <= b.end and b.start <= a.end
        for a in some
        for b in others
    )


def place(check: str) -> Place:
    """A check's name as file, line and column."""
    file, line, column = (*check.rsplit(":", 2), "", "")[:3]
    return file, int(line) if line.isdigit() else 0, int(column) if column.isdigit() else 0
