"""A construction's metadata is what its own build says; a completion's is the task's."""

from pathlib import Path

import pytest

from benchwright.environments import lock
from benchwright.formats import ExpectedTest, Kind, Manifest
from benchwright.judge import judge
from benchwright.sandbox import Sandbox
from benchwright.tasks import Task, save_recipe
from judge import shapes

BUILT = shapes.RECIPE.model_copy(update={"build_requires": ("setuptools==80.9.0",)})
HIDDEN = """\
import subprocess
from importlib.metadata import entry_points, version


def test_version():
    assert version("shapes") == "1.2.3"


def test_command():
    assert subprocess.check_output(["shapes-name"], text=True) == "triangle\\n"


def test_no_plugin():
    assert not entry_points(group="pytest11")
"""
PROJECT = """\
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "shapes"
version = "1.2.3"
scripts = { shapes-name = "shapes:main" }
entry-points.pytest11 = { evil = "shapes" }

[tool.setuptools]
py-modules = ["shapes"]
"""
PRODUCT = shapes.REFERENCE + "\n\ndef main():\n    print(name(3))\n"


def write(root: Path, kind: Kind) -> Task:
    """A task whose tests ask for metadata; its own says 9.9."""
    task = shapes.write_task(root, kind, guarded=False)
    save_recipe(root, BUILT, lock(BUILT))
    (task.hidden / shapes.FILE).write_text(HIDDEN)
    info = task.tests / "metadata" / "shapes-9.9.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: shapes\nVersion: 9.9\n")
    names = ("test_version", "test_command", "test_no_plugin")
    tests = tuple(ExpectedTest(id=f"{shapes.FILE}::{n}", file=shapes.FILE) for n in names)
    Manifest(tests=tests).write(task.manifest_path)
    return Task.load(root)


@pytest.mark.parametrize(
    ("kind", "outcomes"),
    [
        ("construction", ["passed", "passed", "passed"]),
        ("completion", ["failed", "failed", "passed"]),
    ],
)
def test_metadata(kind: Kind, outcomes: list[str], sandbox: Sandbox, tmp_path: Path) -> None:
    task = write(tmp_path / "task", kind)
    mine = shapes.submission(tmp_path / "mine", PRODUCT, **{"pyproject.toml": PROJECT})

    verdict = judge(task, mine, sandbox=sandbox)

    assert [test.outcome for test in verdict.tests] == outcomes


def test_a_construction_without_metadata_fails_the_tests_that_ask_for_it(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    task = write(tmp_path / "task", "construction")

    verdict = judge(task, shapes.submission(tmp_path / "mine", PRODUCT), sandbox=sandbox)

    assert [test.outcome for test in verdict.tests] == ["failed", "failed", "passed"]
