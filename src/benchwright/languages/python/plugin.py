"""Python as a language: what the modules of this folder do, behind the one protocol."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

from benchwright.formats import Lock, Mutant, Product, Recipe, Rule, Runner
from benchwright.languages.candidates import Candidates
from benchwright.languages.collected import Collected
from benchwright.languages.measured import Measured, Ran
from benchwright.languages.protocol import Project, Stub, SuiteRun
from benchwright.languages.surface import Interface
from benchwright.languages.wrong import Wrong
from benchwright.sandbox import Capability, Mount

from . import (
    environment,
    environment_docker,
    environment_generated,
    environment_metadata,
    environment_supply,
    environment_tools,
    mutants,
)
from .controls import candidates
from .detect import detect
from .interface import interface
from .mutants import read
from .mutate import plan
from .mutate.permissive import permissive
from .stub import stub
from .stub_probe import probe, read_probe
from .suite import suite


class Python:
    """CPython projects, tested by pytest."""

    name: ClassVar[str] = "python"
    variables: ClassVar[Mapping[str, str]] = environment.VARIABLES
    sources: ClassVar[tuple[str, ...]] = (".py",)

    def detect(
        self, tree: Path, released: datetime | None = None, version: str = ""
    ) -> Project | None:
        """What the tree says about itself (see `Language.detect`)."""
        return detect(tree, released, version)

    def tools(self) -> tuple[Capability, ...]:
        """What environments are made with (see `Language.tools`)."""
        return environment_tools.tools()

    def lock(self, recipe: Recipe, progress: Callable[[str], None] | None = None) -> Lock:
        """Choose versions (see `Language.lock`)."""
        return environment.lock(recipe, progress)

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

    def dockerfile(self, recipe: Recipe, lock: Lock) -> str:
        """The environment as a Dockerfile (see `Language.dockerfile`)."""
        return environment_docker.dockerfile(recipe, lock)

    def metadata(
        self,
        tree: Path,
        mounts: Sequence[Mount],
        dest: Path,
        progress: Callable[[str], None] | None = None,
    ) -> tuple[str, ...]:
        """Build the product's installed metadata (see `Language.metadata`)."""
        return environment_metadata.metadata(tree, mounts, dest, progress)

    def generated(
        self,
        tree: Path,
        mounts: Sequence[Mount],
        progress: Callable[[str], None] | None = None,
    ) -> dict[str, bytes]:
        """Files that a build writes into the tree (see `Language.generated`)."""
        return environment_generated.generated(tree, mounts, progress)

    def supply(self, tree: Path, recipe: Recipe, missing: Sequence[str]) -> Recipe:
        """A recipe that brings missing modules too (see `Language.supply`)."""
        return environment_supply.supply(tree, recipe, missing)

    def relaxed(self, recipe: Recipe) -> Iterator[tuple[str, Recipe]]:
        """Looser recipes (see `Language.relaxed`)."""
        return environment_supply.relaxed(recipe)

    def equip(self, project: Project, environment: Path) -> Runner:
        """The runner as an environment has it (see `Language.equip`)."""
        return environment_supply.equip(project, environment)

    def stub(self, source: bytes, keep: frozenset[str]) -> Stub:
        """The skeleton of a file (see `Language.stub`)."""
        return stub(source, keep)

    def interface(
        self, tree: Path, product: Product, tests: Mapping[str, bytes] | None = None
    ) -> Interface:
        """The public interface (see `Language.interface`)."""
        return interface(tree, product, tests)

    def probe(
        self,
        runner: Runner,
        product: Product,
        *,
        tests: Sequence[str] = (),
        metadata: bool = False,
    ) -> SuiteRun:
        """How to collect a suite (see `Language.probe`)."""
        return probe(runner, product, tests=tests, metadata=metadata)

    def read_probe(self, events: bytes) -> Collected:
        """What collecting a suite said (see `Language.read_probe`)."""
        return read_probe(events)

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

    def controls(self, tests: Mapping[str, bytes], ids: Sequence[str]) -> Candidates:
        """Candidate controls of the hidden tests (see `Language.controls`)."""
        return candidates(tests, ids)

    def permissive(self, files: Mapping[str, bytes], *, equal: bool = False) -> dict[str, bytes]:
        """Stand-ins that accept everything (see `Language.permissive`)."""
        return permissive(files, equal=equal)

    def rules(
        self, files: Mapping[str, bytes], product: Product
    ) -> tuple[tuple[Rule, ...], tuple[str, ...]]:
        """The rules of a reference (see `Language.rules`)."""
        return mutants.rules(files, product)

    def wrong(
        self,
        files: Mapping[str, bytes],
        product: Product,
        found: Collection[Rule],
        imported: Mapping[str, frozenset[int]],
    ) -> Wrong:
        """Wrong implementations (see `Language.wrong`)."""
        return mutants.wrong(files, product, found, imported)

    def measure(
        self,
        runner: Runner,
        product: Product,
        names: Sequence[str],
        *,
        part: tuple[int, int] = (0, 1),
        metadata: bool = False,
    ) -> SuiteRun:
        """How to measure a suite (see `Language.measure`)."""
        return plan.measure(runner, product, names, part=part, metadata=metadata)

    def read_measure(self, events: bytes) -> Measured:
        """What measuring said (see `Language.read_measure`)."""
        return plan.read_measure(events)

    def choose(
        self,
        files: Mapping[str, bytes],
        product: Product,
        mutants: Sequence[Mutant],
        tests: Sequence[str],
        measured: Measured,
    ) -> list[dict[str, Any]]:
        """How each mutant is run (see `Language.choose`)."""
        return plan.choose(read(files, product)[0], mutants, tests, measured)

    def mutate(
        self,
        runner: Runner,
        product: Product,
        rows: Sequence[Mapping[str, Any]],
        tests: Sequence[str],
        measured: Measured,
        *,
        names: Sequence[str],
        metadata: bool = False,
        compare: bool = False,
    ) -> SuiteRun:
        """How to run mutants (see `Language.mutate`)."""
        return plan.run(
            runner, product, rows, tests, measured, names=names, metadata=metadata, compare=compare
        )

    def read_mutate(self, events: bytes) -> tuple[dict[int, Ran], bool]:
        """What running mutants said (see `Language.read_mutate`)."""
        return plan.read_run(events)
