"""Mix controls on the reference as a judgement does, and part those that disturb each other."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

from benchwright.formats import Control, ControlSet

from .calibrate_stage import Stage
from .plan import Plan, Planner, concerned
from .rounds import Rounds, Sight

REPAIRS = 12
"""Disturbances that are looked into at most."""
EXTRA = 60
"""Pairs that are mixed at most beyond those asked for, until every control was in one."""


@dataclass(frozen=True, slots=True)
class Mixed:
    """What went wrong in random pairs of rounds on the reference."""

    pairs: int
    seconds: float
    broken: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Per test that didn't score, the controls that were applied to it when it didn't."""

    @property
    def clean(self) -> bool:
        """Whether the reference scored 1 in every pair."""
        return not self.broken


def mix(stage: Stage, controls: ControlSet, pairs: int, seed: str) -> Mixed:
    """Run random pairs of rounds on the reference."""
    rounds = rounds_of(stage, controls)
    planner = planner_of(stage, controls, seed)
    for number in range(pairs if planner.guarded else 0):
        for plan in planner.pair():
            rounds.run(plan, f"mixing controls: pair {number + 1} of {pairs}")
    seconds = sum(ran.seconds for ran in rounds.ran)
    return Mixed(pairs, round(seconds, 3), broken(rounds.sights))


def broken(sights: dict[str, Sight]) -> dict[str, tuple[str, ...]]:
    """Tests that wouldn't score, with the controls that failed to make them fail."""
    found: dict[str, tuple[str, ...]] = {}
    for test, sight in sights.items():
        if any(seen.outcome != "passed" for seen in sight.rights):
            found[test] = ()
        unproven = tuple(c.id for w in sight.wrongs if not w.proven for c in w.controls)
        if unproven:
            found[test] = unproven
    return found


def settle(stage: Stage, controls: ControlSet, pairs: int, seed: str) -> ControlSet:
    """Mix until nothing disturbs anything: find out who does, and part or drop them. What no clean
    mix has shown in the end, or in twice the time there is for trying, is dropped, too.
    """
    planner, shown = planner_of(stage, controls, seed), set[str]()
    clean = repairs = 0
    while clean < pairs + EXTRA and controls.controls:
        left = unseen(planner, shown)
        if clean >= pairs and not (left and stage.seconds < 2 * stage.budget):
            break
        rest = left if clean >= pairs else None
        pair = planner.pair(rest, only=rest)
        only = None if rest is None else concerned(pair)
        bad = disturbed(stage, controls, pair, only, f"mixing controls: pair {clean + 1}")
        if bad is None:
            clean += 1
            shown |= {control.id for plan in pair for control in plan.controls}
            continue
        repairs += 1
        controls = part(stage, controls, *bad, drop=repairs > REPAIRS)
        planner = replace(planner, controls=controls)
    return without(controls, tuple(c for c in controls.controls if c.id not in shown))


def unseen(planner: Planner, shown: set[str]) -> dict[str, tuple[Control, ...]]:
    """Per id, its controls that no clean mix has shown; first those of checks that none has."""
    found = {}
    for test in sorted(planner.guarded):
        pool = planner.pool(test)
        seen = {control.check for control in pool if control.id in shown}
        left = [control for control in pool if control.id not in shown]
        found[test] = tuple(sorted(left, key=lambda c: c.check in seen))
    return {test: left for test, left in found.items() if left}


def disturbed(
    stage: Stage,
    controls: ControlSet,
    pair: tuple[Plan, Plan],
    only: frozenset[str] | None,
    label: str,
) -> tuple[Plan, list[str]] | None:
    """The first round of a pair in which tests didn't do as they should, and those."""
    for plan in pair:
        rounds = rounds_of(stage, controls)
        rounds.run(plan, label, only)
        stage.seconds += rounds.ran[0].seconds
        if bad := sorted(broken(rounds.sights)):
            return plan, bad
    return None


def part(
    stage: Stage, controls: ControlSet, plan: Plan, bad: list[str], *, drop: bool
) -> ControlSet:
    """Mend a mix in which some tests didn't do as they should."""
    for test in bad[:8]:
        mine = plan.wrong.get(test, ())
        if drop or fails(stage, controls, test, mine):
            controls = without(controls, mine or touching(stage, plan, test))
            continue
        culprit = bisect(stage, controls, test, mine, [c for c in plan.controls if c not in mine])
        if culprit is None:
            controls = without(controls, mine)
        elif mine:
            pairs = {(min(culprit.id, m.id), max(culprit.id, m.id)) for m in mine}
            controls = controls.model_copy(
                update={"interferes": tuple(sorted({*controls.interferes, *pairs}))}
            )
        else:
            controls = without(controls, (culprit,))
    return controls


def fails(stage: Stage, controls: ControlSet, test: str, some: tuple[Control, ...]) -> bool:
    """Whether a test misbehaves when only these controls are applied."""
    rounds = rounds_of(stage, controls)
    rounds.run(Plan(some), f"mixing controls: looking at {test}"[:100])
    return test in broken(rounds.sights)


def bisect(
    stage: Stage,
    controls: ControlSet,
    test: str,
    mine: tuple[Control, ...],
    others: list[Control],
) -> Control | None:
    """The one control that, beside its own, makes a test misbehave."""
    file = next(t.file for t in stage.tests if t.id == test)
    near = [c for c in others if any(e.file == file for e in c.edits)]
    for group in (near, others):
        if not group or not fails(stage, controls, test, (*mine, *group)):
            continue
        while len(group) > 1:
            half = group[: len(group) // 2]
            group = half if fails(stage, controls, test, (*mine, *half)) else group[len(half) :]
        return group[0]
    return None


def touching(stage: Stage, plan: Plan, test: str) -> tuple[Control, ...]:
    """The controls of a mix in a test's own file: dropped when the cause can't be found."""
    file = next(t.file for t in stage.tests if t.id == test)
    return tuple(c for c in plan.controls if any(e.file == file for e in c.edits))


def without(controls: ControlSet, some: tuple[Control, ...]) -> ControlSet:
    """The set without some controls."""
    gone = {c.id for c in some}
    kept = tuple(c for c in controls.controls if c.id not in gone)
    pairs = tuple(p for p in controls.interferes if not gone & set(p))
    return controls.model_copy(update={"controls": kept, "interferes": pairs})


def rounds_of(stage: Stage, controls: ControlSet) -> Rounds:
    """Rounds as a judgement runs them, on the reference."""
    return Rounds(
        tree=stage.tree,
        files=stage.files,
        tests=stage.tests,
        idle=stage.idle,
        controls=controls,
        rig=stage.rig,
        progress=stage.say,
    )


def planner_of(stage: Stage, controls: ControlSet, seed: str) -> Planner:
    """A planner as a judgement has one."""
    files = {test.id: test.file for test in stage.tests}
    return Planner(controls, files, random.Random(seed))  # noqa: S311 - not the judge's secret
