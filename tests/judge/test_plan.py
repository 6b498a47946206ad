import random
from collections import Counter

import pytest

from benchwright.formats import Control, ControlSet, Failure, edit
from benchwright.judge.plan import Plan, Planner, overlap, place
from judge import shapes

CONTROLS = shapes.controls()
FILES = {f"{shapes.FILE}::{name}": shapes.FILE for name in shapes.TESTS}
LONG = f"{shapes.FILE}::test_long_perimeter"


def planner(seed: int = 0, controls: ControlSet = CONTROLS) -> Planner:
    return Planner(controls, FILES, random.Random(seed))


def wrong(plan: Plan) -> set[str]:
    return set(plan.wrong)


@pytest.mark.parametrize("seed", range(20))
def test_of_a_pair_every_guarded_id_is_wrong_once(seed: int) -> None:
    drawn = planner(seed)
    for _ in range(5):
        first, second = drawn.pair()

        assert wrong(first) & wrong(second) == set()
        assert wrong(first) | wrong(second) == drawn.guarded


def test_the_unguarded_id_is_never_wrong() -> None:
    assert planner().guarded == set(FILES) - {f"{shapes.FILE}::test_names_are_text"}


def test_sides_are_even_and_independent() -> None:
    tests = sorted(planner().guarded)
    sides = [
        tuple(test in wrong(first) for test in tests)
        for first, _ in (planner(seed).pair() for seed in range(400))
    ]

    shares = [sum(side[n] for side in sides) / len(sides) for n in range(len(tests))]
    assert all(0.4 < share < 0.6 for share in shares)
    same = sum(side[0] == side[1] for side in sides) / len(sides)
    assert 0.4 < same < 0.6


def test_a_seed_repeats_the_pairs() -> None:
    one, other = planner(7), planner(7)

    assert [one.pair() for _ in range(4)] == [other.pair() for _ in range(4)]
    assert planner(8).pair() != planner(7).pair()


def test_edits_are_used_up_before_one_comes_again() -> None:
    drawn = planner(3)
    for _ in range(6):
        drawn.pair()

    area = [control.id for control in drawn.drawn[f"{shapes.FILE}::test_area"]]
    assert len(set(area)) == 6


def test_the_last_check_comes_first_and_then_those_that_were_not_edited() -> None:
    drawn = planner(1)
    undrawn = [drawn.undrawn().get(LONG)]
    for _ in range(4):
        drawn.pair()
        undrawn.append(drawn.undrawn().get(LONG))

    lines = [place(control.check)[1] for control in drawn.drawn[LONG]]
    assert lines[0] == max(lines)
    assert lines[1] == min(lines)
    assert sorted(lines[2:]) == sorted(lines[:2])
    assert [len(left or ()) for left in undrawn] == [2, 1, 0, 0, 0]


def test_an_id_is_open_until_each_of_its_checks_was_wrong_by_a_strong_control() -> None:
    def weaken(control: Control) -> Control:
        weak = control.check.split(":")[1] == last and LONG in control.ids
        return control.model_copy(update={"strength": "weak"}) if weak else control

    last = str(max(place(c.check)[1] for c in CONTROLS.controls if LONG in c.ids))
    mixed = CONTROLS.model_copy(update={"controls": tuple(map(weaken, CONTROLS.controls))})
    firm, weak = planner(1), planner(1, mixed)
    seen = []
    for _ in range(3):
        firm.pair()
        weak.pair()
        seen.append((firm.open(LONG), weak.open(LONG)))

    assert seen == [(True, True), (False, True), (False, True)]


def test_a_pair_may_be_drawn_for_some_ids_only() -> None:
    first, second = planner(2).pair(only=(LONG,))

    assert wrong(first) | wrong(second) == {LONG}
    assert len((*first.controls, *second.controls)) == 1


def test_interfering_controls_are_never_together() -> None:
    first, second = CONTROLS.controls[0], CONTROLS.controls[8]
    assert set(first.ids) != set(second.ids)
    apart = CONTROLS.model_copy(update={"interferes": ((first.id, second.id),)})

    for seed in range(60):
        for plan in planner(seed, apart).pair():
            assert not {first.id, second.id} <= {control.id for control in plan.controls}


def test_where_one_test_is_does_not_tell_where_an_interfering_one_is() -> None:
    first = [c for c in CONTROLS.controls if c.id.startswith("test_area:")]
    second = [c for c in CONTROLS.controls if c.id.startswith("test_pentagon:")]
    pairs = tuple((a.id, b.id) for a in first for b in second)
    apart = CONTROLS.model_copy(update={"interferes": pairs})
    opposite = 0
    for seed in range(200):
        one, other = planner(seed, apart).pair()
        area, pentagon = f"{shapes.FILE}::test_area", f"{shapes.FILE}::test_pentagon"
        assert not any({area, pentagon} <= wrong(plan) for plan in (one, other))
        opposite += all(
            any(test in wrong(plan) for plan in (one, other)) for test in (area, pentagon)
        )

    assert 70 < opposite < 130


def test_a_control_of_several_ids_puts_them_on_one_side() -> None:
    rows = tuple(f"{shapes.FILE}::{name}" for name in shapes.SCALES)
    names = " ".join(shapes.SCALES)
    body = shapes.swap("scale([1, 2], factor)", "scale([1, 3], factor)", names)
    others = tuple(c for c in CONTROLS.controls if not set(c.ids) & set(rows))
    shared = CONTROLS.model_copy(update={"controls": (body, *others)})

    first, second = planner(2, shared).pair()

    assert [set(rows) <= wrong(plan) for plan in (first, second)].count(True) == 1
    assert wrong(first) & wrong(second) == set()


