"""Upstream's tree in three parts: the product, the hidden tests, and the scaffold around both.

Every file is in exactly one part. What lists or repeats the others (build metadata, caches,
history) is in none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from benchwright.judge import put
from benchwright.languages import Project
from benchwright.tasks import walk

LISTS = frozenset({"SOURCES.txt", "RECORD", ".git", ".hg", ".svn", ".tox", ".nox", "build.ninja"})
LISTING = (".egg-info", ".dist-info", ".orig", ".rej")
BUILD = ("pyproject.toml", "setup.py", "setup.cfg", "manifest.in", "package.json", "go.mod")
LEGAL = ("license", "licence", "copying", "notice", "authors")
MADE = frozenset({"_build", "_modules", "_sources", "build", "dist", "site"})
"""Folders of documentation that was built: it repeats the source of what it describes."""
SMALL = 48
"""Files of up to so many bytes (an empty `__init__.py`, one import) tell nothing."""


@dataclass(frozen=True, slots=True)
class Parts:
    """POSIX paths below upstream's tree."""

    tree: Path
    product: tuple[str, ...]
    hidden: tuple[str, ...]
    scaffold: tuple[str, ...]
    docs: tuple[str, ...]
    """Of the scaffold, what may be read: README, documentation, licence."""
    build: tuple[str, ...]
    """Of the scaffold, what builds the product."""


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
    told = digests(tree, (*product, *hidden))
    open_ = [name for name in scaffold if not digests(tree, [name]) & told]
    docs = [name for name in open_ if _is_document(name, project.docs)]
    build = [name for name in open_ if name.lower() in BUILD]
    return Parts(tree, tuple(product), tuple(hidden), tuple(scaffold), tuple(docs), tuple(build))


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


def _is_document(name: str, docs: Container[str]) -> bool:
    path = PurePosixPath(name)
    legal = len(path.parts) == 1 and path.name.lower().startswith(LEGAL)
    return legal or (name in docs and not MADE & set(path.parts))


def digests(tree: Path, names: Iterable[str]) -> set[str]:
    """Digests of those files below a tree that say something."""
    paths = [tree / name for name in names]
    return {
        hashlib.sha256(path.read_bytes()).hexdigest()
        for path in paths
        if not path.is_symlink() and path.is_file() and path.stat().st_size > SMALL
    }
