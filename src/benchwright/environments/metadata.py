"""The product's installed metadata, for the tests that ask for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from benchwright.formats import Lock, Recipe
from benchwright.languages import get

from .environment import build


def generated(
    tree: Path,
    recipe: Recipe,
    lock: Lock,
    *,
    progress: Callable[[str], None] | None = None,
) -> dict[str, bytes]:
    """Files that a build of the product writes into its tree, which a repository doesn't hold.

    Raises:
        RecipeError: what the build needs can't be installed.
        BuildError: the network or the machine failed.
    """
    environment = build(recipe, lock, progress=progress, product=True)
    return get(recipe.language).generated(tree, environment.mounts, progress)


def metadata(
    tree: Path,
    recipe: Recipe,
    lock: Lock,
    dest: Path,
    *,
    progress: Callable[[str], None] | None = None,
) -> tuple[str, ...]:
    """Build into the folder `dest` (mounted at `/meta`) the metadata that an installation of the
    product leaves, and its commands; gives what there is to say.

    Raises:
        RecipeError: the tree doesn't tell name and version in any way.
        BuildError: the network or the machine failed.
    """
    environment = build(recipe, lock, progress=progress, product=True)
    dest.mkdir(parents=True, exist_ok=True)
    return get(recipe.language).metadata(tree, environment.mounts, dest, progress)
