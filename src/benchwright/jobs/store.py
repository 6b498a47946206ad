"""The folder of a job.

    job.toml                      locked inputs
    trials/NAME/result.json       written once, whole; names the attempt it is of
    trials/NAME/ATTEMPT/          what the attempt left: log, submission, verdict.json, changes.diff

A trial is finished when its `result.json` is there, and not before. Whoever works on a trial holds
its lock, which the system releases when the process ends, however it ends; an attempt without a
result is cleared away by the next one who holds the lock.
"""

from __future__ import annotations

import fcntl
import gc
import os
import secrets
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import tomli_w
from pydantic import ValidationError

from benchwright.formats import (
    OUTCOMES,
    FormatError,
    JobConfig,
    JobError,
    StorageError,
    TrialResult,
    boundary,
    exclusive,
    parse,
    read_bytes,
    write_atomic,
)
from benchwright.formats.base import first_problem


@dataclass(frozen=True, slots=True)
class Store:
    """An opened job folder."""

    root: Path
    config: JobConfig

    @classmethod
    def create(cls, root: Path, config: JobConfig) -> Store:
        """Start a job in a new folder, or go on with the same one.

        Raises:
            JobError: the folder holds something else, or a job of other inputs.
            StorageError: it can't be written.
        """
        _refuse_strangers(root)
        with boundary(StorageError, f"{root}: the job can't be written"):
            (root / "trials").mkdir(parents=True, exist_ok=True)
            with exclusive(root / ".lock"):
                if not (root / "job.toml").exists():
                    data = config.model_dump(mode="json", exclude_none=True)
                    write_atomic(root / "job.toml", tomli_w.dumps(data).encode())
        store = cls.open(root)
        _compare(root, store.config.inputs(), config.inputs())
        return store

    @classmethod
    def open(cls, root: Path) -> Store:
        """An existing job.

        Raises:
            JobError: there is none.
            FormatError: its `job.toml` is wrong.
        """
        path = root / "job.toml"
        if not path.is_file():
            raise JobError(f"{root}: not a job: there is no job.toml in it")
        try:
            config = JobConfig.model_validate(tomllib.loads(read_bytes(path).decode()))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise FormatError(f"{path}: not TOML: {error}") from None
        except ValidationError as error:
            raise FormatError(f"{path}: {first_problem(error)}") from None
        return cls(root.resolve(), config)

    def results(self) -> dict[str, TrialResult]:
        """Every result by its trial's name."""
        with boundary(StorageError, f"{self.root}: the job can't be read"):
            names = sorted(os.listdir(self.root / "trials"))  # noqa: PTH208 - names are all we need
        with _uncollected():
            found = ((name, self.result(name)) for name in names)
            return {name: result for name, result in found if result is not None}

    def result(self, name: str) -> TrialResult | None:
        """The result of a trial, or None while it has none.

        Raises:
            FormatError: it was changed by somebody else.
        """
        path = f"{self.root}/trials/{name}/result.json"  # ten thousand times: no Path for each
        try:
            with open(path, "rb") as file:  # noqa: PTH123
                data = file.read()
        except (FileNotFoundError, NotADirectoryError):
            return None
        try:
            return parse(TrialResult, data, Path(path))
        except FormatError as error:
            raise FormatError(error.message, hint="delete it to run the trial again") from None

    def claim(self, name: str) -> IO[bytes] | None:
        """The trial's lock, held until it is closed; None when another process holds it.

        Raises:
            StorageError: the folder can't be written.
        """
        folder = self.root / "trials" / name
        with boundary(StorageError, f"{folder}: can't be written"):
            folder.mkdir(exist_ok=True)
            file = (folder / ".lock").open("ab")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            return None
        return file

    def begin(self, name: str) -> Path:
        """The folder of a new attempt. The trial's lock is held."""
        folder = self.root / "trials" / name / secrets.token_hex(4)
        with boundary(StorageError, f"{folder}: can't be written"):
            (folder / "log").mkdir(parents=True)
        return folder

    def torn(self, name: str) -> list[Path]:
        """Attempts that ended without a result. The trial's lock is held."""
        result = self.result(name)
        kept = {result.attempt, *(item.attempt for item in result.tries)} if result else set()
        folder = self.root / "trials" / name
        return [path for path in folder.iterdir() if path.is_dir() and path.name not in kept]

    def save(self, result: TrialResult) -> None:
        """Finish a trial. Its lock is held.

        Raises:
            StorageError: the result couldn't be written; the trial is as it was.
        """
        path = self.root / "trials" / result.trial / "result.json"
        with boundary(StorageError, f"{path}: can't be written"):
            result.write(path)


def finished(result: TrialResult | None, spec: str) -> bool:
    """Whether a trial is done for good: a lost one is tried again when the job is.

    Raises:
        JobError: the result is of other inputs.
    """
    if result is None:
        return False
    if result.spec != spec:
        raise JobError(
            f"{result.trial}: its result was made from other inputs", hint="use a new folder"
        )
    return not OUTCOMES[result.status].retried


@contextmanager
def _uncollected() -> Iterator[None]:
    """Look for no garbage meanwhile: among so many new objects, all alive, it takes longest."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _refuse_strangers(root: Path) -> None:
    if (root / "job.toml").exists() or not root.exists():
        return
    if not root.is_dir():
        raise JobError(f"{root}: is a file, not a folder")
    # Another process may be making the job at this moment: its files are no strangers.
    ours = (".lock", "trials", "job.toml")
    if any(p.name not in ours and not p.name.startswith(".job.toml.") for p in root.iterdir()):
        raise JobError(f"{root}: not empty, and not a job", hint="name a new folder with -o")


def _compare(root: Path, old: dict[str, str], new: dict[str, str]) -> None:
    """Same inputs resume, others are refused: say which one differs."""
    for name in sorted(old.keys() | new.keys()):
        if old.get(name) == new.get(name):
            continue
        word = "isn't in it" if name not in old else "is only in it"
        word = "differs" if name in old and name in new else word
        raise JobError(
            f"{root}: holds a job of other inputs: {name} {word}", hint="use a new folder with -o"
        )
