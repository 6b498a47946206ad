"""Gates find what is wrong with a task, evidence is bound to it, and what is safe is mended."""

import hashlib
from pathlib import Path

import pytest

from benchwright.formats import Evidence, GateEvidence, InputError, Manifest, TaskError
from benchwright.tasks import Task
from benchwright.validation import validate, verify
from judge import shapes
from validation.conftest import Make

SKELETON = """\
def area(width, height):
    raise NotImplementedError


def perimeter(width, height):
    raise NotImplementedError


def scale(sides, factor):
    raise NotImplementedError


def name(sides):
    raise NotImplementedError
"""
GOOD = {"environment__workspace__shapes_dot_py": SKELETON}


def gate(evidence: Evidence, name: str) -> GateEvidence:
    return next(g for g in evidence.gates if g.name == name)


def codes(evidence: GateEvidence) -> set[str]:
    return {finding.code for finding in evidence.findings if finding.gravity != "note"}


def test_a_sound_task_has_valid_evidence_and_a_card(make: Make) -> None:
    task = make(**GOOD)

    gates = ("sealed", "reference", "start", "wrong", "fair")
    evidence = validate(task, fix=True, gates=gates)

    assert {g.name for g in evidence.gates if g.status == "passed"} == set(gates)
    assert {g.name for g in evidence.gates if g.status == "not run"} == {"controls", "cheats"}
    assert verify(task) == evidence
    page = (task.validation / "card.html").read_text()
    assert "validated" in page
    assert "<script" not in page


def test_gates_that_were_not_asked_for_are_not_run(make: Make) -> None:
    task = make(**GOOD)

    evidence = validate(task, gates=["sealed"])

    assert gate(evidence, "sealed").status == "passed"
    assert gate(evidence, "reference").status == "not run"
    with pytest.raises(TaskError, match="not sound"):
        verify(task)


def test_there_is_no_gate_of_an_unknown_name(make: Make) -> None:
    with pytest.raises(InputError, match="nowhere: no such gate"):
        validate(make(), gates=["nowhere"])


def test_a_task_that_was_never_validated_is_refused(make: Make) -> None:
    with pytest.raises(TaskError, match="not validated"):
        verify(make())


@pytest.mark.parametrize(
    ("file", "change"),
    [
        ("instruction.md", "instruction.md (edited)"),
        ("environment/workspace/new.py", "environment/workspace/new.py (added)"),
        ("validation/controls.json", "validation/controls.json (edited)"),
    ],
)
def test_a_task_changed_since_is_refused_with_what_changed(
    make: Make, file: str, change: str
) -> None:
    task = make(**GOOD)
    validate(task, gates=["sealed"])
    (task.root / file).write_text("changed")

    with pytest.raises(TaskError) as caught:
        verify(task)

    assert change in caught.value.message


def test_a_removed_file_is_named(make: Make) -> None:
    task = make(**GOOD, environment__docs__PRD_dot_md="text")
    validate(task, gates=["sealed"])
    (task.docs / "PRD.md").unlink()

    with pytest.raises(TaskError, match=r"PRD.md \(removed\)"):
        verify(task)


def test_vacuous_tests_are_named_and_mended(make: Make) -> None:
    task = make()  # its stubs check the width, so one test passes on them

    before = gate(validate(task, gates=["start"]), "start")
    after = validate(task, gates=["start"], fix=True)

    assert (before.status, codes(before)) == ("failed", {"vacuous-test"})
    assert gate(after, "start").status == "passed"
    assert [r.file for r in after.repairs] == ["tests/manifest.json"]
    assert {t.id.partition("::")[2]: t.reason for t in task.manifest.tests if not t.counted} == {
        "test_negative_area": "vacuous",
        "test_names_are_text": "vacuous",
    }


def changing(make: Make, area: str) -> Task:
    """A resolution in which one test must show the change of a function that gave `area`."""
    start = shapes.REFERENCE.replace("return width * height", f"return {area}")
    task = make("resolution", environment__workspace__shapes_dot_py=start)
    groups = {f"{shapes.FILE}::test_area": "fail_to_pass"}
    tests = [
        test.model_copy(update={"group": groups.get(test.id, "pass_to_pass")})
        for test in task.manifest.tests
    ]
    Manifest(tests=tuple(tests)).write(task.manifest_path)
    return Task.load(task.root)


@pytest.mark.parametrize(("area", "status"), [("width", "passed"), ("width * height", "failed")])
def test_what_must_go_on_passing_may_pass_from_the_start(
    make: Make, area: str, status: str
) -> None:
    task = changing(make, area)

    assert gate(validate(task, gates=["start"]), "start").status == status


def test_a_task_that_asks_for_nothing_can_not_be_mended(make: Make) -> None:
    task = changing(make, "width * height")

    evidence = validate(task, gates=["start"], fix=True)

    assert [r.what for r in evidence.repairs] == ["1 tests no longer count: vacuous"]
    assert codes(gate(evidence, "start")) == {"nothing-asked"}


@pytest.mark.parametrize(
    ("name", "found"),
    [("LICENSE", set()), ("shapes/LICENSE", {"product-in-environment"})],
)
def test_files_of_the_product_s_modules_may_not_be_in_the_environment(
    make: Make, name: str, found: set[str]
) -> None:
    places = [m.source for m in shapes.environment().mounts if m.source]
    text = next(p for root in places for p in sorted(root.rglob("LICENSE"))).read_text()
    task = make(**GOOD)
    file = task.solution / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)

    assert codes(gate(validate(task, gates=["sealed"]), "sealed")) == found


