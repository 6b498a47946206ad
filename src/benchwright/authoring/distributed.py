"""A repository's tree as its source distribution would have it: with its version, and with the
files that a build writes.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchwright import environments
from benchwright.formats import Lock, Recipe, write_atomic
from benchwright.languages import Project


def builder(project: Project, tell: Callable[[str], None]) -> tuple[Recipe, Lock]:
    """What building a project takes, and nothing of what running it does."""
    recipe = project.recipe.model_copy(update={"requires": (), "denied": ()})
    return recipe, environments.lock(recipe, progress=tell)


def complete(
    tree: Path, project: Project, version: str, dest: Path, tell: Callable[[str], None]
) -> Path:
    """A copy of a tree, ours to change, with what a build of that version writes into it.

    Raises:
        RecipeError: what the build needs can't be installed.
        BuildError: the network or the machine failed.
    """
    shutil.copytree(tree, dest, symlinks=True)
    _own(dest)
    if version:
        with tempfile.TemporaryDirectory(prefix="benchwright-") as scratch:
            said = shutil.copytree(dest, Path(scratch) / "said", symlinks=True)
            say_version(said, project.name, version)
            files = environments.generated(said, *builder(project, tell), progress=tell)
        for name, data in files.items():
            write_atomic(dest / name, data)
    return dest


def say_version(tree: Path, name: str, version: str) -> None:
    """Let a tree of ours say its version as a source distribution does."""
    path = tree / "PKG-INFO"
    if version and not path.exists():
        path.write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")


def _own(tree: Path) -> None:
    for path in (tree, *tree.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
