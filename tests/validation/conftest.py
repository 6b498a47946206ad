from collections.abc import Callable
from pathlib import Path

import pytest

from benchwright.tasks import Task
from judge import shapes

Make = Callable[..., Task]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """A tiny task, with some of its files written anew."""

    def task(kind: str = "completion", **files: str) -> Task:
        root = tmp_path / "task"
        shapes.write_task(root, kind)  # type: ignore[arg-type]
        for name, text in files.items():
            path = root / name.replace("__", "/").replace("_dot_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return Task.load(root)

    return task
