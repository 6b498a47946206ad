"""Which files are tests, what they need beside them, and which files are documentation."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

FOLDERS = {"test", "tests", "testing", "unittests", "unit_tests", "testsuite"}
IGNORED = {"build", "dist", "node_modules", "venv", "__pycache__", "env"}
DOCUMENTS = (".md", ".rst", ".txt", ".adoc", ".ipynb", ".html", ".pdf", ".png", ".svg", ".jpg")
PROSE = ("readme", "changes", "changelog", "history", "news", "usage", "tutorial", "upgrading")


def files(tree: Path) -> tuple[str, ...]:
    """Every file of the tree but build products and hidden folders, sorted."""
    found = []
    for folder, folders, names in os.walk(tree):
        folders[:] = sorted(
            f
            for f in folders
            if not f.startswith(".") and f not in IGNORED and ".egg-info" not in f
        )
        base = Path(folder).relative_to(tree)
        found += [(base / name).as_posix() for name in names if not name.endswith(".pyc")]
    return tuple(sorted(found))


def collected(
    everything: Iterable[str], patterns: Iterable[str], paths: Iterable[str]
) -> list[str]:
    """The files that the runner would look into for tests."""
    patterns, paths = list(patterns), list(paths)
    return [
        name
        for name in everything
        if name.endswith(".py")
        and any(fnmatch(name if "/" in p else PurePosixPath(name).name, p) for p in patterns)
        and (not paths or any(below(name, p) for p in paths))
    ]


def below(name: str, folder: str) -> bool:
    """Whether a path is `folder` or lies in it."""
    folder = folder.strip("/")
    return folder in (".", "") or name == folder or name.startswith(f"{folder}/")


def folders(tests: Iterable[str], product: Iterable[str]) -> tuple[str, ...]:
    """The folders that hold nothing but tests and what they need: the topmost ones."""
    inside = set(product)
    found: set[str] = set()
    for name in tests:
        parents = [p.as_posix() for p in PurePosixPath(name).parents if p.as_posix() != "."]
        marked = [p for p in parents if _is_test_folder(PurePosixPath(p).name) and p not in inside]
        outside = [p for p in parents if not any(below(p, i) or below(i, p) for i in inside)]
        if marked:
            found.add(min(marked, key=len))
        elif outside:
            found.add(min(outside, key=len))
    return tuple(sorted(found))


def _is_test_folder(name: str) -> bool:
    return name in FOLDERS or name.endswith(("_tests", "_test")) or name.startswith("test_")


def hidden(
    everything: Iterable[str], tests: Iterable[str], folders: Iterable[str]
) -> tuple[str, ...]:
    """Test files, all that lies in test folders, and every `conftest.py`."""
    folders, tests = list(folders), set(tests)
    return tuple(
        name
        for name in everything
        if name in tests
        or PurePosixPath(name).name == "conftest.py"
        or any(below(name, folder) for folder in folders)
    )


def documents(
    everything: Iterable[str], tests: Iterable[str], product: Iterable[str]
) -> Iterator[str]:
    """README, changes and what lies in documentation folders."""
    tests, product = set(tests), list(product)
    for name in everything:
        path = PurePosixPath(name)
        if name in tests or any(below(name, p) for p in product) or not path.name.isprintable():
            continue
        if path.suffix.lower() not in DOCUMENTS:
            continue
        prose = path.stem.lower().startswith(PROSE) and len(path.parts) == 1
        if prose or path.parts[0].lower() in ("doc", "docs", "documentation"):
            yield name
