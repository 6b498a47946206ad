"""A whole set of exact versions: each is taken as it is, or left out with its reason.

Nothing is resolved: the set worked together once, on another machine. What the index no longer has,
or has for no such interpreter, can't be had; it is named, and the rest is installed without it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from benchwright.formats import Locked, Recipe, RecipeError, SourceError
from benchwright.sources import files

from .environment_wheels import rank

Build = Callable[[Recipe, str, tuple[str, ...]], tuple[Path, str]]
"""Builds a project that requirements name; gives its wheel and its source's sha256."""
ASKED_AT_ONCE = 8


def exact(
    recipe: Recipe, denied: Sequence[str], build: Build, tell: Callable[[str], None]
) -> tuple[tuple[Locked, ...], tuple[str, ...]]:
    """The packages of a closed recipe, and a note for each that can't be had.

    Raises:
        RecipeError: a requirement isn't an exact version.
        BuildError: the index can't be reached.
    """
    pins = {pin.name: pin for pin in map(_Pin, recipe.requires)}
    notes = [f"{name}: left out: it would give the answer" for name in denied if name in pins]
    wanted = [pin for name, pin in sorted(pins.items()) if name not in denied]
    tell(f"looking up {len(wanted)} exact versions")
    with ThreadPoolExecutor(ASKED_AT_ONCE) as pool:
        found = list(pool.map(lambda pin: _look(pin, recipe, build), wanted))
    notes += [entry for entry in found if isinstance(entry, str)]
    return tuple(entry for entry in found if isinstance(entry, Locked)), tuple(notes)


class _Pin:
    """One exact version."""

    def __init__(self, line: str) -> None:
        try:
            asked = Requirement(line)
            (specifier,) = asked.specifier
            self.version = Version(specifier.version)
        except (InvalidRequirement, InvalidVersion, ValueError):
            raise RecipeError(f"{line!a}: not an exact version in a closed recipe") from None
        if specifier.operator not in ("==", "==="):
            raise RecipeError(f"{line!a}: not an exact version in a closed recipe")
        self.line = line
        self.name = canonicalize_name(asked.name)


def _look(pin: _Pin, recipe: Recipe, build: Build) -> Locked | str:
    """The package, or why it can't be had."""
    try:
        released = [f for f in files(pin.name) if _version(f.version) == pin.version]
    except SourceError:
        return f"{pin.line}: left out: the package index has no such project"
    fitting = [f for f in released if rank(f.filename, recipe.version) is not None]
    hashes = {f"sha256:{d}" for f in fitting if (d := f.digests.get("sha256"))}
    if not hashes:
        if not any(f.package_type == "sdist" for f in released):
            what = "no file of it fits this interpreter" if released else "no such version is left"
            return f"{pin.line}: left out: {what}"
        try:
            hashes = {f"sha256:{build(recipe, pin.name, (pin.line,))[1]}"}
        except (RecipeError, SourceError) as error:
            return f"{pin.line}: left out: {error.message}"
    return Locked(name=pin.name, version=str(pin.version), hashes=tuple(sorted(hashes)))


def _version(text: str | None) -> Version | None:
    try:
        return Version(text or "")
    except InvalidVersion:
        return None