@pytest.mark.parametrize(("guarded", "status"), [(True, "passed"), (False, "failed")])
def test_what_an_attack_wins_every_time_is_grave(make: Make, guarded: bool, status: str) -> None:
    task = make()
    if not guarded:
        (task.validation / "controls.json").unlink()

    found = gate(validate(task, gates=["cheats"]), "cheats")

    assert (found.status, codes(found)) == (status, set() if guarded else {"cheat-wins"})


def test_a_reference_that_fails_is_named_and_mended(make: Make) -> None:
    broken = shapes.REFERENCE.replace("2 * (", "3 * (")
    task = make(**GOOD, solution__files__shapes_dot_py=broken)

    before = gate(validate(task, gates=["reference"]), "reference")
    after = gate(validate(task, gates=["reference"], fix=True), "reference")

    assert (before.status, codes(before)) == ("failed", {"reference-fails"})
    assert after.status == "passed"


def test_a_test_that_wobbles_is_named(make: Make) -> None:
    wobbly = shapes.HIDDEN.replace(
        "assert area(2, 3) == 6", "import time; assert area(2, 3) == 6 and time.timezone == 0"
    )
    task = make(**GOOD, tests__files__tests__test_shapes_dot_py=wobbly)

    found = gate(validate(task, gates=["reference"]), "reference")

    unstable = next(f for f in found.findings if f.code == "unstable-test")
    assert unstable.ids == (f"{shapes.FILE}::test_area",)
    assert "time zone" in unstable.message


def test_a_skeleton_that_cannot_be_collected_is_grave(make: Make) -> None:
    task = make(environment__workspace__shapes_dot_py="def area(:\n")

    assert "skeleton-broken" in codes(gate(validate(task, gates=["start"]), "start"))


@pytest.mark.parametrize(
    ("file", "text", "code"),
    [
        ("environment__docs__t_dot_py", shapes.HIDDEN, "hidden-file-public"),
        ("environment__workspace___dot_git__HEAD", "ref: x", "history-public"),
        ("environment__workspace__shapes_dot_egg-info__SOURCES_dot_txt", "x", "history-public"),
    ],
)
def test_leaks_are_found(make: Make, file: str, text: str, code: str) -> None:
    evidence = gate(validate(make(**GOOD, **{file: text}), gates=["sealed"]), "sealed")

    assert (evidence.status, codes(evidence)) == ("failed", {code})


def test_a_module_of_the_product_s_name_that_the_runner_brings_is_named(make: Make) -> None:
    task = make(**GOOD)
    path = task.root / "task.toml"
    path.write_text(path.read_text().replace('    "shapes",\n', '    "shapes",\n    "wcwidth",\n'))

    evidence = gate(validate(Task.load(task.root), gates=["sealed"]), "sealed")

    assert evidence.status == "passed"
    assert [f.ids for f in evidence.findings if f.code == "namesake-in-environment"] == [
        ("/env/lib/python3.11/site-packages/_pytest/_io/wcwidth.py",)
    ]


def test_the_reference_in_an_empty_workspace_is_a_leak(make: Make) -> None:
    task = make("construction", environment__workspace__shapes_dot_py=shapes.REFERENCE)

    assert codes(gate(validate(task, gates=["sealed"]), "sealed")) == {"reference-public"}


def test_words_that_only_the_tests_know_are_added_to_the_statement(make: Make) -> None:
    asks = "from shapes import area\n\n\ndef test_area():\n    try:\n        area(-1, 2)\n"
    asks += "    except ValueError as error:\n        assert str(error) == 'negative width'\n"
    asks += "    else:\n        raise AssertionError\n"
    task = make("construction", **GOOD, tests__files__tests__test_shapes_dot_py=asks)
    only(task, "test_area")

    before = gate(validate(task, gates=["wrong", "fair"]), "fair")
    after = validate(task, gates=["wrong", "fair"], fix=True)

    assert "literal-not-public" in codes(before)
    assert gate(after, "fair").status == "passed"
    assert "negative width" in task.instruction.read_text()
    assert any("rules added to the statement" in r.what for r in after.repairs)


def only(task: Task, name: str) -> None:
    """Leave one test in the manifest."""
    tests = tuple(t for t in task.manifest.tests if t.id.endswith(f"::{name}"))
    task.manifest.model_copy(update={"tests": tests}).write(task.manifest_path)


def test_evidence_that_is_not_evidence_is_refused(make: Make) -> None:
    task = make()
    (task.validation / "evidence.json").write_text("{}")

    with pytest.raises(InputError, match=r"evidence\.json"):
        verify(task)


def test_every_file_of_the_task_is_bound(make: Make) -> None:
    task = make(**GOOD)
    evidence = validate(task, gates=["sealed"])

    found = {p.relative_to(task.root).as_posix() for p in task.root.rglob("*") if p.is_file()}
    assert set(evidence.files) == {n for n in found if not n.startswith("validation/")}
    digest = hashlib.sha256(Path(task.instruction).read_bytes()).hexdigest()
    assert evidence.files["instruction.md"] == digest


@pytest.mark.parametrize("changed", [False, True])
def test_a_stopped_run_goes_on_and_leaves_no_half_evidence(
    make: Make, monkeypatch: pytest.MonkeyPatch, changed: bool
) -> None:
    task = make(**GOOD)
    said: list[str] = []

    def stop(message: str) -> None:
        said.append(message)
        if message.startswith("start: the untouched"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        validate(task, gates=["sealed", "reference", "start"], progress=stop)
    half = list(task.validation.glob("*evidence*"))
    if changed:
        monkeypatch.setattr("benchwright.validation.evidence.program", lambda: "another program")
    validate(task, gates=["sealed", "reference", "start"], progress=said.append)

    assert half == []
    assert ("reference: as the run before found it" in said) is not changed
    assert (task.validation / "evidence.json").is_file()
