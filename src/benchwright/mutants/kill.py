"""Rules, wrong implementations and the kill matrix of one task, start to end."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from benchwright.formats import KillMatrix, Mutant, RuleSet, TaskError, read_bytes
from benchwright.tasks import Task

from .agreement import agree
from .ground import Ground
from .matrix import Runner, assembled
from .sample import LIMIT, sample
from .strength import attributed

RULES = "rules.json"
MATRIX = "matrix.json"
WAIVERS = "waivers.toml"


def kill_matrix(
    ground: Ground, kept: Path, *, limit: int = LIMIT, seed: str = ""
) -> tuple[RuleSet, KillMatrix]:
    """The rules of a task's reference, and which tests notice what.

    Args:
        ground: the task, ready.
        kept: folder for what is done so far, until all is.
        limit: most rule-based mutants that are run.
        seed: draws the cells that the judge looks at again; the reference's digest if empty.

    Raises:
        TaskError: the suite can't be measured, or the waivers are broken.
    """
    rules = ground.rules()
    measured = ground.measure()
    tests = passing(ground, measured_outcomes={n: t.outcome for n, t in measured.tests.items()})
    product = ground.task.settings.product
    wrong = ground.language.wrong(ground.files, product, rules.rules, measured.imported)
    chosen = sample(wrong.mutants, limit)
    share = len(chosen) / len(wrong.mutants) if wrong.mutants else 1.0
    ground.say(f"matrix: {len(chosen)} of {len(wrong.mutants)} wrong implementations ({share:.0%})")
    runner = Runner(ground, measured, tests, chosen, kept)
    found = runner.compare(runner.run())
    matrix = assembled(
        ground,
        runner,
        found,
        sampled=share,
        equivalent=wrong.equivalent,
        waived=waivers(ground.task),
    )
    by_id: Mapping[str, Mutant] = {mutant.id: mutant for mutant in chosen}
    agreement = agree(ground, matrix, by_id, kept, seed or matrix.reference)
    matrix = matrix.model_copy(update={"agreement": agreement})
    return attributed(rules, matrix), matrix


def passing(ground: Ground, measured_outcomes: Mapping[str, str]) -> tuple[str, ...]:
    """The counted tests that can be run fast: they pass in a forked process, too."""
    counted = [test.id for test in ground.task.manifest.counted]
    able = tuple(name for name in counted if measured_outcomes.get(name) == "passed")
    if not able:
        raise TaskError(f"{ground.task.root}: no counted test passes on the reference")
    return able


def waivers(task: Task) -> dict[str, str]:
    """Mutants that a person holds to be equivalent to the reference, with the reason.

    `validation/waivers.toml` is a table `[equivalent]` of ids and reasons.

    Raises:
        TaskError: the file is broken, or a reason is missing.
    """
    path = task.validation / WAIVERS
    if not path.is_file():
        return {}
    try:
        found = tomllib.loads(read_bytes(path).decode()).get("equivalent", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TaskError(f"{path}: not TOML: {error}") from None
    if not isinstance(found, dict) or not all(isinstance(r, str) and r for r in found.values()):
        raise TaskError(f"{path}: [equivalent] must give a reason for every id")
    return dict(found)
