"""What a language must do for us. One plug a language; no other room knows a language by name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar, Protocol

from benchwright.formats import Lock, Mutant, Product, Recipe, Rule, Runner
from benchwright.sandbox import Capability, Mount

from .candidates import Candidates
from .collected import Collected
from .measured import Measured, Ran
from .surface import Interface
from .wrong import Wrong


@dataclass(frozen=True, slots=True)
class Project:
    """What a source tree says about itself."""

    name: str
    """Name of the distribution."""
    version: str
    product: Product
    runner: Runner
    recipe: Recipe
    tests: tuple[str, ...]
    """Files that belong to the hidden half: tests, their helpers, fixtures and snapshots (POSIX
    paths below the tree)."""
    docs: tuple[str, ...]
    """Files that may be shown: README and documentation."""
    notes: tuple[str, ...] = ()
    """What was guessed, in plain words."""


@dataclass(frozen=True, slots=True)
class Stub:
    """A skeleton of one file."""

    text: bytes
    removed: int
    """How many bodies were taken out."""
    kept: tuple[str, ...] = ()
    """Qualified names whose bodies stayed, with the reason after a colon."""


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """How to run a hidden suite once, in a box."""

    command: tuple[str, ...]
    mounts: tuple[Mount, ...]
    env: Mapping[str, str]
    cwd: str


class Language(Protocol):
    """One language."""

    name: ClassVar[str]

    variables: ClassVar[Mapping[str, str]]
    """Variables that a box with this language's environment is given."""

    sources: ClassVar[tuple[str, ...]]
    """Endings of its source files."""

    def detect(
        self, tree: Path, released: datetime | None = None, version: str = ""
    ) -> Project | None:
        """What the tree says about itself, or None when it isn't this language's. With the date of
        its release, its recipe takes nothing that came out long after it. With a `version` of the
        language, that is the recipe's, instead of one that the tree allows.

        Raises:
            SourceError: it is this language's, but can't become a task (no tests, an extension in
                C, …); the message says what was looked for and where.
        """

    def tools(self) -> tuple[Capability, ...]:
        """What environments are made with, as it is found on this machine."""

    def lock(self, recipe: Recipe, progress: Callable[[str], None] | None = None) -> Lock:
        """Choose versions, with hashes, for what a recipe requires. No package's code runs.

        Raises:
            RecipeError: the requirements can't be met, or the toolchain isn't on this machine.
            BuildError: the package index can't be reached.
        """

    def install(
        self,
        recipe: Recipe,
        lock: Lock,
        dest: Path,
        progress: Callable[[str], None] | None = None,
        *,
        build: bool = False,
    ) -> None:
        """Build what a lock says into the empty folder `dest`; each folder made in it is mounted at
        `/` plus its name. What the recipe denies is absent from it. With `build`, the packages that
        build the product are installed instead of those that test it.

        Raises:
            RecipeError: a package can't be installed, or something denied can't be taken out.
            BuildError: the network or the machine failed.
        """

    def dockerfile(self, recipe: Recipe, lock: Lock) -> str:
        """A Dockerfile that installs the same packages at the same places."""

    def metadata(
        self,
        tree: Path,
        mounts: Sequence[Mount],
        dest: Path,
        progress: Callable[[str], None] | None = None,
    ) -> tuple[str, ...]:
        """Build into the folder `dest` what an installation of the product would leave of metadata
        and commands, offline and in a box; `mounts` is the environment that builds the product.
        Gives what there is to say. `dest` is mounted at `/meta`.

        Raises:
            RecipeError: the tree doesn't tell name and version in any way.
            BuildError: the box failed.
        """

    def generated(
        self,
        tree: Path,
        mounts: Sequence[Mount],
        progress: Callable[[str], None] | None = None,
    ) -> dict[str, bytes]:
        """Files that a build of the product writes into its tree, such as a module with its
        version, made in a box; `mounts` is the environment that builds the product.
        """

    def supply(self, tree: Path, recipe: Recipe, missing: Sequence[str]) -> Recipe:
        """The recipe with what brings modules that collecting the suite didn't find. Equal to the
        old one where nothing can be done.
        """

    def relaxed(self, recipe: Recipe) -> Iterator[tuple[str, Recipe]]:
        """Looser recipes to try, in turn, where versions don't fit together; each with what was
        given up.
        """

    def equip(self, project: Project, environment: Path) -> Runner:
        """The project's runner as a built environment (the folder behind its main mount) has it:
        with the plugins that it brings, by name (not those that stop, repeat, spread or report
        tests), and without settings that need what isn't there.
        """

    def stub(self, source: bytes, keep: frozenset[str]) -> Stub:
        """The skeleton of one product file; bodies named in `keep` stay."""

    def interface(
        self, tree: Path, product: Product, tests: Mapping[str, bytes] | None = None
    ) -> Interface:
        """The public interface, and what the test files in `tests` use besides; nothing is run.

        Raises:
            SourceError: a module of the product can't be read.
        """

    def probe(
        self,
        runner: Runner,
        product: Product,
        *,
        tests: Sequence[str] = (),
        metadata: bool = False,
    ) -> SuiteRun:
        """How to collect the suite of the tree at `/work` and import every module of its product,
        in a box with events.
        """

    def read_probe(self, events: bytes) -> Collected:
        """What such a box said."""

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
        """How to run the suite of a judged tree at `/work`.

        Args:
            runner: how the suite runs.
            product: where the product is.
            skip: ids to leave out.
            skip_files: files that aren't collected.
            tests: files or folders that belong to the tests, for the place of a failure; what is
                collected does anyhow.
            order_seed: shuffles the tests; None keeps their own order.
            metadata: whether the product's metadata is at `/meta`.
        """

    def controls(self, tests: Mapping[str, bytes], ids: Sequence[str]) -> Candidates:
        """Candidate controls of the hidden tests, before they are tried on the reference."""

    def permissive(self, files: Mapping[str, bytes], *, equal: bool = False) -> dict[str, bytes]:
        """Stand-ins for a product's files: every name exists, every call returns an object that
        accepts everything, and that is equal to nothing, or to everything.
        """

    def rules(
        self, files: Mapping[str, bytes], product: Product
    ) -> tuple[tuple[Rule, ...], tuple[str, ...]]:
        """The rules of a reference, and what couldn't be read."""

    def wrong(
        self,
        files: Mapping[str, bytes],
        product: Product,
        found: Collection[Rule],
        imported: Mapping[str, frozenset[int]],
    ) -> Wrong:
        """Wrong implementations: the omission of each rule found, mutants, missing subsystems
        (without functions of which `imported` lines run at import).
        """

    def measure(
        self,
        runner: Runner,
        product: Product,
        names: Sequence[str],
        *,
        part: tuple[int, int] = (0, 1),
        metadata: bool = False,
    ) -> SuiteRun:
        """How to time the suite of the tree at `/work`, and to see which lines of the files `names`
        each test runs, in a box with events. A `part` is its number, from 0, and how many there
        are.
        """

    def read_measure(self, events: bytes) -> Measured:
        """What such a box said."""

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
        """How to run chosen mutants on the tree at `/work`, in a box with events. To `compare` is
        to see whether they give or leave behind anything else than the reference, whatever the
        tests say of that; only those that are switched are compared.
        """

    def choose(
        self,
        files: Mapping[str, bytes],
        product: Product,
        mutants: Sequence[Mutant],
        tests: Sequence[str],
        measured: Measured,
    ) -> list[dict[str, Any]]:
        """For each mutant how it is run, and on which tests: rows for `mutate`, in order."""

    def read_mutate(self, events: bytes) -> tuple[dict[int, Ran], bool]:
        """What such a box said of each mutant, and whether it came to its end."""
