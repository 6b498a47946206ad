from collections.abc import Callable
from pathlib import Path

import pytest

from benchwright.formats import ExpectedTest, Manifest
from benchwright.languages import get
from benchwright.mutants import Ground
from benchwright.sandbox import choose
from benchwright.tasks import Task
from judge import shapes

Make = Callable[[str, str], Ground]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Ground of a task whose product and test file are given as texts."""

    def ground(product: str, tests: str) -> Ground:
        task = shapes.write_task(tmp_path / "task", guarded=False)
        (task.solution / "shapes.py").write_text(product)
        (task.solution / "README.md").write_text("It's not a program.\n")
        (task.hidden / shapes.FILE).write_text(tests)
        names = [
            line[4:].partition("(")[0] for line in tests.splitlines() if line[:9] == "def test_"
        ]
        found = tuple(ExpectedTest(id=f"{shapes.FILE}::{n}", file=shapes.FILE) for n in names)
        Manifest(tests=found).write(task.manifest_path)
        return Ground.prepare(
            Task.load(task.root), get("python"), shapes.environment(), choose(),
            tmp_path / "ground", lambda _: None,
        )  # fmt: skip

    return ground
