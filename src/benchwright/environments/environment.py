"""Built environments: content-addressed, read-only, made once, shared by every box.

The digest is taken of the recipe's language, version and denials and of the lock, so it is equal on
every machine; the product under test is never part of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchwright.formats import Lock, Recipe, cache_root, canonical, once, seal
from benchwright.languages import get
from benchwright.sandbox import Mount

VERSION = 2
"""Changes when environments are built in another way."""


@dataclass(frozen=True, slots=True)
class Environment:
    """What is mounted into a box, and the variables that go with it."""

    digest: str
    mounts: tuple[Mount, ...]
    env: Mapping[str, str] = field(default_factory=dict)

    def folder(self, target: str = "/env") -> Path:
        """Where what is mounted at `target` lies on this machine."""
        return next(m.source for m in self.mounts if m.target == target and m.source)


def lock(recipe: Recipe, *, progress: Callable[[str], None] | None = None) -> Lock:
    """Choose versions for a recipe.

    Raises:
        RecipeError: its requirements can't be met.
        BuildError: the package index can't be reached.
    """
    language = get(recipe.language)
    if not recipe.closed:
        return language.lock(recipe, progress)
    # A closed recipe leaves nothing to choose, so its lock is the same next time.
    key = hashlib.sha256(canonical(recipe.model_dump(mode="json"))).hexdigest()

    def make(made: Path) -> None:
        language.lock(recipe, progress).write(made / "recipe.lock")

    return Lock.read(once(cache_root() / "locks" / key, make) / "recipe.lock")


def digest(recipe: Recipe, lock: Lock, *, build: bool = False) -> str:
    """The digest of an environment, before it is built."""
    packages = lock.build_packages if build else lock.packages
    told = {
        "format": VERSION,
        "language": recipe.language,
        "version": recipe.version,
        "denied": [] if build else sorted(set(recipe.denied)),
        "packages": [p.model_dump(mode="json") for p in packages],
    }
    return "sha256:" + hashlib.sha256(canonical(told)).hexdigest()


def build(
    recipe: Recipe,
    lock: Lock,
    *,
    progress: Callable[[str], None] | None = None,
    product: bool = False,
) -> Environment:
    """Build the environment of a lock, or take it from the cache.

    Args:
        recipe: what the lock was made from.
        lock: the chosen packages.
        progress: told what is being done.
        product: the environment that builds the product, instead of the one that tests it.

    Raises:
        RecipeError: a package doesn't fit, or the interpreter is missing.
        BuildError: the network or the machine failed.
    """
    language = get(recipe.language)
    name = digest(recipe, lock, build=product)

    def make(made: Path) -> None:
        language.install(recipe, lock, made, progress, build=product)
        seal(made)

    folder = once(cache_root() / "environments" / name.removeprefix("sha256:"), make)
    mounts = tuple(Mount(f"/{p.name}", "ro", p) for p in sorted(folder.iterdir()) if p.is_dir())
    return Environment(name, mounts, language.variables)
