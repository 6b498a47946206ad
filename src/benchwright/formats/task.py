"""`task.toml`: Harbor's keys (schema 1.4), and everything more in our own table `[benchwright]`."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any, Literal

from pydantic import ConfigDict, Field

from .base import Record

Kind = Literal["completion", "construction", "resolution"]
ALIASES: dict[str, Kind] = {
    "commit0": "completion",
    "zero2repo": "construction",
    "swebench": "resolution",
}


class SourcePin(Record):
    """Where the task comes from, exactly."""

    spec: str
    """As `pypi:tinydb==4.8.0`."""
    archive: str = ""
    """sha256 (hex) of the downloaded archive; for git, the commit."""
    tree: str = ""
    """Digest of the unpacked tree."""
    released: datetime | None = None
    version: str = ""
    """What the tags of a repository call it; empty where the source says it itself."""


class Product(Record):
    """What the submission delivers, and how it is found."""

    paths: tuple[str, ...]
    """POSIX paths below the workspace that are taken from a submission (files or folders). For
    resolution `(".",)`: everything but the hidden tests' files."""
    roots: tuple[str, ...] = (".",)
    """Folders put on the import path, such as `src`."""
    modules: tuple[str, ...] = ()
    """Top-level import names."""
    without: tuple[str, ...] = ()
    """Files that are never taken from a submission: the hidden tests' change removes them."""
    distribution: str = ""
    """Name of the installed distribution, whose metadata the tests may ask for."""

    def owns(self, name: str) -> bool:
        """Whether a file belongs to one of the modules, and not to what stands beside them."""
        path = PurePosixPath(name)
        for root in self.roots:
            if path.is_relative_to(root):
                first = path.relative_to(root).parts[0]
                if first.removesuffix(".py") in self.modules:
                    return True
        return False


class Runner(Record):
    """How the hidden suite runs. Written by the judge; nothing here comes from a submission."""

    name: Literal["pytest", "django"] = "pytest"
    paths: tuple[str, ...] = ()
    """What is collected, below the judged tree."""
    plugins: tuple[str, ...] = ()
    """Runner plugins by import name; no other is loaded."""
    options: tuple[str, ...] = ()
    """Upstream's options that change what is collected or how it is imported, and no others."""
    ini: dict[str, str | list[str] | bool] = {}
    """Upstream's runner configuration, filtered."""
    env: dict[str, str] = {}
    own: bool = False
    """Whether the product is the runner: its own code then runs and reports its tests."""


class Limits(Record):
    """What a box may use while judging."""

    test_seconds: float = 60.0
    collect_seconds: float = 60.0
    """Silence that is allowed where no test runs: start, imports, collection, the end."""
    suite_seconds: float = 1800.0
    memory: int = 2 << 30
    """Bytes."""
    processes: int = 256
    disk: int = 1 << 30
    """Bytes of scratch space."""

    def hurried(self, took: Iterable[float]) -> Limits:
        """These limits for a product that can be waited for in vain.

        Args:
            took: seconds that each test took on the reference.
        """
        seconds = tuple(took)
        test = max(2.0, 10 * max(seconds, default=0.0))
        return self.model_copy(
            update={
                "test_seconds": min(self.test_seconds, test),
                "collect_seconds": min(self.collect_seconds, max(15.0, test)),
                "suite_seconds": min(self.suite_seconds, max(120.0, 10 * sum(seconds))),
            }
        )


class Gate(Record):
    """A quality gate beside the score."""

    tool: str
    """`ruff`, `mypy` or `pyright`."""
    options: tuple[str, ...] = ()
    config: str = ""
    """Text of the tool's configuration: the task's own, never the submission's."""
    required: bool = False
    """Whether a reward of 1 needs it."""


class Scoring(Record):
    """When a submission is rewarded."""

    threshold: float = Field(default=1.0, ge=0.0, le=1.0)
    """Completion: the score from which the reward is 1."""
    rounds: int = 4
    """Pairs of rounds the judge runs by default. A pair takes as long as two plain runs and halves
    the chance of winning a test by guessing; where few tests decide, the judge runs more."""


class Check(Record):
    """Test feedback the agent may ask for while it works."""

    allow: tuple[Literal["visible", "hidden-count", "lint", "types"], ...] = ()
    limit: int = 0


class Settings(Record):
    """The table `[benchwright]`."""

    format: Literal["benchwright.task/1"] = "benchwright.task/1"
    kind: Kind
    language: str
    source: SourcePin
    product: Product
    runner: Runner = Runner()
    limits: Limits = Limits()
    scoring: Scoring = Scoring()
    check: Check = Check()
    gates: tuple[Gate, ...] = ()
    denied: tuple[str, ...] = ()
    """Distributions and import names that would give the answer."""
    neutral: dict[str, str] = {}
    """Upstream's names and what stands in their place in the public half."""
    canary: str = ""
    """Id that every sealed file carries, to find leaks."""


class TaskConfig(Record):
    """The whole `task.toml`. Harbor's tables are kept as they are; ours is strict."""

    model_config = ConfigDict(frozen=True, extra="allow", use_attribute_docstrings=True)

    schema_version: str = "1.4"
    task: dict[str, Any] = {}
    metadata: dict[str, Any] = {}
    agent: dict[str, Any] = {}
    verifier: dict[str, Any] = {}
    environment: dict[str, Any] = {}
    artifacts: list[Any] = []
    benchwright: Settings
