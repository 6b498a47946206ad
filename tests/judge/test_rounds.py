"""What the rounds showed of one test, and which wrong versions of it decide."""

from pathlib import Path

import pytest

from benchwright.environments import Environment
from benchwright.formats import Control, ControlSet, Failure, edit
from benchwright.judge.assemble import HiddenFile
from benchwright.judge.guess import chance
from benchwright.judge.rig import Rig
from benchwright.judge.rounds import Rounds, Sight, Wrong
from benchwright.judge.score import forgery_bound, why_not
from benchwright.judge.stream import Observed
from benchwright.sandbox import Sandbox
from benchwright.tasks import Task
from judge import shapes

AREA = tuple(c for c in shapes.controls().controls if c.ids == (f"{shapes.FILE}::test_area",))
OPEN = tuple(control.model_copy(update={"exclusive": False}) for control in AREA)
PASSED, FAILED = Observed("passed"), Observed("failed", exception="AssertionError")


def failed(number: int) -> Wrong:
    return Wrong(FAILED, (AREA[number],), proven=True)


def opened(number: int) -> Wrong:
    return Wrong(PASSED, (OPEN[number],), proven=False)


def sight(*wrongs: Wrong) -> Sight:
    return Sight([PASSED], list(wrongs))


def test_an_open_pass_decides_where_too_few_others_failed() -> None:
    one = sight(opened(0), failed(1))
    same = sight(opened(0), failed(1), failed(1))
    many = sight(opened(0), opened(1), opened(2), failed(3), failed(4))

    assert [why_not(s) for s in (one, same, many)] == ["vacuous"] * 3
    assert all(s.doubted == {AREA[0].check} and not s.alive for s in (one, same, many))


def test_an_open_pass_is_passed_over_where_enough_others_failed() -> None:
    seen = sight(opened(0), opened(0), opened(0), failed(1), failed(2))

    assert (why_not(seen), seen.alive, seen.doubted) == ("", True, frozenset())


def test_the_bound_counts_what_may_be_passed_over() -> None:
    strict = {"a": sight(failed(1), failed(2))}
    lenient = {"a": sight(Wrong(FAILED, (OPEN[1],), proven=True), failed(2))}

    few, many = (lambda _: OPEN[:2]), (lambda _: OPEN)
    bounds = [
        forgery_bound(sights, edits, asked=2)
        for sights, edits in ((strict, many), (lenient, few), (lenient, many))
    ]

    assert bounds == pytest.approx([chance(2), chance(2), chance(2, 3)], rel=0.01)
    assert bounds[2] > chance(2)


def test_what_one_result_cannot_satisfy_always_decides() -> None:
    told = Wrong(PASSED, (AREA[0],), proven=False)

    assert why_not(sight(told, failed(1), failed(2), failed(3))) == "vacuous"


def test_failures_of_another_check_do_not_make_up_for_an_open_pass() -> None:
    other = AREA[1].model_copy(update={"check": f"{shapes.FILE}:99:4"})
    elsewhere = Wrong(FAILED, (other,), proven=True)

    assert why_not(sight(opened(0), elsewhere, failed(2))) == "vacuous"


WARNED = """\
def test_warned():
    given = "x.y"
    with pytest.warns(UserWarning):
        found = nearest(given)
        other = nearest(given)
    assert found == "9.0"
    tidy()
"""
SWAPPED = edit("t.py", WARNED.encode(), WARNED.index("x.y"), WARNED.index("x.y") + 3, "4.0")
NO_WARNING = Failure(exception="Failed", file="t.py", line=3)


@pytest.mark.parametrize(("line", "fits"), [(1, False), (2, True), (5, True), (7, False)])
def test_another_input_may_fail_a_product_anywhere_on_the_way_to_the_check(
    task: Task, environment: Environment, sandbox: Sandbox, line: int, fits: bool
) -> None:
    control = Control(id="c", operator="input", check="t.py:6:4", lines=(6, 6), edits=(SWAPPED,),
                      strength="strong", ids=("t",), exclusive=False, unavoidable=True,
                      failures={"t": NO_WARNING})  # fmt: skip
    files, rig = {"t.py": HiddenFile(WARNED.encode())}, Rig.of(task, environment, sandbox)
    rounds = Rounds(Path(), files, (), frozenset(), ControlSet(), rig)
    seen = Observed("failed", exception="ValueError", file="t.py", line=line)

    assert rounds._matches(control, NO_WARNING, seen, (SWAPPED,)) is fits
