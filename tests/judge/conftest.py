from pathlib import Path

import pytest

from benchwright.environments import Environment
from benchwright.formats import Verdict
from benchwright.judge import judge
from benchwright.sandbox import Sandbox, choose
from benchwright.tasks import Task
from judge import shapes
from judge.shapes import Judge


@pytest.fixture(scope="session")
def environment() -> Environment:
    return shapes.environment()


@pytest.fixture(scope="session")
def sandbox() -> Sandbox:
    return choose()


@pytest.fixture(scope="session")
def task(tmp_path_factory: pytest.TempPathFactory) -> Task:
    """The tiny task, with controls; nobody changes it."""
    return shapes.write_task(tmp_path_factory.mktemp("task") / "shapes")


@pytest.fixture
def judged(task: Task, environment: Environment, sandbox: Sandbox, tmp_path: Path) -> Judge:
    """Judge a text of `shapes.py`."""

    def judged(text: str = shapes.REFERENCE, on: Task = task, **more: object) -> Verdict:
        tree = tmp_path / "mine"
        if not tree.exists():
            shapes.submission(tree, text)
        return judge(on, tree, environment=environment, **{"sandbox": sandbox, "pairs": 1, **more})

    return judged
