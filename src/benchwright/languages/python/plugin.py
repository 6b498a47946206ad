"""Python as a language: what the modules of this folder do, behind the one protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import ClassVar

from benchwright.formats import Lock, Product, Recipe, Runner
from benchwright.languages.protocol import Project, Stub, SuiteRun

from . import environment, environment_lock
from .detect import detect
from .stub import stub
from .suite import suite


class Python:
    """CPython projects, tested by pytest."""

    name: ClassVar[str] = "python"
    variables: ClassVar[Mapping[str, str]] = environment.VARIABLES

    def detect(self, tree: Path, released: datetime | None = None) -> Project | None:
        """What the tree says about itself (see `Language.detect`)."""
        return detect(tree, released)

    def lock(self, recipe: Recipe, progress: Callable[[str], None] | None = None) -> Lock:
        """Choose versions (see `Language.lock`)."""
        return environment_lock.lock(recipe, progress)

    def install(
        self,
        recipe: Recipe,
        lock: Lock,
        dest: Path,
        progress: Callable[[str], None] | None = None,
        *,
        build: bool = False,
    ) -> None:
        """Build an environment (see `Language.install`)."""
        environment.install(recipe, lock, dest, progress, build=build)

    def stub(self, source: bytes, keep: frozenset[str]) -> Stub:
        """The skeleton of a file (see `Language.stub`)."""
        return stub(source, keep)

    def suite(
        self,
        runner: Runner,
        product: Product,
        skip: Sequence[str] = (),
        *,
        skip_files: Sequence[str] = (),
        tests: Sequence[str] = (),
        order_seed: int | None = None,
        metadata: bool = False,
    ) -> SuiteRun:
        """How to run a suite (see `Language.suite`)."""
        return suite(
            runner,
            product,
            skip,
            skip_files=skip_files,
            tests=tests,
            order_seed=order_seed,
            metadata=metadata,
        )
