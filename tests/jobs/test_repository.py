from pathlib import Path

import pytest

from benchwright import jobs
from benchwright.jobs.repository import repository
from benchwright.sandbox import Bubblewrap
from benchwright.tasks import Task
from judge import shapes

LOOK = """\
git log --all --format=%s; git status --porcelain; git remote; git tag; git stash list; \
git reflog | wc -l; git count-objects -v | grep packs; ls .git/FETCH_HEAD; git show HEAD:shapes.py\
"""


def said(task: Task, out: Path, command: str) -> str:
    job = jobs.run([task], [f"command:{command}"], out, unvalidated=True)
    (trial,) = job.results
    return (out / "trials" / trial.trial / trial.attempt / "log" / "stdout.txt").read_text()


def test_an_agent_finds_one_commit_and_nothing_else(tmp_path: Path) -> None:
    shapes.write_task(tmp_path / "task", "completion")
    task = Task.load(tmp_path / "task")

    found = said(task, tmp_path / "job", LOOK)

    facts, _, skeleton = found.partition("packs: 0\n")
    assert facts == "start\n1\n"
    assert skeleton == (task.workspace / "shapes.py").read_text()


def test_what_is_ignored_is_in_the_commit_too(tmp_path: Path) -> None:
    shapes.write_task(tmp_path / "task", "completion")
    (tmp_path / "task" / "environment" / "workspace" / ".gitignore").write_text("*.py\n")

    found = said(Task.load(tmp_path / "task"), tmp_path / "job", "git ls-files")

    assert found.split() == [".gitignore", "shapes.py"]


def test_an_empty_workspace_stays_empty(tmp_path: Path) -> None:
    repository(tmp_path, Bubblewrap())

    assert list(tmp_path.iterdir()) == []


def test_without_git_nothing_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("PATH", str(tmp_path))

    repository(tmp_path, Bubblewrap())

    assert [path.name for path in tmp_path.iterdir()] == ["file"]
