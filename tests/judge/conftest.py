import pytest

from benchwright.environments import Environment
from benchwright.sandbox import Sandbox, choose
from benchwright.tasks import Task
from judge import shapes


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
