"""From a row to a task, to a verdict, to the official reports, on a repository made here."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchwright.agents import get
from benchwright.formats import SourceError
from benchwright.interop.swebench import (
    Evaluation,
    Prediction,
    Row,
    import_row,
    read_predictions,
)
from benchwright.judge import judge
from benchwright.sandbox import choose
from benchwright.tasks import Task, walk

from .shapes import FIXED, PINS, STATEMENT, TESTS, make


class Made:
    """A row, its clone and its task."""

    def __init__(self, root: Path) -> None:
        self.clones = root / "clones"
        self.row = Row.model_validate(make(self.clones))
        self.tasks = root / "tasks"
        self.task = import_row(self.row, self.clones, self.tasks / self.row.instance_id, pins=PINS)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    return Made(tmp_path_factory.mktemp("made"))


def test_the_ids_of_the_row_are_found_by_running(made: Made) -> None:
    manifest = made.task.manifest

    assert {(t.id, t.group, t.counted) for t in manifest.tests} == {
        ("tests/test_small.py::test_double[a b]", "fail_to_pass", True),
        ("tests/test_small.py::test_double[c]", "fail_to_pass", True),
        ("tests/test_small.py::test_half", "pass_to_pass", True),
        ("tests/test_small.py::test_slowly", "test", False),
    }
    assert manifest.dropped == {"[100%]": "no test that runs here has this id"}


def test_the_statement_is_the_row_s_byte_for_byte(made: Made) -> None:
    assert made.task.instruction.read_bytes().endswith(STATEMENT.encode())


def test_the_workspace_is_the_base_without_history(made: Made) -> None:
    names = {name for name, _ in walk(made.task.workspace)}

    assert names == {
        "pyproject.toml", "small.py", "setup.cfg", "tests/test_small.py", "tests/test_old.py"
    }  # fmt: skip
    assert "double" not in (made.task.workspace / "tests/test_small.py").read_text()
    assert not list(made.task.root.rglob(".git"))


def test_what_the_pins_lack_here_is_named(made: Made) -> None:
    notes = made.task.config.metadata["notes"]

    assert "colorama==0.0.0.1: left out: no such version is left" in notes


def test_the_reference_wins_and_nothing_does_not(made: Made) -> None:
    won = judge(made.task, made.task.solution, unguarded=True)
    lost = judge(made.task, made.task.workspace, unguarded=True)

    assert (won.reward, lost.reward) == (1.0, 0.0)
    assert (made.task.solution / "small.py").read_text() == FIXED


def test_a_removed_test_file_never_comes_from_a_submission(made: Made) -> None:
    assert made.task.settings.product.without == ("tests/test_old.py",)


def test_the_oracle_is_an_agent_like_any_other(made: Made) -> None:
    assert get("oracle").info.name == "oracle"
    assert (made.task.root / "solution" / "patch.diff").read_bytes() == made.row.patch.encode()


FORGED = """diff --git a/conftest.py b/conftest.py
new file mode 100644
--- /dev/null
+++ b/conftest.py
@@ -0,0 +1,5 @@
+import pytest
+@pytest.hookimpl(hookwrapper=True)
+def pytest_runtest_makereport(item, call):
+    result = yield
+    result.get_result().outcome = "passed"
"""
WEAKER = """diff --git a/tests/test_small.py b/tests/test_small.py
--- a/tests/test_small.py
+++ b/tests/test_small.py
@@ -2,4 +2,4 @@
~
~
 def test_half():
-    assert half(4) == 2
+    pass
""".replace("~", " ")
BINARY = """diff --git a/data.bin b/data.bin
new file mode 100644
index 0000000000000000000000000000000000000000..f76dd238ade08917e6712764a16a22005a50573d
GIT binary patch
literal 1
IcmZPo000310RR91

