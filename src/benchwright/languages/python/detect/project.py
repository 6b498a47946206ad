"""The whole of a Python project: product, tests, runner and recipe."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import canonicalize_name

from benchwright.formats import Product, Recipe, Runner, SourceError
from benchwright.languages import Project
from benchwright.languages.python.environment_python import find

from . import imports, layout, metadata, pool, runner, static, testfiles, wants
from .known import PREFERRED, RELEASED, TWINS

VERSION = re.compile(r"3\.\d{1,2}", re.ASCII)
MARKS = ("pyproject.toml", "setup.py", "setup.cfg", "PKG-INFO")
GRACE = timedelta(days=4)
"""How long after a release the versions it was tested with are still the newest."""
SETTLED = timedelta(days=90)
"""How long after an interpreter's release its wheels were there."""


def detect(tree: Path, released: datetime | None = None, asked: str = "") -> Project | None:
    """What a tree says about itself, or None where it isn't Python's.

    With the date of its release, nothing that came out later is chosen for its environment. The
    interpreter is the one asked for, or one that it allows.

    Raises:
        SourceError: it is a Python project, but there is no product or no test in it.
    """
    if not any((tree / mark).is_file() for mark in MARKS):
        return None
    data = metadata.read(tree)
    if not data.name.isascii() or not data.name:
        said = f"its name is {data.name!a}" if data.name else "it doesn't state its name"
        raise SourceError(f"not a Python distribution: {said}", hint="names are ASCII (PEP 508)")
    place = layout.find(tree, data)
    config = runner.read(tree)
    version, notes = interpreter(data.requires_python, asked)
    wanted = pool.gather(tree, data, version)
    words = runner.options(config, wanted.session.words)
    everything = testfiles.files(tree)
    patterns = static.strings(config.ini.get("python_files")) or ["test_*.py", "*_test.py"]
    paths = _paths(tree, config.paths or [w for w in words if _inside(tree, w)])
    tests = _tests(data.name, everything, patterns, paths)
    folders = testfiles.folders(tests, place.paths)
    if not paths:
        paths = list(folders) or sorted(tests)
    hidden = testfiles.hidden(everything, tests, folders)
    uses = imports.scan(tree / name for name in hidden if name.endswith(".py"))
    local = {*place.modules, *(part for name in hidden for part in _local(name))}
    product = Product(
        paths=place.paths, roots=place.roots, modules=place.modules, distribution=data.name
    )
    twins = TWINS.get(canonicalize_name(data.name), ())
    recipe = Recipe(
        language="python",
        version=version,
        requires=tuple(wants.requires(data, wanted, uses, local)),
        build_requires=tuple(data.build_requires),
        newest=newest(released, version),
        denied=tuple(dict.fromkeys((data.name, *place.modules, *twins))),
    )
    return Project(
        name=data.name,
        version=data.version,
        product=product,
        runner=Runner(
            name=runner.name(tree),
            paths=tuple(paths),
            plugins=tuple(config.plugins),
            options=tuple(config.options),
            ini=config.ini,
            env=wanted.session.env,
        ),
        recipe=recipe,
        tests=hidden,
        docs=tuple(testfiles.documents(everything, hidden, place.paths)),
        notes=(*data.notes, *place.notes, *notes),
    )


def _tests(name: str, everything: tuple[str, ...], words: list[str], paths: list[str]) -> list[str]:
    found = testfiles.collected(everything, words, paths)
    if not found:
        where = ", ".join(paths) if paths else "the whole source"
        raise SourceError(
            f"{name}: no tests in this source",
            hint=f"looked in {where} for {', '.join(words)}; its repository may have them",
        )
    return found


def _paths(tree: Path, stated: list[str]) -> list[str]:
    """The stated paths that are there, as POSIX paths below the tree."""
    found = []
    for word in stated:
        if _inside(tree, word):
            found.append(PurePosixPath(word).as_posix())
        elif "*" in word:
            found += [p.relative_to(tree).as_posix() for p in sorted(tree.glob(word)) if p.exists()]
    return [p for p in dict.fromkeys(found) if p != "."]


def _inside(tree: Path, word: str) -> bool:
    path = PurePosixPath(word)
    return (
        bool(word) and not path.is_absolute() and ".." not in path.parts and (tree / path).exists()
    )


def _local(name: str) -> tuple[str, ...]:
    path = PurePosixPath(name)
    return (*path.parts[:-1], path.stem) if path.suffix == ".py" else ()


def interpreter(requires: str, asked: str = "") -> tuple[str, list[str]]:
    """The interpreter version to use, and what there is to say about it: the preferred one of those
    that are allowed and on this machine, else of those that are allowed. One that is asked for
    needn't be allowed.

    Raises:
        SourceError: no version that we know is allowed, or what is asked for is none.
    """
    notes: list[str] = []
    try:
        allowed = SpecifierSet(requires)
    except InvalidSpecifier:
        allowed = SpecifierSet()
        notes = [f"requires-python {requires!a} can't be read: taken as no condition"]
    fitting = [v for v in PREFERRED if any(allowed.contains(f"{v}.{n}") for n in (20, 9, 4, 0))]
    if asked:
        if not VERSION.fullmatch(asked):
            raise SourceError(f"{asked!a}: not a version of Python", hint="such as 3.12")
        if asked not in fitting:
            notes.append(f"it asks for Python {requires}, and gets the {asked} that was asked for")
        return asked, notes
    if not fitting:
        raise SourceError(
            f"it needs Python {requires}", hint=f"known versions: {', '.join(RELEASED)}"
        )
    return next((v for v in fitting if find(v)), fitting[0]), notes


def newest(released: datetime | None, version: str) -> datetime | None:
    """The date up to which releases are taken, for a source of that date: old suites stay green."""
    if released is None:
        return None
    out = datetime.fromisoformat(RELEASED.get(version, "2019-01-01")).replace(tzinfo=UTC)
    return max(released + GRACE, out + SETTLED)
