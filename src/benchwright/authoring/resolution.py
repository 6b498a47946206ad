"""A change of a repository as a task: the issue, the tree before it, and the tests that show it.

The folder is written first and measured as the judge will see it; it appears whole or not at all.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from benchwright import environments, languages
from benchwright.environments import Environment
from benchwright.formats import (
    Limits,
    Lock,
    Manifest,
    Product,
    Recipe,
    RecipeError,
    Runner,
    Settings,
    SourcePin,
    StorageError,
    TaskConfig,
    TaskError,
    boundary,
    write_atomic,
)
from benchwright.judge import Rig
from benchwright.languages import Language, Project
from benchwright.sandbox import Sandbox, choose
from benchwright.tasks import Task, save_config, save_recipe

from . import harbor
from .distributed import builder, complete, say_version
from .instruction import instruction
from .layout import canary, config
from .parts import copy
from .reference import Bench
from .resolution_measure import Lists, Measured, by_execution, manifest, measure
from .resolution_trees import Trees, grow

Progress = Callable[[str], None]
Recipes = Callable[[Project, Path | None], Recipe]
"""Gives the recipe of a project, told also where its metadata is built (None if it can't be)."""
LIMITS = Limits(
    test_seconds=300.0, collect_seconds=300.0, suite_seconds=3600.0, memory=4 << 30, disk=2 << 30
)
RUNS = "runs.json"


@dataclass(frozen=True, slots=True)
class Change:
    """One change, as it was found."""

    name: str
    """Of the task's folder, such as `pallets__flask-5014`."""
    pin: SourcePin
    base: Path
    """The tree before the change, without history."""
    version: str
    """What a build of the base would call itself; empty if nothing says so."""
    patch: bytes
    test_patch: bytes
    statement: bytes
    recipes: Recipes
    lists: Lists | None = None
    """Which ids are expected; None for what execution shows."""
    paths: Callable[[Trees], tuple[str, ...]] | None = None
    """Which files are collected; None for the test files that the change touches."""
    limits: Limits = LIMITS
    extra: Mapping[str, bytes] | None = None
    """Further sealed files below `tests/`."""
    notes: tuple[str, ...] = ()
    """What there is to say about it."""


def author_change(
    change: Change, out: Path, *, sandbox: Sandbox | None = None, progress: Progress | None = None
) -> Task:
    """Make a task of a change in the new folder `out`.

    Raises:
        SourceError: a patch doesn't apply, or no test shows the change.
        RecipeError: no environment can be built for it.
        TaskError: something stands at `out` already.
        InfraError: the machine failed.
    """
    if out.exists():
        raise TaskError(f"{out}: exists", hint="name another folder with -o")
    tell, box = progress or (lambda _: None), sandbox or choose()
    out.parent.mkdir(parents=True, exist_ok=True)
    with (
        boundary(StorageError, "no scratch space"),
        tempfile.TemporaryDirectory(dir=out.parent, prefix=".authoring-") as scratch,
    ):
        work = Path(scratch)
        made = _Making(change, work, box, tell)
        root = made.run()
        root.chmod(0o755)
        try:
            root.rename(out)
        except OSError as error:
            raise TaskError(f"{out}: exists by now: {error.strerror}") from None
    return Task.load(out)


@dataclass(slots=True)
class _Making:
    """One task in the making."""

    change: Change
    work: Path
    sandbox: Sandbox
    tell: Progress

    def run(self) -> Path:
        """The finished folder."""
        change = self.change
        language, project = languages.detect(change.base, change.pin.released)
        base = complete(change.base, project, change.version, self.work / "base", self.tell)
        trees = grow(base, change.patch, change.test_patch, self.work, self.sandbox)
        metadata = self._metadata(project, trees)
        recipe = self.change.recipes(project, metadata)
        recipe = recipe.model_copy(
            update={
                "build_requires": project.recipe.build_requires,
                "denied": tuple(dict.fromkeys((*project.recipe.denied, *recipe.denied))),
            }
        )
        lock = environments.lock(recipe, progress=self.tell)
        environment = environments.build(recipe, lock, progress=self.tell)
        settings = self._settings(language, project, trees, environment)
        root = self.work / "task"
        self._write(root, settings, trees, metadata, recipe, lock)
        task = Task.load(root)
        rig = Rig(language, settings, environment, self.sandbox, metadata)
        bench = Bench(rig, trees.hidden)
        measured = measure(task, bench, self.tell)
        self._finish(root, settings, measured, (*self.change.notes, *project.notes, *lock.notes))
        return root

    def _metadata(self, project: Project, trees: Trees) -> Path | None:
        """What an installation of the reference leaves: a change may change requirements."""
        version = self.change.version or project.version
        said = shutil.copytree(trees.solution, self.work / "installed", symlinks=True)
        say_version(said, project.name, version)
        recipe, lock = builder(project, self.tell)
        dest = self.work / "metadata"
        try:
            environments.metadata(said, recipe, lock, dest, progress=self.tell)
        except RecipeError as error:
            self.tell(f"no metadata of the product: {error}")
            return None
        return dest

    def _settings(
        self, language: Language, project: Project, trees: Trees, environment: Environment
    ) -> Settings:
        own = project.runner.name in project.product.modules
        runner = language.equip(project, environment.folder())
        paths = (self.change.paths or touched)(trees)
        runner = runner.model_copy(update={"paths": paths, "own": own})
        return Settings(
            kind="resolution",
            language=language.name,
            source=self.change.pin,
            product=Product(
                paths=(".",),
                roots=project.product.roots,
                modules=project.product.modules,
                distribution=project.product.distribution,
                without=trees.without,
            ),
            runner=_plain(runner) if self.change.lists else runner,
            limits=self.change.limits,
            denied=project.recipe.denied,
        )

    def _write(
        self,
        root: Path,
        settings: Settings,
        trees: Trees,
        metadata: Path | None,
        recipe: Recipe,
        lock: Lock,
    ) -> None:
        public = root / "environment"
        shutil.copytree(trees.base, public / "workspace", symlinks=True)
        (public / "docs").mkdir()
        shutil.copytree(trees.solution, root / "solution" / "files", symlinks=True)
        write_atomic(root / "solution" / "patch.diff", self.change.patch)
        copy(trees.tested, trees.hidden, root / "tests" / "files")
        write_atomic(root / "tests" / "test_patch.diff", self.change.test_patch)
        (root / "tests" / "scaffold").mkdir()
        if metadata is not None:
            shutil.copytree(metadata, root / "tests" / "metadata", symlinks=True)
        for name, data in (self.change.extra or {}).items():
            write_atomic(root / "tests" / name, data)
        save_recipe(root, recipe, lock)
        harbor.images(root, recipe, lock)
        Manifest(tests=()).write(root / "tests" / "manifest.json")
        frame = instruction(settings.kind, settings.product, recipe).encode()
        text = frame + b"\n## The issue\n\n" + self.change.statement
        write_atomic(root / "instruction.md", text)
        save_config(root, TaskConfig(benchwright=settings))

    def _finish(
        self, root: Path, settings: Settings, measured: Measured, notes: tuple[str, ...]
    ) -> None:
        """Write what only execution tells."""
        change = self.change
        listed = change.lists(measured) if change.lists else by_execution(measured)
        expected = manifest(measured, listed, settings.runner.paths)
        expected.write(root / "tests" / "manifest.json")
        kept = {test.id for test in expected.counted if test.group == "pass_to_pass"}
        if moved := kept & {*listed.fail_to_pass}:
            said = "pass before the change, and count as such"
            notes = (*notes, f"{said}: {', '.join(sorted(moved))}")
        settings = settings.model_copy(update={"canary": canary(settings, expected)})
        record = json.dumps(measured.record(), indent=1).encode()
        write_atomic(root / "validation" / RUNS, record)
        save_config(root, config(change.name, change.version, expected, notes, settings))
        harbor.write(root, settings, languages.get(settings.language))


def touched(trees: Trees) -> tuple[str, ...]:
    """The test files that the tests' change adds or alters."""
    tests = [name for name in trees.hidden if looks_like_tests(name)]
    return tuple(tests) or trees.hidden


def looks_like_tests(name: str) -> bool:
    """Whether a file is called like one that holds tests."""
    path = PurePosixPath(name)
    return path.suffix == ".py" and (
        path.stem.startswith(("test_", "unittest_"))
        or path.stem.endswith(("_test", "_tests"))
        or path.stem == "tests"
    )


def _plain(runner: Runner) -> Runner:
    """Without options that choose tests, where a list says which count."""
    kept, drop = [], False
    for option in runner.options:
        if drop or option in ("-m", "-k"):
            drop = option in ("-m", "-k")
            continue
        kept.append(option)
    return runner.model_copy(update={"options": tuple(kept)})


__all__ = ["Change", "Recipes", "author_change", "looks_like_tests", "touched"]
