"""Controls are found by trying candidates on the reference."""

import shutil
from collections import Counter
from pathlib import Path

import pytest

from benchwright.environments import Environment
from benchwright.formats import Control, ControlSet, ExpectedTest, Manifest, TaskError
from benchwright.judge import calibrate, judge, prove
from benchwright.judge.calibrate_blind import pruned
from benchwright.sandbox import Sandbox
from benchwright.tasks import Task, digest
from judge import cheats, shapes


@pytest.fixture(scope="module")
def said() -> list[str]:
    """What was said while the controls were sought."""
    return []


@pytest.fixture(scope="module")
def controls(task: Task, environment: Environment, sandbox: Sandbox, said: list[str]) -> ControlSet:
    say = said.append
    return calibrate(task, environment=environment, sandbox=sandbox, pairs=1, progress=say)


def test_every_test_gets_strong_controls(task: Task, controls: ControlSet) -> None:
    strong = {t for c in controls.controls if c.strength == "strong" for t in c.ids}

    assert strong == {test.id for test in task.manifest.counted}
    assert controls.bare == ()
    assert controls.tests == digest(task.hidden)
    assert (controls.figures["checks_strong"], controls.figures["ids_strong"]) == (1.0, 1.0)


def test_what_must_show_a_change_comes_first_and_time_is_bounded(
    environment: Environment, sandbox: Sandbox, tmp_path: Path
) -> None:
    task = shapes.write_task(tmp_path / "task", "resolution", fail_to_pass=("test_area",))
    said: list[str] = []

    found = calibrate(task, environment=environment, sandbox=sandbox, pairs=1, progress=said.append)
    none = calibrate(task, environment=environment, sandbox=sandbox, pairs=1, seconds=0)

    tried = [line for line in said if line.startswith("trying controls")]
    assert ", 1 candidates," in tried[0]
    assert f"{shapes.FILE}::test_perimeter" in found.guarding()
    assert none.controls == ()


def test_failures_are_recorded_where_the_check_is(controls: ControlSet) -> None:
    for control in controls.controls:
        line = int(control.check.split(":")[1])
        assert set(control.failures) == set(control.ids)
        assert {f.file for f in control.failures.values()} == {shapes.FILE}
        assert {f.line for f in control.failures.values()} <= {line, line + 1}


def test_rows_have_ids_that_say_nothing(controls: ControlSet) -> None:
    assert controls.aliases == {
        f"{shapes.FILE}::test_scale[{n}]": f"{shapes.FILE}::{name}"
        for n, name in enumerate(shapes.SCALES)
    }


def test_every_control_was_mixed(controls: ControlSet, said: list[str]) -> None:
    mixed = {line for line in said if line.startswith("mixing controls: pair ")}
    of_one_test = Counter(test for control in controls.controls for test in control.ids)

    assert len(mixed) == max(of_one_test.values()) > 1


def test_nothing_disturbs_anything(
    task: Task, controls: ControlSet, environment: Environment, sandbox: Sandbox
) -> None:
    mixed = prove(task, controls, environment=environment, sandbox=sandbox, pairs=1, seed="another")

    assert (mixed.clean, mixed.pairs) == (True, 1)


def test_a_control_that_does_nothing_is_found_by_mixing(
    task: Task, controls: ControlSet, environment: Environment, sandbox: Sandbox
) -> None:
    idle = controls.controls[0].model_copy(update={"edits": ()})
    only = controls.model_copy(update={"controls": (idle,)})

    mixed = prove(task, only, environment=environment, sandbox=sandbox, pairs=1)

    assert set(mixed.broken) == set(idle.ids)


def extended(task: Task, root: Path, text: str) -> tuple[Task, str]:
    """A copy of the task with one more test, and that test's id."""
    copy = Task.load(shutil.copytree(task.root, root))
    (copy.hidden / shapes.FILE).write_text(shapes.HIDDEN + text)
    test = f"{shapes.FILE}::{text.partition('def ')[2].partition('(')[0]}"
    more = ExpectedTest(id=test, file=shapes.FILE)
    Manifest(tests=(*copy.manifest.tests, more)).write(copy.manifest_path)
    return copy, test


SHARED = """

@pytest.mark.parametrize("factor", [0, 2])
def test_shared(factor):
    assert scale([3], factor)[0] in (0, 6)
"""
WILD = """
def scale(sides, factor):
    return [6] if (sides, factor) == ([3], 0) else [side * factor for side in sides]
"""


def test_what_an_edit_changes_without_failing_is_not_held_against_a_product(
    task: Task, environment: Environment, sandbox: Sandbox, tmp_path: Path
) -> None:
    task, test = extended(task, tmp_path / "task", SHARED)
    rows = [f"{test}[{factor}]" for factor in (0, 2)]
    kept = [t for t in task.manifest.tests if t.id != test]
    more = [ExpectedTest(id=row, file=shapes.FILE) for row in rows]
    Manifest(tests=(*kept, *more)).write(task.manifest_path)
    found = calibrate(task, environment=environment, sandbox=sandbox, pairs=1)
    found.write(task.validation / "controls.json")
    mine = shapes.submission(tmp_path / "mine", shapes.REFERENCE + WILD)

    verdicts = [judge(task, mine, environment=environment, sandbox=sandbox) for _ in range(3)]

    touching = [c for c in found.controls if c.touches]
    assert touching
    assert all({*c.ids, *c.touches} == set(rows) for c in touching)
    scored = [{t.id for t in v.tests if t.scores} for v in verdicts]
    assert all(set(rows) <= ids for ids in scored)


