from pathlib import Path

import pytest

from benchwright.tasks import Task
from jobs.shapes import write_task


@pytest.fixture
def task(tmp_path: Path) -> Task:
    """A construction task."""
    return write_task(tmp_path / "tasks" / "twice")
