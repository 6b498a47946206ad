import os
from pathlib import Path

import pytest

from benchwright.formats import FormatError, Kind, Product, Runner, edit
from benchwright.judge import assemble, edited, hidden
from benchwright.judge.assemble import EPOCH, HiddenFile, steers, write_tests
from benchwright.tasks import Task, save_config
from judge import shapes

TESTS = Runner(paths=("tests",))


def variant(
    root: Path, product: Product, runner: Runner = TESTS, kind: Kind = "completion"
) -> Task:
    task = shapes.write_task(root, kind)
    settings = task.settings.model_copy(update={"product": product, "runner": runner})
    save_config(root, task.config.model_copy(update={"benchwright": settings}))
    return Task.load(root)


def made(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def names(tree: Path) -> set[str]:
    return {p.relative_to(tree).as_posix() for p in tree.rglob("*") if not p.is_dir()}


def test_only_product_paths_cross_and_hidden_tests_win(tmp_path: Path, task: Task) -> None:
    mine = {
        "shapes.py": "",
        "json.py": "",
        "conftest.py": "",
        "pytest.ini": "",
        "sitecustomize.py": "",
        "tests/test_shapes.py": "",
        "tests/conftest.py": "",
        "README.md": "mine",
        "evil.pth": "",
        "evil.egg-info/entry_points.txt": "",
    }

    left_out = assemble(task, made(tmp_path / "mine", mine), tmp_path / "tree")

    assert names(tmp_path / "tree") == {"shapes.py", "README.md", "tests/test_shapes.py"}
    assert (tmp_path / "tree" / "README.md").read_text() == "Shapes.\n"
    assert (tmp_path / "tree" / shapes.FILE).read_text() == shapes.HIDDEN
    assert left_out == ()


def test_tests_inside_the_package_replace_the_submissions(tmp_path: Path) -> None:
    task = variant(
        tmp_path / "task", Product(paths=("tests",), modules=("tests",)), Runner(paths=("tests",))
    )
    mine = {
        "tests/__init__.py": "mine",
        "tests/test_shapes.py": "mine",
        "tests/conftest.py": "mine",
        "tests/deep/conftest.py": "mine",
    }

    left_out = assemble(task, made(tmp_path / "mine", mine), tmp_path / "tree")

    assert (tmp_path / "tree/tests/__init__.py").read_text() == "mine"
    assert (tmp_path / "tree" / shapes.FILE).read_text() == shapes.HIDDEN
    assert left_out == ("tests/conftest.py", "tests/deep/conftest.py")


def test_no_test_of_the_submission_stays_beside_those_inside_the_package(tmp_path: Path) -> None:
    task = variant(tmp_path / "task", Product(paths=("pkg",)), Runner(paths=("pkg/tests",)))
    mine = {"pkg/a.py": "", "pkg/tests/test_mine.py": "", "pkg/tests/helper.py": ""}

    assemble(task, made(tmp_path / "mine", mine), tmp_path / "tree")

    assert names(tmp_path / "tree") == {"pkg/a.py", "README.md", "tests/test_shapes.py"}


def test_a_file_where_the_import_path_has_a_folder(tmp_path: Path) -> None:
    task = variant(tmp_path / "task", Product(paths=("src",), roots=("src",)))

    assemble(task, made(tmp_path / "mine", {"src": "a file"}), tmp_path / "tree")

    assert names(tmp_path / "tree") == {"src", "README.md", "tests/test_shapes.py"}


def test_a_whole_repository_brings_nothing_that_steers(tmp_path: Path) -> None:
    task = variant(tmp_path / "task", Product(paths=(".",), roots=("src", ".")), kind="resolution")
    made(task.workspace, {"tests/conftest.py": "the task's"})
    mine = {
        "src/shapes.py": "",
        "src/data/conftest.py": "",
        "src/usercustomize/__init__.py": "",
        "src/x.egg-info/PKG-INFO": "",
        "setup.cfg": "",
        "sitecustomize.cpython-311.so": "",
        "tests/conftest.py": "mine",
        "conftest.py": "mine",
    }

    assemble(task, made(tmp_path / "mine", mine), tmp_path / "tree")

    assert names(tmp_path / "tree") == {
        "src/shapes.py", "src/data/conftest.py", "setup.cfg", "tests/conftest.py", "README.md",
        "tests/test_shapes.py",
    }  # fmt: skip
    assert (tmp_path / "tree/tests/conftest.py").read_text() == "the task's"


@pytest.mark.parametrize(
    ("name", "collected", "expected"),
    [
        ("pkg/conftest.py", "pkg/tests", True),
        ("pkg/tests/deep/conftest.py", "pkg/tests", True),
        ("pkg/conftest.py", "tests", False),
        ("pkg/conftest.py", ".", True),
        ("conftest.py", "tests", True),
        ("pkg/mod.pyc", "tests", True),
        ("pkg/sitecustomize.py", "tests", False),
    ],
)
def test_what_steers(tmp_path: Path, name: str, collected: str, expected: bool) -> None:
    task = variant(tmp_path, Product(paths=("pkg",)), Runner(paths=(collected,)))

    assert steers(name, task.settings) is expected


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    task = variant(tmp_path / "task", Product(paths=("shapes.py", "tests")))
    mine = made(tmp_path / "mine", {"shapes.py": "mine", "elsewhere/x": ""})
    (mine / "tests").symlink_to("elsewhere")

    assemble(task, mine, tmp_path / "tree")

    assert not (tmp_path / "tree/tests").is_symlink()
    assert names(tmp_path / "tree") == {"shapes.py", "README.md", "tests/test_shapes.py"}
    assert names(mine / "elsewhere") == {"x"}


def test_a_file_where_a_folder_of_tests_must_be_gives_way(tmp_path: Path) -> None:
    task = variant(tmp_path / "task", Product(paths=("shapes.py", "tests")))

    assemble(task, made(tmp_path / "mine", {"tests": "a file"}), tmp_path / "tree")

    assert (tmp_path / "tree" / shapes.FILE).read_text() == shapes.HIDDEN


def test_nothing_of_the_product_is_taken_through_a_linked_folder(tmp_path: Path) -> None:
    task = variant(tmp_path / "task", Product(paths=("src/pkg",)))
    mine = made(tmp_path / "mine", {"other/pkg/a.py": ""})
    (mine / "src").symlink_to("other")

    assemble(task, mine, tmp_path / "tree")

    assert names(tmp_path / "tree") == {"README.md", "tests/test_shapes.py"}


def test_times_and_modes_tell_nothing(tmp_path: Path, task: Task) -> None:
    mine = made(tmp_path / "mine", {"shapes.py": ""})
    (mine / "shapes.py").chmod(0o600)
    tree = tmp_path / "tree"
    assemble(task, mine, tree)
    files = hidden(task)
    source = files[shapes.FILE].data
    changed = edited(files, [edit(shapes.FILE, source, 0, 6, "import")])

    write_tests(tree, changed)

    found = {(p.stat().st_mtime, p.stat().st_mode & 0o777) for p in tree.rglob("*") if p.is_file()}
    assert found == {(EPOCH, 0o644)}
    assert {p.stat().st_mtime for p in (tree, tree / "tests")} == {EPOCH}


def test_hidden_files_keep_their_execute_bit_and_links(tmp_path: Path) -> None:
    files = {
        "run.sh": HiddenFile(b"#!/bin/sh\n", executable=True),
        "same.sh": HiddenFile(b"", link="run.sh"),
    }

    write_tests(tmp_path, files)

    assert os.access(tmp_path / "run.sh", os.X_OK)
    assert (tmp_path / "same.sh").readlink() == Path("run.sh")


def test_an_edit_of_another_text_is_refused(task: Task) -> None:
    wrong = edit(shapes.FILE, b"other text", 0, 5, "x")

    with pytest.raises(FormatError, match="isn't what was edited"):
        edited(hidden(task), [wrong])
