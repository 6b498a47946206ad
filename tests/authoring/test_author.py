from pathlib import Path
from shutil import copytree

import pytest

from authoring.projects import FILES, write
from benchwright.authoring import author
from benchwright.formats import SourceError, TaskError
from benchwright.judge import judge
from benchwright.tasks import Task
from benchwright.validation import validate

T = "tests/test_greet.py::"


def reasons(task: Task) -> dict[str, str]:
    return {
        test.id.removeprefix(T): test.reason.partition(":")[0]
        for test in task.manifest.tests
        if not test.counted
    }


def test_what_counts_and_why_the_rest_does_not(completion: Task) -> None:
    assert {test.id.removeprefix(T) for test in completion.manifest.counted} == {
        "test_plain",
        r"test_slug[Zo\xeb [a b]]",
        "test_slug[x::y]",
        r"test_slug[line\nbreak]",
        "test_nobody",
        "test_waits",
        "test_writes_beside_itself",
    }
    assert reasons(completion) == {
        "test_any_answer_will_do": "vacuous",
        "test_constant_only": "vacuous",
        "test_skipped": "skipped",
        "test_hash_order": "unstable",
    }


def test_an_id_that_differs_between_collections_is_dropped_by_name(completion: Task) -> None:
    dropped = completion.manifest.dropped

    assert [name.partition("[")[0] for name in dropped] == [f"{T}test_dated"]
    assert [*dropped.values()] == ["its id differs from one collection to the next"]


def test_the_workspace_holds_no_hidden_file(completion: Task, construction: Task) -> None:
    names = {
        p.relative_to(completion.workspace).as_posix() for p in completion.workspace.rglob("*")
    }

    assert names == {
        "README.md",
        "greet",
        "greet/__init__.py",
        "greet/core.py",
        "pyproject.toml",
    }
    assert list(construction.workspace.iterdir()) == []


def test_the_skeleton_keeps_what_runs_at_import_and_nothing_else(completion: Task) -> None:
    text = (completion.workspace / "greet" / "core.py").read_text()

    assert "return tuple(text.split())" in text
    assert text.count("raise NotImplementedError") == 2
    assert "Greet `name`; with `polite` by all the words there are." in text
    assert "nobody to greet" not in text


def test_the_contract_states_every_name_and_those_the_tests_touch(construction: Task) -> None:
    contract = (construction.docs / "CONTRACT.md").read_text()

    assert "def greet(name, *, polite=False)" in contract
    assert "`greet.core._words` (*inner*)" in contract
    assert "- Raises `ValueError` when `not name`, with the message `nobody to greet`." in contract


def test_the_requirements_come_from_the_documents(construction: Task) -> None:
    requirements = (construction.docs / "PRD.md").read_text()

    assert "Greets people politely." in requirements
    assert "\nThe name as it stands in an address.\n" in requirements
    assert "test_plain" not in requirements


@pytest.mark.parametrize("kind", ["completion", "construction"])
def test_the_reference_scores_everything(kind: str, request: pytest.FixtureRequest) -> None:
    task = request.getfixturevalue(kind)

    assert judge(task, task.solution).score == 1.0


def test_a_file_that_skips_itself_does_not_break_the_skeleton(
    completion: Task, tmp_path: Path
) -> None:
    task = Task.load(copytree(completion.root, tmp_path / "copy"))

    (start,) = (gate for gate in validate(task, gates=["start"]).gates if gate.name == "start")

    assert start.status == "passed"
    assert start.findings == ()


def test_the_same_task_again_is_left_alone_and_another_is_refused(
    completion: Task, project: Path
) -> None:
    before = completion.digest()

    assert author(f"path:{project}", "completion", completion.root).digest() == before
    with pytest.raises(TaskError, match="holds another task"):
        author(f"path:{project}", "construction", completion.root)


def test_a_folder_that_is_no_task_is_not_overwritten(project: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")

    with pytest.raises(TaskError, match="exists, and is not a task"):
        author(f"path:{project}", "completion", tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize(
    ("tests", "said"),
    [
        ("import greet\n\ndef test_a():\n    assert greet.slug('a') == 'b'\n", "only 0 of 1 tests"),
        ("import greet\nraise RuntimeError('no luck')\n", "no test can be collected: .*no luck"),
        (
            "import greet, socket\n\ndef test_net():\n"
            "    socket.create_connection(('192.0.2.1', 80), 2)\n",
            "only 0 of 1 tests pass on the reference: tests/test_greet.py::test_net: network",
        ),
        ("import greet\n\ndef test_a():\n    assert greet.POLITE\n", "every hidden test passes"),
    ],
    ids=["wrong", "not collected", "network", "vacuous"],
)
def test_a_suite_that_makes_no_task_leaves_nothing(tmp_path: Path, tests: str, said: str) -> None:
    files = {k: v for k, v in FILES.items() if not k.startswith("tests/")}
    source = write(tmp_path / "source", files | {"tests/test_greet.py": tests})

    with pytest.raises(SourceError, match=said):
        author(f"path:{source}", "completion", tmp_path / "out")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["source"]


def test_an_unknown_kind_names_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match="one of commit0, completion"):
        author("path:x", "puzzle", tmp_path / "out")
