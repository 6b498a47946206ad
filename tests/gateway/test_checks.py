"""What `check` says of a workspace, and that it says no more."""

from pathlib import Path

import pytest

from agents.coding import checked_task, locked
from benchwright import sandbox
from benchwright.formats import Gate
from benchwright.gateway import DeclinedError
from benchwright.gateway.checks import Checks
from benchwright.tasks import Task, save_config, save_recipe

HALF = "import os\n\n\ndef double(n):\n    return 2 * n if isinstance(n, int) else None\n"
VISIBLE = "from twice import double\n\n\ndef test_seen():\n    assert double('a') == 'aa'\n"


@pytest.fixture
def checks(tmp_path: Path) -> Checks:
    """Checks of a half right solution, with a test that the agent wrote."""
    task = checked_task(tmp_path / "task")
    save_recipe(task.root, *locked(("pytest", "ruff")))
    settings = task.settings.model_copy(update={"gates": (Gate(tool="ruff"),)})
    save_config(task.root, task.config.model_copy(update={"benchwright": settings}))
    workspace = tmp_path / "workspace"
    (workspace / "tests").mkdir(parents=True)
    (workspace / "twice.py").write_text(HALF)
    (workspace / "tests" / "test_seen.py").write_text(VISIBLE)
    return Checks(Task.load(task.root), workspace, sandbox.choose())


def test_hidden_tests_are_only_counted(checks: Checks) -> None:
    assert checks("hidden-count") == "hidden tests: 1 of 2 pass\n"


def test_visible_tests_are_named(checks: Checks) -> None:
    assert checks("visible") == (
        "visible tests: 0 passed, 1 failed\nfailed: tests/test_seen.py::test_seen\n"
    )


def test_lint_and_types_are_only_counted(checks: Checks) -> None:
    assert checks("lint") == "ruff: 1 problems\n"
    assert checks("types") == "types: this task has no such gate\n"


def test_a_workspace_that_is_empty(checks: Checks) -> None:
    for path in (checks.workspace / "tests" / "test_seen.py", checks.workspace / "twice.py"):
        path.unlink()

    with pytest.raises(DeclinedError, match="the workspace is empty"):
        checks("hidden-count")


def test_a_product_that_breaks_everything(checks: Checks) -> None:
    (checks.workspace / "twice.py").write_text("import os\nos._exit(0)\n")

    assert checks("hidden-count") == "hidden tests: 0 of 2 pass\n"
