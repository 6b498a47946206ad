"""How many pairs of rounds a judgement runs, and which."""

from pathlib import Path

import pytest

from judge import shapes
from judge.shapes import Judge

FAKED = """
class Anything:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
right = perimeter
def perimeter(w, h):
    return Anything() if w == 10 else right(w, h)
"""


def test_fewer_rounds_are_enough_where_nothing_scores(judged: Judge) -> None:
    verdict = judged("raise ImportError('no')\n", pairs=4)

    assert verdict.counts == {"missing": 11}
    assert verdict.guard is not None
    assert (verdict.guard.pairs, verdict.guard.asked) == (1, 4)


def test_a_test_with_more_checks_than_pairs_is_made_wrong_at_each(judged: Judge) -> None:
    verdict = judged()

    assert verdict.guard is not None
    assert (verdict.guard.pairs, verdict.guard.asked) == (2, 1)
    assert [len(one.controls) for one in verdict.guard.rounds[2:]] in ([0, 1], [1, 0])
    assert (verdict.guard.partial, verdict.guard.partial_bound) == (0, 1 / 4)
    assert (verdict.score, verdict.counts) == (1.0, {"passed": 11})


def test_one_faked_check_of_a_test_that_is_else_solved_is_seen(judged: Judge) -> None:
    verdict = judged(shapes.REFERENCE + FAKED)

    (faked,) = (test for test in verdict.tests if test.id.endswith("::test_long_perimeter"))
    assert (faked.outcome, faked.reason, faked.scores) == ("passed", "vacuous", False)


def test_no_pairs_are_one_plain_run(judged: Judge) -> None:
    verdict = judged(pairs=0)

    assert (verdict.score, verdict.reward) == (1.0, 0.0)
    assert verdict.guard is not None
    assert (verdict.guard.pairs, len(verdict.guard.rounds)) == (0, 1)


def test_resolution_needs_both_groups_and_uses_up_the_edits_of_few(
    judged: Judge, tmp_path: Path
) -> None:
    task = shapes.write_task(
        tmp_path / "task", "resolution", fail_to_pass=("test_area", "test_perimeter")
    )

    verdict = judged(on=task)

    assert (verdict.score, verdict.reward) == (1.0, 1.0)
    assert verdict.guard is not None
    applied = {name for one in verdict.guard.rounds for name in one.controls}
    assert sum(name.startswith("test_area:") for name in applied) == 6
    assert sum(name.startswith("test_perimeter:") for name in applied) == 3
    assert verdict.guard.pairs == 6


INPUT = "area(2, 3) == 6"
NARROW = """
def area(width, height):
    if width < 0:
        raise ValueError("negative width")
    return min(width, 2) * height
"""


@pytest.mark.parametrize(("exclusive", "reason"), [(2, ""), (1, "vacuous")])
def test_an_input_that_a_wrong_product_takes_for_another_decides_nothing_where_others_fail(
    judged: Judge, tmp_path: Path, exclusive: int, reason: str
) -> None:
    task = shapes.write_task(tmp_path / "task")
    test, known = f"{shapes.FILE}::test_area", shapes.controls()
    given = shapes.swap(INPUT, INPUT.replace("2, 3", "3, 3"), "test_area")
    mine = [control for control in known.controls if test in control.ids][:exclusive]
    rest = [control for control in known.controls if test not in control.ids]
    every = (*mine, given.model_copy(update={"exclusive": False}), *rest)
    known.model_copy(update={"controls": every}).write(task.validation / "controls.json")

    verdict = judged(shapes.REFERENCE + NARROW, on=task, pairs=3)

    (shown,) = (one for one in verdict.tests if one.id == test)
    assert (shown.outcome, shown.reason) == ("passed", reason)
    assert verdict.guard is not None
    assert given.id in {name for one in verdict.guard.rounds for name in one.controls}
