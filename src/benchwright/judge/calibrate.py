"""Find out which candidate controls hold: try them on the reference, and keep what failed as meant.

Many candidates share a run, one per test. What fails tells which of them work; its place and its
exception become the control's signature. Afterwards the controls are mixed as a judgement mixes
them, and those that disturb each other are kept apart.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from benchwright.environments import Environment, build
from benchwright.formats import Control, ControlSet, StorageError, boundary
from benchwright.languages import Candidates
from benchwright.sandbox import Sandbox, choose
from benchwright.tasks import Task, digest

from .assemble import assemble, hidden
from .calibrate_blind import sighted
from .calibrate_cover import cover, figures, recover
from .calibrate_mix import Mixed, mix, settle, without
from .calibrate_stage import Stage
from .calibrate_try import Trial
from .rig import Rig

PAIRS = 20
"""Random pairs of rounds in which the reference must score 1."""

Progress = Callable[[str], None]


def calibrate(
    task: Task,
    *,
    sandbox: Sandbox | None = None,
    environment: Environment | None = None,
    pairs: int = PAIRS,
    seed: str = "",
    seconds: float = math.inf,
    progress: Progress | None = None,
) -> ControlSet:
    """The proven controls of a task.

    Args:
        task: with a manifest whose counted tests pass on the reference.
        sandbox: where the suite runs; the default one if not given.
        environment: the task's, if it is built already.
        pairs: random pairs of rounds in which the controls are mixed.
        seed: draws the mixes; equal seeds give equal controls.
        seconds: of running the suite, after which no more candidates are tried.
        progress: told what is being done.

    Raises:
        TaskError: the reference doesn't pass its own counted tests.
        SandboxError: no box could be started.
    """
    with staged(task, sandbox, environment, progress) as stage:
        stage.budget = seconds
        found = propose(task, stage)
        stage.normalise(found.normalise)
        trial = Trial(stage, found)
        proven = trial.run()
        controls = ControlSet(
            tests=digest(task.hidden),
            normalise=stage.normal,
            aliases=stage.aliases,
            controls=proven,
        )
        controls = settle(stage, controls, pairs, seed or task.name)
        controls = sighted(task, stage, controls, seed or task.name)
        coverage = cover(found, trial, controls)
        counted = [test.id for test in stage.tests]
        guarded = controls.guarding()
        return controls.model_copy(
            update={
                "coverage": coverage,
                "bare": tuple(t for t in counted if t not in guarded),
                "figures": figures(coverage, counted, controls),
            }
        )


def prove(
    task: Task,
    controls: ControlSet,
    *,
    sandbox: Sandbox | None = None,
    environment: Environment | None = None,
    pairs: int = PAIRS,
    seed: str = "",
    progress: Progress | None = None,
) -> Mixed:
    """Mix a task's controls in random pairs of rounds on the reference.

    Returns:
        What didn't score in some pair; nothing where all is well.

    Raises:
        SandboxError: no box could be started.
    """
    with staged(task, sandbox, environment, progress) as stage:
        return mix(stage, controls, pairs, seed or task.name)


def mend(
    task: Task,
    controls: ControlSet,
    mixed: Mixed,
    *,
    sandbox: Sandbox | None = None,
    environment: Environment | None = None,
    pairs: int = PAIRS,
    seed: str = "",
    progress: Progress | None = None,
) -> ControlSet:
    """The controls without those that didn't hold in a mix, mixed anew until they all do.

    Raises:
        SandboxError: no box could be started.
    """
    gone = {name for names in mixed.broken.values() for name in names}
    with staged(task, sandbox, environment, progress) as stage:
        left = without(controls, tuple(c for c in controls.controls if c.id in gone))
        left = settle(stage, left, pairs, seed or task.name)
        counted = [test.id for test in stage.tests]
    coverage, guarded = recover(controls.coverage, left), left.guarding()
    return left.model_copy(
        update={
            "coverage": coverage,
            "bare": tuple(t for t in counted if t not in guarded),
            "figures": figures(coverage, counted, left),
        }
    )


@contextmanager
def staged(
    task: Task,
    sandbox: Sandbox | None,
    environment: Environment | None,
    progress: Progress | None,
) -> Iterator[Stage]:
    """The reference in its judged tree, ready to run, for as long as it is needed."""
    say = progress or silent
    environment = environment or build(task.recipe, task.lock, progress=say)
    with (
        boundary(StorageError, "no scratch space"),
        tempfile.TemporaryDirectory(prefix="benchwright-") as work,
    ):
        tree = Path(work) / "tree"
        assemble(task, task.solution, tree)
        yield Stage(
            tree=tree,
            files=hidden(task),
            tests=task.manifest.counted,
            idle=task.manifest.idle,
            rig=Rig.of(task, environment, sandbox or choose()),
            say=say,
        )


def propose(task: Task, stage: Stage) -> Candidates:
    """What the language proposes for the counted tests."""
    data = {name: file.data for name, file in stage.files.items() if not file.link}
    ids = [test.id for test in task.manifest.tests]
    found = stage.rig.language.controls(data, ids)
    counted = {test.id for test in stage.tests}
    kept = [narrowed(control, counted) for control in found.controls]
    return replace(found, controls=tuple(control for control in kept if control.ids))


def narrowed(control: Control, counted: set[str]) -> Control:
    """The control with its counted ids only."""
    return control.model_copy(update={"ids": tuple(t for t in control.ids if t in counted)})


def silent(message: str) -> None:
    """Say nothing."""
