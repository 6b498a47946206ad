from pathlib import Path

import pytest

from authoring.projects import FILES, write
from benchwright.authoring import author
from benchwright.tasks import Task


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("project") / "greet", FILES)


@pytest.fixture(scope="session")
def completion(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Task:
    return author(f"path:{project}", "commit0", tmp_path_factory.mktemp("tasks") / "completion")


@pytest.fixture(scope="session")
def construction(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Task:
    return author(f"path:{project}", "construction", tmp_path_factory.mktemp("tasks") / "built")