BLOCK = """

def test_in_a_block():
    with pytest.raises(ValueError):
        width = -1
        area(width, 2)
"""
HALF = """
def area(width, height):
    if width < 0:
        raise ValueError("negative width")
    raise NotImplementedError
"""


def test_an_honest_half_fails_anywhere_in_a_block_that_awaits_an_error(
    task: Task, environment: Environment, sandbox: Sandbox, tmp_path: Path
) -> None:
    task, block = extended(task, tmp_path / "task", BLOCK)
    found = calibrate(task, environment=environment, sandbox=sandbox, pairs=1)
    found.write(task.validation / "controls.json")
    mine = shapes.submission(tmp_path / "mine", shapes.STUBS + HALF)

    verdict = judge(task, mine, environment=environment, sandbox=sandbox)

    line = 4 + shapes.HIDDEN.count("\n")
    assert {c.lines for c in found.controls if block in c.ids} == {(line, line + 2)}
    assert block in {test.id for test in verdict.tests if test.scores}


PREPARED = """

def test_prepared():
    side = len(name(3))
    assert area(side, 1) == 8
"""


def test_a_control_that_fails_beside_every_check_is_weak(
    task: Task, environment: Environment, sandbox: Sandbox, tmp_path: Path
) -> None:
    task, prepared = extended(task, tmp_path / "task", PREPARED)

    found = calibrate(task, environment=environment, sandbox=sandbox, pairs=1)

    line = 4 + shapes.HIDDEN.count("\n")
    mine = [c for c in found.controls if prepared in c.ids]
    by_line = {(c.failures[prepared].line - line, c.strength) for c in mine}
    assert by_line == {(0, "weak"), (1, "strong")}


CALLED_BACK = """

def test_called_back():
    import shapes

    def check(side):
        assert area(side, 4) == 12

    shapes.each([3], check)
"""
EACH = """

def each(sides, do):
    try:
        for side in sides:
            do(side)
    except Exception as error:
        raise type(error)(*error.args) from error
"""


def test_a_check_may_surface_where_the_product_hands_its_failure_on(
    task: Task, environment: Environment, sandbox: Sandbox, tmp_path: Path
) -> None:
    task, handed = extended(task, tmp_path / "task", CALLED_BACK)
    with (task.solution / "shapes.py").open("a") as file:
        file.write(EACH)

    found = calibrate(task, environment=environment, sandbox=sandbox, pairs=1)

    line = 4 + shapes.HIDDEN.count("\n")
    mine = [c for c in found.controls if handed in c.ids and c.strength == "strong"]
    assert {(c.lines[0] - line, c.failures[handed].line - line) for c in mine} == {(3, 5)}


NOTES = """

def test_notes():
    notes = []
    for side in (2,):
        if area(side, side) != 4:
            notes.append(side)
    assert notes == []
"""
PRETENDER = cheats.EQUAL + "area = perimeter = scale = name = lambda *given: Equal()\n"


def test_a_pretender_wins_nothing_where_a_loop_takes_notes(
    task: Task, environment: Environment, sandbox: Sandbox, tmp_path: Path
) -> None:
    task, notes = extended(task, tmp_path / "task", NOTES)
    found = calibrate(task, environment=environment, sandbox=sandbox, pairs=1)
    found.write(task.validation / "controls.json")

    verdict = judge(
        task,
        shapes.submission(tmp_path / "mine", PRETENDER),
        environment=environment,
        sandbox=sandbox,
    )

    lines = (shapes.HIDDEN + NOTES).splitlines()
    checks = {c.check.split(":")[1] for c in found.controls if notes in c.ids}
    assert checks == {str(1 + lines.index("        if area(side, side) != 4:"))}
    assert [test.id for test in verdict.tests if test.scores] == []


OPEN = """

def test_open():
    from sys import maxsize
    assert scale(["rhombus"], maxsize // maxsize) == ["rhombus"]
    assert not scale(list(), maxsize)
"""


def test_a_check_that_no_strong_control_guards_says_why(
    task: Task, environment: Environment, sandbox: Sandbox, tmp_path: Path
) -> None:
    task, opened = extended(task, tmp_path / "task", OPEN)

    found = calibrate(task, environment=environment, sandbox=sandbox, pairs=1)

    line = 5 + shapes.HIDDEN.count("\n")
    why = {int(c.check.split(":")[1]) - line: c.reason for c in found.coverage if c.reason}
    assert opened in found.guarding()
    assert why[0].startswith("whoever reads the test can tell")
    assert "can only be negated" in why[1]


def control(name: str, *ids: str) -> Control:
    return Control(
        id=name,
        operator="x",
        check=f"{name}:1:0",
        edits=(),
        ids=ids,
        strength="strong",
        exclusive=False,
        unavoidable=True,
    )


def test_blind_controls_stay_only_where_no_other_sees() -> None:
    blind, other = control("blind", "a"), control("other", "a")
    alone, both = control("alone", "b"), control("both", "a", "b")
    controls = ControlSet(controls=(blind, other, alone, both))

    left = pruned(
        controls, frozenset({("blind", "a"), ("alone", "b"), ("both", "a"), ("both", "b")})
    )

    assert [(c.id, c.strength) for c in left.controls] == [
        ("other", "strong"),
        ("alone", "weak"),
        ("both", "weak"),
    ]


def test_a_reference_that_fails_is_not_calibrated(
    task: Task, environment: Environment, sandbox: Sandbox, tmp_path: Path
) -> None:
    shutil.copytree(task.root, tmp_path / "task")
    (tmp_path / "task/solution/files/shapes.py").write_text(shapes.STUBS)

    with pytest.raises(TaskError, match="the reference fails"):
        calibrate(Task.load(tmp_path / "task"), environment=environment, sandbox=sandbox)
