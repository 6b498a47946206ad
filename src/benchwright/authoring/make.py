"""From a source to a task folder.

Fetch, detect, find the environment, measure the hidden tests on the reference, make the workspace,
see which tests pass on it already, write the folder. The folder appears whole or not at all.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchwright import environments, languages, sources
from benchwright.formats import (
    ALIASES,
    Kind,
    RecipeError,
    Scoring,
    Settings,
    StorageError,
    TaskError,
    boundary,
)
from benchwright.judge import Rig
from benchwright.languages import Language, Project
from benchwright.sandbox import Sandbox, choose
from benchwright.sources import Fetched
from benchwright.tasks import Task

from .distributed import complete, say_version
from .layout import Material, write
from .missing import missing_modules
from .parts import Parts, copy, split
from .reference import Bench, measure, whole
from .skeleton import Skeleton, skeleton
from .vacuous import without_vacuous

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Origin:
    """A source, understood and with its environment."""

    fetched: Fetched
    language: Language
    prepared: environments.Prepared
    parts: Parts

    @property
    def project(self) -> Project:
        """What the source says about itself, completed."""
        return self.prepared.project


def author(
    spec: str,
    kind: str,
    out: Path | str,
    *,
    version: str = "",
    sandbox: Sandbox | None = None,
    progress: Progress | None = None,
) -> Task:
    """Make a task of a source.

    Args:
        spec: the source, as `pypi:tinydb==4.8.0`.
        kind: `completion` or `construction`, or an alias of one.
        out: the task's folder; where the same task stands already, it is left as it is.
        version: of the language, as `3.12`; one that the project allows if not given.
        sandbox: where the project's code runs; the default one if not given.
        progress: told what is being done.

    Raises:
        SourceError: the source can't be had or can't become a task.
        RecipeError: no environment can be built for it.
        TaskError: something else stands at `out`.
        InfraError: the machine failed.
    """
    tell = progress or (lambda _: None)
    wanted = kind_of(kind)
    dest = Path(out)
    if (there := _already(dest, spec, wanted, version)) is not None:
        tell(f"{dest}: already there")
        return there
    box = sandbox or choose()
    with boundary(StorageError, "no scratch space"), tempfile.TemporaryDirectory() as scratch:
        origin = prepare(spec, version, Path(scratch), box, tell)
        metadata = _metadata(origin, Path(scratch) / "metadata", tell)
        settings = settings_of(origin, wanted)
        rig = Rig(origin.language, settings, origin.prepared.environment, box, metadata)
        bench = Bench(rig, origin.parts.hidden)
        material = _material(origin, bench, Path(scratch) / "workspace", tell)
        return write(material, dest)


def kind_of(name: str) -> Kind:
    """A kind by its name or alias.

    Raises:
        TaskError: there is none of that name.
    """
    known: dict[str, Kind] = {**ALIASES, **{kind: kind for kind in ALIASES.values()}}
    if name not in known:
        raise TaskError(f"{name!a}: no kind of task", hint=f"one of {', '.join(sorted(known))}")
    return known[name]


def prepare(spec: str, version: str, scratch: Path, sandbox: Sandbox, tell: Progress) -> Origin:
    """Fetch a source, understand it and find its environment."""
    fetched = sources.fetch(spec, progress=tell)
    language, project = languages.detect(fetched.tree, fetched.pin.released, version)
    tell(f"{project.name} {project.version}: {len(project.tests)} hidden files")
    if named := fetched.pin.version:
        tree = complete(fetched.tree, project, named, scratch / "tree", tell)
        say_version(tree, project.name, named)
        fetched = replace(fetched, tree=tree)

    def missing(project: Project, environment: environments.Environment) -> Sequence[str]:
        return missing_modules(
            language, project, environment, split(fetched.tree, project), sandbox
        )

    prepared = environments.complete(language, fetched.tree, project, missing, progress=tell)
    return Origin(fetched, language, prepared, split(fetched.tree, prepared.project))


def settings_of(origin: Origin, kind: Kind) -> Settings:
    """The task's own table."""
    project = origin.project
    return Settings(
        kind=kind,
        language=origin.language.name,
        source=origin.fetched.pin,
        product=project.product,
        runner=project.runner,
        scoring=Scoring(),
        denied=project.recipe.denied,
    )


def _already(dest: Path, spec: str, kind: Kind, version: str) -> Task | None:
    if not dest.exists() or (dest.is_dir() and not any(dest.iterdir())):
        return None
    if not (dest / "task.toml").is_file():
        raise TaskError(f"{dest}: exists, and is not a task", hint="name another folder with -o")
    task = Task.load(dest)
    pinned = task.settings.source.spec
    if task.settings.kind != kind or not (pinned == spec or pinned.startswith(f"{spec}==")):
        raise TaskError(
            f"{dest}: holds another task ({task.settings.kind} of {pinned})",
            hint="name another folder with -o",
        )
    if version not in ("", task.recipe.version):
        raise TaskError(
            f"{dest}: holds this task for version {task.recipe.version}, not {version}",
            hint="name another folder with -o",
        )
    return task


def _metadata(origin: Origin, dest: Path, tell: Progress) -> Path | None:
    recipe, lock = origin.project.recipe, origin.prepared.lock
    try:
        environments.metadata(origin.fetched.tree, recipe, lock, dest, progress=tell)
    except RecipeError as error:
        tell(f"no metadata of the product: {error}")
        return None
    return dest


def _material(origin: Origin, bench: Bench, workspace: Path, tell: Progress) -> Material:
    made: Skeleton | None = None
    start: dict[str, bytes] | None = None
    with whole(origin.parts) as tree:
        tell("collecting the hidden tests")
        first = bench.collect(tree)
        manifest = measure(bench, tree, first, tell)
        if bench.rig.settings.kind == "completion":
            ids = frozenset(test.id for test in manifest.tests)
            made = skeleton(bench, origin.parts, first, ids, tell)
    _workspace(origin.parts, made, workspace)
    if made is not None:
        files = [n for n in origin.parts.product if not (workspace / n).is_symlink()]
        start = {name: (workspace / name).read_bytes() for name in files}
    return Material(
        origin.project,
        origin.language,
        bench.rig.settings,
        origin.prepared.lock,
        origin.parts,
        without_vacuous(bench, origin.parts, manifest, start, tell),
        workspace,
        bench.rig.metadata,
        made,
        (*origin.fetched.notes, *origin.project.notes),
    )


def _workspace(parts: Parts, made: Skeleton | None, dest: Path) -> None:
    """What the agent starts from: the skeleton, or nothing."""
    dest.mkdir()
    if made is not None:
        names = (*parts.build, *parts.docs, *parts.product)
        copy(parts.tree, names, dest, lambda name, old: made.files.get(name, old))