def test_an_id_is_never_wrong_by_two_controls_that_could_undo_each_other() -> None:
    rows = tuple(f"{shapes.FILE}::{name}" for name in shapes.SCALES)
    swaps = tuple(
        control.model_copy(update={"id": f"{one}{other}", "ids": (one, other), "failures": both})
        for control, one, other in zip(CONTROLS.controls, rows, (*rows[1:], rows[0]), strict=False)
        if (both := dict.fromkeys((one, other), next(iter(control.failures.values()))))
    )
    for seed in range(20):
        drawn = planner(seed, CONTROLS.model_copy(update={"controls": swaps}))
        seen = set[str]()
        for _ in range(6):
            for plan in drawn.pair():
                assert all(len(found) == 1 for found in plan.wrong.values())
                seen |= wrong(plan)
        assert seen == set(rows)


def test_what_an_edit_changes_without_failing_is_wrong_on_neither_side() -> None:
    area = f"{shapes.FILE}::test_area"
    touching = tuple(
        c.model_copy(update={"touches": (area,)}) if LONG in c.ids else c for c in CONTROLS.controls
    )
    met = 0
    for seed in range(40):
        sides = planner(seed, CONTROLS.model_copy(update={"controls": touching})).pair()
        touched = area in sides[0].touched | sides[1].touched
        met += touched
        assert touched == any(LONG in wrong(plan) for plan in sides)
        assert touched != any(area in wrong(plan) for plan in sides)
    assert 8 < met < 32


def test_a_control_without_a_known_failure_is_not_used() -> None:
    blind = tuple(control.model_copy(update={"failures": {}}) for control in CONTROLS.controls)

    assert planner(0, CONTROLS.model_copy(update={"controls": blind})).guarded == frozenset()


def test_wanted_controls_come_first() -> None:
    drawn, test = planner(4), f"{shapes.FILE}::test_area"
    wanted = drawn.strong(test)[-1]

    first, second = drawn.pair({test: (wanted,)})

    assert wanted in (*first.controls, *second.controls)


def test_strong_controls_are_preferred_at_one_check() -> None:
    test = f"{shapes.FILE}::test_area"

    def weaken(control: Control) -> Control:
        weak = test in control.ids and not control.id.endswith("== 12")
        return control.model_copy(update={"strength": "weak"}) if weak else control

    mixed = CONTROLS.model_copy(update={"controls": tuple(map(weaken, CONTROLS.controls))})
    drawn = Counter[str]()
    for seed in range(10):
        fresh = planner(seed, mixed)
        fresh.pair()
        drawn.update(control.strength for control in fresh.drawn[test])
    assert drawn == {"strong": 10}


@pytest.mark.parametrize(("pairs", "chance"), [(2, 1 / 2), (2, 1 / 3), (4, 1 / 5)])
def test_guesses_by_content_win_no_more_often_than_the_bound_says(
    pairs: int, chance: float
) -> None:
    """A guess is a coin for each version of a test: the right one and every edited one."""
    test, tries = f"{shapes.FILE}::test_area", 1500
    won = 0
    for seed in range(tries):
        drawn, coins = planner(seed), random.Random(~seed)
        for _ in range(pairs):
            drawn.pair()
        passes = {version: coins.random() < chance for version in ("", *sorted(ids(drawn, test)))}
        won += passes.pop("") and not any(passes.values())

    expected = chance * (1 - chance) ** pairs
    assert won / tries == pytest.approx(expected, abs=0.03)
    assert expected <= pairs**pairs / (pairs + 1) ** (pairs + 1) + 1e-12


def ids(drawn: Planner, test: str) -> set[str]:
    return {control.id for control in drawn.drawn[test]}


COPIES = tuple(f"{shapes.FILE}::test_copy_{n}" for n in range(9))


def copies() -> ControlSet:
    """Nine tests with the same check, and two changes of it for each."""
    found = []
    for n, test in enumerate(COPIES):
        for value in ("5", "7"):
            change = edit(shapes.FILE, b"6" * 200, 20 * n, 20 * n + 1, value)
            known = {test: Failure(exception="AssertionError", file=shapes.FILE, line=n)}
            found.append(
                CONTROLS.controls[0].model_copy(
                    update={"id": f"{test}:{value}", "ids": (test,), "edits": (change,),
                            "check": f"{shapes.FILE}:{n}:4", "failures": known, "family": "same"}
                )
            )  # fmt: skip
    return ControlSet(controls=tuple(found))


def test_copies_of_a_test_do_not_tell_which_version_is_right() -> None:
    firsts = Counter[bool]()
    for seed in range(40):
        drawn = Planner(copies(), dict.fromkeys(COPIES, shapes.FILE), random.Random(seed))
        changes = set()
        for _ in range(2):
            sides = drawn.pair()
            assert sorted(len(plan.controls) for plan in sides) == [4, 5]
            shown = {e.text for plan in sides for e in plan.edits}
            assert len(shown) == 1
            changes |= shown
            firsts.update(plan is sides[0] for plan in sides if COPIES[0] in wrong(plan))
        assert changes == {"5", "7"}
    assert 25 < firsts[True] < 55


def test_overlapping_edits_are_seen() -> None:
    area = [control for control in CONTROLS.controls if "test_area:" in control.id]
    perimeter = [control for control in CONTROLS.controls if "test_perimeter:" in control.id]

    assert overlap(area[0].edits, area[1].edits)
    assert not overlap(area[0].edits, perimeter[0].edits)
    assert not overlap(area[0].edits, area[0].edits)


def test_a_check_is_read_from_its_end() -> None:
    assert place("tests/a:b.py:12:4") == ("tests/a:b.py", 12, 4)
    assert place("odd") == ("odd", 0, 0)
