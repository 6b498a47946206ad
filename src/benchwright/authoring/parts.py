"""Upstream's tree in three parts: the product, the hidden tests, and the scaffold around both.

Every file is in exactly one part. What lists or repeats the others (build metadata, caches,
history) is in none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from benchwright.judge import put
from benchwright.languages import Project
from benchwright.tasks import walk

LISTS = frozenset({"SOURCES.txt", "RECORD", ".git", ".hg", ".svn", ".tox", ".nox", "build.ninja"})
LISTING = (".egg-info", ".dist-info", ".orig", ".rej")


@dataclass(frozen=True, slots=True)
class Parts:
    """POSIX paths below upstream's tree."""

    tree: Path
    product: tuple[str, ...]
    hidden: tuple[str, ...]
    scaffold: tuple[str, ...]

    @property
    def public(self) -> tuple[str, ...]:
        """The scaffold's files that an agent may see."""
        return tuple(name for name in self.scaffold if not _machinery(name))


def split(tree: Path, project: Project) -> Parts:
    """Put every file of the tree where it belongs."""
    tests = frozenset(project.tests)
    product, hidden, scaffold = [], [], []
    for name, _ in walk(tree):
        if _lists(name):
            continue
        if name in tests:
            hidden.append(name)
        elif any(_below(name, top) for top in project.product.paths):
            product.append(name)
        else:
            scaffold.append(name)
    return Parts(tree, tuple(product), tuple(hidden), tuple(scaffold))


def copy(
    tree: Path,
    names: Iterable[str],
    dest: Path,
    change: Callable[[str, bytes], bytes] | None = None,
) -> None:
    """Write files of a tree below `dest`, changed by `change` where they are regular files."""
    dest.mkdir(parents=True, exist_ok=True)
    for name in names:
        put(dest, name, tree / name)
        target = dest / name
        if change is not None and not target.is_symlink():
            old = target.read_bytes()
            new = change(name, old)
            if new != old:
                target.write_bytes(new)


def _below(name: str, top: str) -> bool:
    return top == "." or name == top or name.startswith(top.rstrip("/") + "/")


def _lists(name: str) -> bool:
    return any(part in LISTS or part.endswith(LISTING) for part in PurePosixPath(name).parts)


def _machinery(name: str) -> bool:
    """Files that steer upstream's own services and tell an agent nothing."""
    top = PurePosixPath(name).parts[0]
    return top in (".github", ".gitlab", ".circleci", ".travis.yml", ".readthedocs.yaml")
