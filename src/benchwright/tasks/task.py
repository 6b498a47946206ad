"""A task: a folder with a public half, a sealed half and what was found out about it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import tomli_w
from pydantic import ValidationError

from benchwright.formats import (
    Lock,
    Manifest,
    Recipe,
    Settings,
    TaskConfig,
    TaskError,
    parse,
    read_bytes,
    write_atomic,
)
from benchwright.formats.base import first_problem

from .tree import digest


@dataclass(frozen=True, slots=True)
class Task:
    """A loaded task. The folder is the truth; this only knows where things are."""

    root: Path
    config: TaskConfig

    @classmethod
    def load(cls, root: Path | str) -> Task:
        """Read a task folder.

        Raises:
            TaskError: it isn't a task, a file is missing, or `task.toml` is wrong.
        """
        root = Path(root)
        path = root / "task.toml"
        if not path.is_file():
            raise TaskError(f"{root}: not a task: there is no task.toml in it")
        try:
            data = tomllib.loads(read_bytes(path).decode())
            config = TaskConfig.model_validate(data)
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise TaskError(f"{path}: not TOML: {error}") from None
        except ValidationError as error:
            raise TaskError(f"{path}: {first_problem(error)}") from None
        task = cls(root.resolve(), config)
        for needed in (task.instruction, task.workspace, task.tests, task.manifest_path):
            if not needed.exists():
                raise TaskError(f"{needed}: missing from the task", hint="author the task again")
        return task

    @classmethod
    def of(cls, task: Task | Path | str) -> Task:
        """A task as it is, or the one in a folder."""
        return task if isinstance(task, Task) else cls.load(task)

    @property
    def name(self) -> str:
        """`org/name` of the task, or its folder's name."""
        return str(self.config.task.get("name") or self.root.name)

    @property
    def settings(self) -> Settings:
        """Our own table."""
        return self.config.benchwright

    @property
    def instruction(self) -> Path:
        """What the agent is told."""
        return self.root / "instruction.md"

    @property
    def workspace(self) -> Path:
        """What the agent starts from."""
        return self.root / "environment" / "workspace"

    @property
    def docs(self) -> Path:
        """Documents the agent may read (mounted at `/docs`)."""
        return self.root / "environment" / "docs"

    @property
    def tests(self) -> Path:
        """The sealed hidden tests; the tree to lay over the judged tree is `tests/files`."""
        return self.root / "tests"

    @property
    def hidden(self) -> Path:
        """Files that are laid over the judged tree: hidden tests and what they need."""
        return self.tests / "files"

    @property
    def metadata(self) -> Path | None:
        """The product's installed metadata, where its tests ask for it."""
        own = self.tests / "metadata"
        return own if own.is_dir() else None

    @property
    def manifest_path(self) -> Path:
        """Every expected id."""
        return self.tests / "manifest.json"

    @property
    def solution(self) -> Path:
        """The sealed reference: product paths as upstream has them."""
        return self.root / "solution" / "files"

    @property
    def scaffold(self) -> Path:
        """The rest of upstream's tree, which the judge puts around the product (sealed)."""
        return self.tests / "scaffold"

    @property
    def validation(self) -> Path:
        """Evidence, controls, kill matrix."""
        return self.root / "validation"

    @property
    def recipe(self) -> Recipe:
        """What the environment is made from."""
        path = self.root / "environment" / "recipe.toml"
        try:
            return Recipe.model_validate(tomllib.loads(read_bytes(path).decode()))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise TaskError(f"{path}: not TOML: {error}") from None
        except ValidationError as error:
            raise TaskError(f"{path}: {first_problem(error)}") from None

    @property
    def lock(self) -> Lock:
        """The chosen versions."""
        path = self.root / "environment" / "recipe.lock"
        return parse(Lock, read_bytes(path), path)

    @property
    def manifest(self) -> Manifest:
        """The expected ids."""
        return Manifest.read(self.manifest_path)

    def digest(self) -> str:
        """Digest of everything but `validation/`: what evidence is bound to."""
        return digest(self.root, skip=("validation",))


def save_config(root: Path, config: TaskConfig) -> None:
    """Write `task.toml`."""
    data = config.model_dump(mode="json", exclude_defaults=False, exclude_none=True)
    write_atomic(root / "task.toml", tomli_w.dumps(data).encode())


def save_recipe(root: Path, recipe: Recipe, lock: Lock) -> None:
    """Write `environment/recipe.toml` and `recipe.lock`."""
    data = recipe.model_dump(mode="json", exclude_none=True)
    write_atomic(root / "environment" / "recipe.toml", tomli_w.dumps(data).encode())
    lock.write(root / "environment" / "recipe.lock")


def find(paths: Iterator[Path] | list[Path]) -> list[Task]:
    """The tasks at `paths`: each a task folder, or a folder of task folders.

    Raises:
        TaskError: one of them is neither.
    """
    tasks = []
    for path in paths:
        if (path / "task.toml").is_file():
            tasks.append(Task.load(path))
            continue
        below = sorted(p.parent for p in path.glob("*/task.toml")) if path.is_dir() else []
        if not below:
            raise TaskError(f"{path}: neither a task nor a folder of tasks")
        tasks += [Task.load(p) for p in below]
    return tasks