"""


@pytest.mark.parametrize(
    ("patch", "status", "resolved"),
    [
        ("", "empty_patch", False),
        ("nonsense\n", "not_applied", False),
        (FORGED, "judged", False),
        (WEAKER, "judged", False),
        (BINARY, "judged", False),
    ],
    ids=["empty", "malformed", "forged", "weaker tests", "binary"],
)
def test_statuses_are_kept_apart(
    made: Made, tmp_path: Path, patch: str, status: str, resolved: bool
) -> None:
    evaluation = Evaluation(run_id="r", out=tmp_path, tasks=made.tasks)

    found = evaluation.one(made.row, Prediction(instance_id="own__small-1", model="m", patch=patch))

    assert (found.status, found.resolved) == (status, resolved)


def test_the_gold_patch_resolves_and_the_official_reports_say_so(
    made: Made, tmp_path: Path
) -> None:
    evaluation = Evaluation(run_id="r", out=tmp_path, tasks=made.tasks)

    evaluation.run([made.row], read_predictions("gold", [made.row]))

    folder = tmp_path / "logs" / "run_evaluation" / "r" / "gold" / "own__small-1"
    report = json.loads((folder / "report.json").read_text())["own__small-1"]
    assert report["tests_status"]["FAIL_TO_PASS"]["success"] == list(made.row.fail_to_pass)
    assert (report["resolved"], report["patch_successfully_applied"]) == (True, True)
    run = json.loads((tmp_path / "gold.r.json").read_text())
    assert (run["schema_version"], run["resolved_ids"]) == (2, ["own__small-1"])


def test_a_new_patch_never_gets_an_old_verdict(made: Made, tmp_path: Path) -> None:
    told: list[str] = []
    evaluation = Evaluation(run_id="r", out=tmp_path, tasks=made.tasks, progress=told.append)
    gold = Prediction(instance_id="own__small-1", model="m", patch=made.row.patch)
    changed = gold.model_copy(update={"patch": WEAKER})

    found = [evaluation.one(made.row, p).resolved for p in (gold, gold, changed)]

    assert found == [True, True, False]
    assert told.count("own__small-1: starting") == 2


def test_a_row_without_a_clone_is_named(made: Made, tmp_path: Path) -> None:
    row = made.row.model_copy(update={"repo": "no/where"})

    with pytest.raises(SourceError, match="no/where: no clone of it below"):
        import_row(row, made.clones, tmp_path / "out", sandbox=choose())


def test_an_unknown_commit_is_named(made: Made, tmp_path: Path) -> None:
    row = made.row.model_copy(update={"base_commit": "0" * 40})

    with pytest.raises(SourceError, match=f"no commit, tag or branch {'0' * 40}"):
        import_row(row, made.clones, tmp_path / "out", sandbox=choose())


def test_a_change_that_no_test_shows_is_refused(made: Made, tmp_path: Path) -> None:
    row = made.row.model_copy(update={"patch": BINARY})

    with pytest.raises(SourceError, match=r"no test shows the change: .*failed on the reference"):
        import_row(row, made.clones, tmp_path / "out", pins=PINS, sandbox=choose())
    assert not (tmp_path / "out").exists()


def test_a_row_that_can_be_shown_only_in_part_is_refused(made: Made, tmp_path: Path) -> None:
    ids = (*made.row.fail_to_pass, "tests/test_small.py::test_gone")
    row = made.row.model_copy(update={"fail_to_pass": ids})

    with pytest.raises(SourceError, match=r"1 tests that must show the change can't: .*test_gone"):
        import_row(row, made.clones, tmp_path / "out", pins=PINS, sandbox=choose())
    assert not (tmp_path / "out").exists()


def test_a_test_that_passes_before_the_change_is_still_asked_for(
    made: Made, tmp_path: Path
) -> None:
    first, *rest = made.row.pass_to_pass
    ids = (*made.row.fail_to_pass, first)
    row = made.row.model_copy(update={"fail_to_pass": ids, "pass_to_pass": tuple(rest)})

    task = import_row(row, made.clones, tmp_path / "out", pins=PINS, sandbox=choose())

    groups = {test.id: test.group for test in task.manifest.counted}
    assert groups[first] == "pass_to_pass"
    assert "fail_to_pass" in groups.values()


def test_tests_stand_at_their_final_state(made: Made) -> None:
    assert (made.task.hidden / "tests" / "test_small.py").read_text() == TESTS
    assert Task.load(made.task.root).settings.runner.paths == ("tests/test_small.py",)


NEW = """diff --git a/tests/test_new.py b/tests/test_new.py
new file mode 100644
--- /dev/null
+++ b/tests/test_new.py
@@ -0,0 +1,8 @@
+import pytest
+
+from small import double
+
+
+@pytest.mark.parametrize("x", ["took 0.5s ", "a - b", "PASSED", "[100%]"])
+def test_named(x):
+    assert double(len(x)) == 2 * len(x)
"""


def test_a_test_patch_may_hold_new_files_only_and_ids_that_read_like_a_log(
    made: Made, tmp_path: Path
) -> None:
    names = ("took 0.5s ", "a - b", "PASSED", "[100%]")
    ids = tuple(f"tests/test_new.py::test_named[{name}]" for name in names)
    update = {"test_patch": NEW, "fail_to_pass": ids, "pass_to_pass": ()}
    row = made.row.model_copy(update=update)

    task = import_row(row, made.clones, tmp_path / "out", pins=PINS, sandbox=choose())

    assert {t.id: t.group for t in task.manifest.counted} == dict.fromkeys(ids, "fail_to_pass")


@pytest.mark.parametrize("field", ["patch", "test_patch"])
def test_a_row_whose_patch_does_not_apply_is_refused(
    made: Made, tmp_path: Path, field: str
) -> None:
    moved = getattr(made.row, field).replace("return x", "return y").replace("half(4)", "half(5)")
    row = made.row.model_copy(update={field: moved})

    with pytest.raises(SourceError, match="apply"):
        import_row(row, made.clones, tmp_path / "out", pins=PINS, sandbox=choose())
    assert not (tmp_path / "out").exists()
