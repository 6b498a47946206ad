"""`environment/recipe.toml` and `recipe.lock`: what an environment is made from."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from .base import Document, Record


class Recipe(Document):
    """What to install, before versions are chosen."""

    format: Literal["benchwright.recipe/1"] = "benchwright.recipe/1"
    language: str
    version: str
    """Of the language's toolchain, such as `3.11`."""
    requires: tuple[str, ...] = ()
    """Requirements, in the language's own notation (PEP 508 for Python)."""
    build_requires: tuple[str, ...] = ()
    """What building the product needs; installed into the build environment only."""
    newest: datetime | None = None
    """No release newer than this is chosen: how old suites stay green."""
    system: tuple[str, ...] = ()
    """Packages of the operating system, for the generated Dockerfile and for `doctor`."""
    closed: bool = False
    """Whether `requires` is the whole set, every package at an exact version: nothing is chosen."""
    denied: tuple[str, ...] = ()
    """Distributions and modules that would give the answer: absent, whoever asks for them."""


class Locked(Record):
    """One chosen package."""

    name: str
    version: str
    hashes: tuple[str, ...]
    """`sha256:…` of every file that may be installed for it."""
    marker: str = ""


class Lock(Document):
    """`recipe.lock`: what was chosen, so that every machine builds the same."""

    format: Literal["benchwright.lock/1"] = "benchwright.lock/1"
    recipe: str
    """Digest of the recipe this was made from."""
    packages: tuple[Locked, ...]
    build_packages: tuple[Locked, ...] = ()
    notes: tuple[str, ...] = ()
    """What there is to say about the choice, in plain words."""
