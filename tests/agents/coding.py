"""Coding agents on a tiny task, with a scripted model behind the door."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from benchwright import environments, jobs
from benchwright.formats import Call, Check, Lock, Recipe, Tokens, Trajectory, TrialResult
from benchwright.gateway import calls
from benchwright.gateway.scripted import Script, ScriptedModel
from benchwright.tasks import Task, save_config, save_recipe
from jobs.shapes import REFERENCE, write_task

KEY = "the-real-key-0123456789"
PLANTED = "planted-secret-value-42"
TOKENS = Tokens(input=1200, cache_read=4000, cache_write=300, output=55, reasoning=12)
WRONG = REFERENCE.replace("2 * n", "3 * n")
SOLVE: list[dict[str, Any]] = [
    {"say": "I look around.", "run": "ls /docs; cat /docs/CONTRACT.md"},
    {"write": {"path": "/app/twice.py", "text": WRONG}},
    {"run": "check hidden-count"},
    {"read": "/app/twice.py"},
    {"edit": {"path": "/app/twice.py", "old": "3 * n", "new": "2 * n"}},
    {"run": f"python -c 'import twice; print(twice.double(21))'; echo {PLANTED} | tee note"},
    {"run": "submit it works"},
    {"say": "All done."},
]


@dataclass
class Ran:
    """A trial that is over, and the model's side of it."""

    result: TrialResult
    folder: Path
    model: ScriptedModel

    @property
    def lines(self) -> list[Call]:
        return list(calls((self.folder / "ledger.jsonl").read_bytes()))

    @property
    def trajectory(self) -> Trajectory:
        return Trajectory.read(self.folder / "log" / "trajectory.json")

    @property
    def kept(self) -> bytes:
        """Every byte of the trial's record but the submission itself."""
        paths = sorted(p for p in self.folder.rglob("*") if p.is_file())
        return b"".join(p.read_bytes() for p in paths if "submission" not in p.parts)


@cache
def locked(requires: tuple[str, ...]) -> tuple[Recipe, Lock]:
    """An environment in which the hidden tests can run."""
    recipe = Recipe(language="python", version="3.11", requires=requires)
    return recipe, environments.lock(recipe)


def checked_task(root: Path) -> Task:
    """The tiny task, with one check of the hidden tests."""
    task = write_task(root)
    save_recipe(root, *locked(("pytest",)))
    settings = task.settings.model_copy(update={"check": Check(allow=("hidden-count",), limit=1)})
    save_config(root, task.config.model_copy(update={"benchwright": settings}))
    return Task.load(root)


@contextmanager
def serving(
    monkeypatch: pytest.MonkeyPatch, turns: list[dict[str, Any]]
) -> Iterator[ScriptedModel]:
    """A scripted model where the environment says that the providers are."""
    model = ScriptedModel(Script.model_validate({"tokens": TOKENS.model_dump(), "turns": turns}))
    with model.serve() as url:
        for name in ("ANTHROPIC", "OPENAI"):
            monkeypatch.setenv(f"{name}_BASE_URL", url)
            monkeypatch.setenv(f"{name}_API_KEY", KEY)
        monkeypatch.setenv("PLANTED_SECRET", PLANTED)
        yield model


def run(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    agent: str,
    turns: list[dict[str, Any]],
    **options: Any,
) -> Ran:
    """One trial."""
    task = checked_task(tmp_path / "task")
    with serving(monkeypatch, turns) as model:
        job = jobs.run(
            [task],
            [agent],
            tmp_path / "job",
            unvalidated=True,
            unguarded=True,
            retries=0,
            **options,
        )
    result = job.results[0]
    return Ran(result, job.root / "trials" / result.trial / result.attempt, model)
