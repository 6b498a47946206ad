"""From what tests use to what must be installed: only that, out of all that the project names."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from .imports import Uses
from .known import ALIASES, FIXTURES, MARKERS, UNWANTED
from .metadata import Metadata
from .pool import Pool

BUILTIN_FIXTURES = {
    "cache", "capfd", "capfdbinary", "caplog", "capsys", "capsysbinary", "doctest_namespace",
    "monkeypatch", "pytestconfig", "pytester", "record_property", "record_testsuite_property",
    "record_xml_attribute", "recwarn", "request", "self", "testdir", "tmp_path", "tmp_path_factory",
    "tmpdir", "tmpdir_factory",
}  # fmt: skip


def requires(data: Metadata, pool: Pool, uses: Uses, local: set[str]) -> list[str]:
    """What the environment needs: the product's dependencies, the runner, its plugins as far as
    tests use them, and what test files import.

    `local` are import names that the tree itself brings.
    """
    own = canonicalize_name(data.name)
    names: dict[str, None] = {
        canonicalize_name(Requirement(d).name): None for d in data.dependencies
    }
    names["pytest"] = None
    for wanted in (*_imported(pool, uses, local), *_plugins(pool, uses)):
        names[wanted] = None
    lines: list[str] = []
    for name in names:
        if (
            name
            and name != own
            and (name not in UNWANTED or (name in pool.named and _is_used(name, uses)))
        ):
            lines += pool.named.get(name) or [name]
    return list(dict.fromkeys(lines))


def _is_used(name: str, uses: Uses) -> bool:
    return name.replace("-", "_") in uses.needed


def _imported(pool: Pool, uses: Uses, local: set[str]) -> Iterator[str]:
    for module in sorted(uses.imports):
        if module in sys.stdlib_module_names or module in local:
            continue
        name = distribution(module, pool.named)
        if name:
            yield name


def _plugins(pool: Pool, uses: Uses) -> Iterator[str]:
    for name in sorted(uses.fixtures - BUILTIN_FIXTURES):
        guess = canonicalize_name(name)
        found = FIXTURES.get(name) or next(
            (p for p in (f"pytest-{guess}", guess) if p in pool.named and p not in UNWANTED), ""
        )
        if found:
            yield found
    for marker in sorted(uses.markers & MARKERS.keys()):
        yield MARKERS[marker]
    for name, place in pool.places.items():
        if name.startswith("pytest-") and name not in UNWANTED and place != "install requirements":
            yield from (name,) if _telling(place) else ()


def _telling(place: str) -> bool:
    """Whether a place lists what tests need, rather than all that developers use."""
    return place == "tox or nox" or "test" in place.lower()


def distribution(module: str, named: Iterable[str]) -> str:
    """The distribution among `named` that brings an import name, or nothing."""
    known = {canonicalize_name(name) for name in named}
    flat = canonicalize_name(module)
    alias = ALIASES.get(module, "")
    guesses = (
        flat, canonicalize_name(Requirement(alias).name) if alias else "", f"python-{flat}",
        f"py{flat}", f"{flat}-python", f"{flat}2", f"{flat}4", f"{flat}-py",
    )  # fmt: skip
    return next((guess for guess in guesses if guess in known), "")


def missing(module: str, named: Iterable[str]) -> str:
    """The requirement for a module that collection didn't find: the project's own words first, then
    what everybody knows, then the distribution of the same name.
    """
    top = module.split(".")[0]
    found = distribution(top, named)
    return found or ALIASES.get(module) or ALIASES.get(top) or canonicalize_name(top)
