"""A task's folder on disk: written beside its place, then moved there whole."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchwright.formats import (
    Lock,
    Manifest,
    Settings,
    StorageError,
    TaskConfig,
    TaskError,
    boundary,
    write_atomic,
)
from benchwright.languages import Language, Project
from benchwright.mutants import Statement
from benchwright.tasks import Task, save_config, save_recipe

from . import harbor
from .contract import contract
from .instruction import instruction
from .leaks import refuse_leaks
from .parts import Parts, copy
from .prd import prd
from .skeleton import Skeleton
from .told import add_names, untold

SHOWN = (".md", ".rst", ".txt")
FIRST = ("readme",)


@dataclass(frozen=True, slots=True)
class Material:
    """Everything a task is written from."""

    project: Project
    language: Language
    settings: Settings
    lock: Lock
    parts: Parts
    manifest: Manifest
    workspace: Path
    metadata: Path | None
    skeleton: Skeleton | None
    notes: tuple[str, ...]


def write(material: Material, dest: Path) -> Task:
    """Write the task's folder.

    Raises:
        TaskError: something appeared at `dest` meanwhile.
        StorageError: it can't be written.
    """
    with boundary(StorageError, f"{dest}: can't be written"):
        dest.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(dir=dest.parent, prefix=f".{dest.name[:40]}."))
        try:
            _fill(material, work)
            work.chmod(0o755)
            try:
                work.rename(dest)
            except OSError as error:
                raise TaskError(f"{dest}: exists by now: {error.strerror}") from None
        finally:
            shutil.rmtree(work, ignore_errors=True)
    return Task.load(dest)


def _fill(material: Material, root: Path) -> None:
    parts, settings = material.parts, material.settings
    settings = settings.model_copy(update={"canary": canary(settings, material.manifest)})
    shutil.copytree(material.workspace, root / "environment" / "workspace", symlinks=True)
    copy(parts.tree, parts.hidden, root / "tests" / "files")
    copy(parts.tree, parts.scaffold, root / "tests" / "scaffold")
    # Like any submission, the reference of a construction brings what its metadata is built from.
    build = (*parts.build, *_stated(parts)) if settings.kind == "construction" else ()
    copy(parts.tree, (*parts.product, *build), root / "solution" / "files")
    if material.metadata is not None:
        shutil.copytree(material.metadata, root / "tests" / "metadata", symlinks=True)
    material.manifest.write(root / "tests" / "manifest.json")
    recipe = material.project.recipe
    save_recipe(root, recipe, material.lock)
    harbor.images(root, recipe, material.lock)
    _documents(material, root / "environment" / "docs")
    text = instruction(settings.kind, settings.product, recipe)
    write_atomic(root / "instruction.md", text.encode())
    project, name = material.project, f"{material.project.name}-{settings.kind}"
    told = config(name, project.version, material.manifest, material.notes, settings)
    save_config(root, told)
    harbor.write(root, settings, material.language)
    for part in ("tests", "solution"):
        write_atomic(root / part / "CANARY.txt", f"{settings.canary}\n".encode())
    task = Task.load(root)
    if names := untold(task, material.language, Statement.of(task)):
        add_names(task, names)
    refuse_leaks(root, parts)


def canary(settings: Settings, manifest: Manifest) -> str:
    """An id that stands in sealed files only, to find them elsewhere."""
    told = f"{settings.source.spec} {settings.kind} {manifest.dumps()}"
    return f"benchwright-canary-{hashlib.sha256(told.encode()).hexdigest()[:32]}"


def config(
    name: str, version: str, expected: Manifest, notes: Iterable[str], settings: Settings
) -> TaskConfig:
    """`task.toml`, for Harbor and for us."""
    return TaskConfig(
        task={"name": f"benchwright/{name.lower().replace('/', '-')}", "version": version},
        metadata={
            "hidden_tests": len(expected.tests),
            "counted_tests": len(expected.counted),
            "notes": list(dict.fromkeys(notes)),
        },
        agent={"timeout_sec": 7200.0},
        verifier={
            "timeout_sec": settings.limits.suite_seconds,
            "environment_mode": "separate",
        },
        environment={
            "network_mode": "no-network",
            "build_timeout_sec": 1200.0,
            "memory_mb": settings.limits.memory >> 20,
            "workdir": "/app",
        },
        artifacts=harbor.ARTIFACTS,
        benchwright=settings,
    )


def _documents(material: Material, dest: Path) -> None:
    """What the agent may read: the contract and the requirements, or upstream's documents."""
    dest.mkdir(parents=True)
    project, parts = material.project, material.parts
    documents = sorted(_shown(material), key=lambda path: (not _leads(path), path.as_posix()))
    if material.settings.kind != "construction":
        copy(parts.tree, [p.relative_to(parts.tree).as_posix() for p in documents], dest)
        return
    tests = {
        name: (parts.tree / name).read_bytes()
        for name in parts.hidden
        if name.endswith(material.language.sources)
    }
    interface = material.language.interface(parts.tree, project.product, tests)
    text = contract(interface, project.product, material.language.name.capitalize())
    write_atomic(dest / "CONTRACT.md", text.encode())
    text = prd(interface, project.product, project.recipe, material.lock, documents)
    write_atomic(dest / "PRD.md", text.encode(errors="replace"))


def _shown(material: Material) -> Iterator[Path]:
    for name in material.parts.docs:
        path = material.parts.tree / name
        if name.lower().endswith(SHOWN) and not path.is_symlink():
            yield path


def _leads(path: Path) -> bool:
    return path.name.lower().startswith(FIRST)


def _stated(parts: Parts) -> tuple[str, ...]:
    """Where a source archive states its version for tools that else ask the history."""
    return tuple(name for name in parts.scaffold if name == "PKG-INFO")
