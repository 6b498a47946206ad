"""The Dockerfile of an environment, for people and for other harnesses."""

from __future__ import annotations

from benchwright.formats import Lock, Recipe
from benchwright.languages import get


def dockerfile(recipe: Recipe, lock: Lock) -> str:
    """The text of a Dockerfile that installs what the lock says, at the same places."""
    return get(recipe.language).dockerfile(recipe, lock)
