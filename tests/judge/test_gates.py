from pathlib import Path

import pytest

from benchwright.environments import Environment, build, lock
from benchwright.formats import Gate, TaskError
from benchwright.judge import judge
from benchwright.sandbox import Sandbox
from judge import shapes

LINT = Gate(tool="ruff", config='[lint]\nselect = ["F"]\n', required=True)
TYPES = Gate(tool="mypy", options=("--no-incremental",), config="[mypy]\nstrict = true\n")
TYPED = shapes.RECIPE.model_copy(
    update={"requires": (*shapes.RECIPE.requires, "ruff==0.14.0", "mypy==1.18.2")}
)


@pytest.fixture(scope="module")
def equipped() -> Environment:
    """An environment with the tools."""
    return build(TYPED, lock(TYPED))


def test_a_clean_product_passes_a_required_gate(
    equipped: Environment, sandbox: Sandbox, tmp_path: Path
) -> None:
    task = shapes.write_task(tmp_path / "task", gates=(LINT, TYPES))

    verdict = judge(task, task.solution, environment=equipped, sandbox=sandbox, pairs=1)

    lint, types = verdict.gates
    assert (lint.tool, lint.passed, lint.problems) == ("ruff", True, 0)
    assert (types.tool, types.passed, types.problems) == ("mypy", False, 4)
    assert "shapes.py:1: error: " in types.output
    assert verdict.reward == 1.0


def test_a_required_gate_that_fails_costs_the_reward_and_not_the_score(
    equipped: Environment, sandbox: Sandbox, tmp_path: Path
) -> None:
    task = shapes.write_task(tmp_path / "task", gates=(LINT,))
    mine = shapes.submission(
        tmp_path / "mine",
        "import os\n" + shapes.REFERENCE,
        **{"ruff.toml": "lint.select = []\n", "pyproject.toml": "[tool.ruff]\nlint.select = []\n"},
    )

    verdict = judge(task, mine, environment=equipped, sandbox=sandbox, pairs=1)

    assert (verdict.score, verdict.reward) == (1.0, 0.0)
    assert [(gate.passed, gate.problems) for gate in verdict.gates] == [(False, 1)]


def test_a_tool_that_is_not_in_the_environment_gets_one_of_its_own(
    environment: Environment, sandbox: Sandbox, tmp_path: Path
) -> None:
    task = shapes.write_task(tmp_path / "task", gates=(LINT,))

    verdict = judge(task, task.solution, environment=environment, sandbox=sandbox, pairs=1)

    assert [gate.passed for gate in verdict.gates] == [True]


def test_an_absent_product_passes_no_gate(
    equipped: Environment, sandbox: Sandbox, tmp_path: Path
) -> None:
    task = shapes.write_task(tmp_path / "task", gates=(LINT,))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "other.py").write_text("")

    verdict = judge(task, tmp_path / "mine", environment=equipped, sandbox=sandbox, pairs=1)

    assert [(gate.passed, gate.output) for gate in verdict.gates] == [(False, "no product")]


def test_an_unknown_tool_is_the_tasks_mistake(
    equipped: Environment, sandbox: Sandbox, tmp_path: Path
) -> None:
    task = shapes.write_task(tmp_path / "task", gates=(Gate(tool="lint-o-matic"),))

    with pytest.raises(TaskError, match="gate 'lint-o-matic' is unknown"):
        judge(task, task.solution, environment=equipped, sandbox=sandbox, pairs=1)
