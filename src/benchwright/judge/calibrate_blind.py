"""Controls that see nothing: a product that pretends fails them as the reference does.

A test may pass on objects that are equal to everything, and its wrong version fail, because the
edit lies beside what the product gives (`assert errors == []`, where a loop over equal objects
found no error). Such a control shows that nobody forged the report, but not that anything was
done. It goes where another one sees more; else it stays, and counts as weak.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from benchwright.formats import Control, ControlSet
from benchwright.languages import get
from benchwright.tasks import Task, plant, walk

from .assemble import assemble
from .calibrate_mix import EXTRA, planner_of, rounds_of, unseen, without
from .calibrate_stage import Stage
from .plan import concerned
from .rounds import Rounds, Sight


def sighted(task: Task, stage: Stage, controls: ControlSet, seed: str) -> ControlSet:
    """The controls without the blind ones that aren't needed; those that are become weak.

    Args:
        task: whose reference the stage is.
        stage: where rounds run.
        controls: those that hold on the reference.
        seed: draws the rounds.
    """
    if task.settings.runner.own or not controls.controls:
        return controls  # stand-ins of the runner would run nothing
    work = stage.tree.with_name("pretender")
    assemble(task, pretender(task, work / "product"), work / "tree")
    rig = stage.rig.hurried(test.seconds for test in stage.tests)
    rounds = rounds_of(replace(stage, tree=work / "tree", rig=rig), controls)
    planner, shown = planner_of(stage, controls, seed), set[str]()
    for number in range(EXTRA):
        left = {t: c for t, c in unseen(planner, shown).items() if deceived(rounds, t)}
        if not left:
            break
        pair = planner.pair(left, only=left)
        for plan in pair:
            rounds.run(plan, f"looking for blind controls: pair {number + 1}", concerned(pair))
        shown |= {control.id for plan in pair for control in plan.controls}
    return pruned(controls, blind(rounds.sights))


def deceived(rounds: Rounds, test: str) -> bool:
    """Whether a test passed on a pretender whenever it was right, as far as it ran."""
    sight = rounds.sights.get(test)
    return sight is None or sight.right.outcome == "passed"


def blind(sights: Mapping[str, Sight]) -> frozenset[tuple[str, str]]:
    """Ids of controls, each with a test that a pretender would win by it."""
    return frozenset(
        (control.id, test)
        for test, sight in sights.items()
        if sight.right.outcome == "passed"
        for wrong in sight.wrongs
        if wrong.proven
        for control in wrong.controls
    )


def pruned(controls: ControlSet, found: frozenset[tuple[str, str]]) -> ControlSet:
    """Without what is blind for all its tests, where each of them has a control that sees."""
    seen = {t for c in controls.controls for t in c.ids if (c.id, t) not in found}

    def sees(control: Control) -> bool:
        return any((control.id, test) not in found for test in control.ids)

    needless = tuple(c for c in controls.controls if not sees(c) and seen.issuperset(c.ids))
    left = without(controls, needless)
    rated = (c if sees(c) else c.model_copy(update={"strength": "weak"}) for c in left.controls)
    return left.model_copy(update={"controls": tuple(rated)})


def pretender(task: Task, dest: Path) -> Path:
    """A product whose every name exists and whose every result is equal to everything."""
    language, product = get(task.settings.language), task.settings.product
    files = {name: path.read_bytes() for name, path in walk(task.solution) if path.is_file()}
    mine = {name: data for name, data in files.items() if product.owns(name)}
    plant(files | language.permissive(mine, equal=True), dest)
    return dest
