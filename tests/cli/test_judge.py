import json
from pathlib import Path

import pytest

from benchwright.cli.main import main
from benchwright.formats import Verdict
from judge import cheats, shapes


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A task and two submissions."""
    root = tmp_path_factory.mktemp("judge")
    shapes.write_task(root / "task")
    shapes.submission(root / "half", cheats.HALF)
    return root


def call(*arguments: object) -> int:
    with pytest.raises(SystemExit) as left:
        main([str(argument) for argument in arguments])
    return int(left.value.code or 0)


def test_a_verdict_is_shown_written_and_repeated(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task, half, kept = folder / "task", folder / "half", folder / "verdict.json"

    assert call("judge", task, half, "--pairs", 1, "-o", kept) == 0
    shown = capsys.readouterr().out
    assert call("judge", task, half, "--replay", kept, "--json") == 0
    again = json.loads(capsys.readouterr().out)

    first = Verdict.read(kept)
    assert "score   0.7273" in shown
    assert "reward  0" in shown
    assert "8 passed" in shown
    assert "failed    tests/test_shapes.py::test_triangle  NotImplementedError" in shown
    assert first.guard is not None
    assert again["guard"]["seed"] == first.guard.seed
    assert again["score"] == first.score


def test_bad_input_is_one_line_and_exit_code_2(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments in (
        (folder / "half", folder / "half"),
        (folder / "task", folder / "nothing"),
        (folder / "task", folder / "half", "--pairs", -1),
        (folder / "task", folder / "half", "--replay", folder / "half" / "shapes.py"),
        (folder / "task", folder / "half", "--sandbox", "none"),
    ):
        assert call("judge", *arguments) == 2
        said = capsys.readouterr().err.strip().splitlines()
        assert said[-1].startswith("benchwright: ")
        assert not any("Traceback" in line for line in said)


def test_the_help_says_that_no_model_judges(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("judge", "--help") == 0
    assert "No LLM is involved" in capsys.readouterr().out
