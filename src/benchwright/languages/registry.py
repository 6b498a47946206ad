"""Languages are found through entry points: adding one touches nothing else."""

from __future__ import annotations

from datetime import datetime
from importlib.metadata import entry_points
from pathlib import Path

from benchwright.formats import InputError, SourceError

from .protocol import Language, Project

GROUP = "benchwright.languages"


def names() -> tuple[str, ...]:
    """The names of all languages."""
    return tuple(sorted(entry_points(group=GROUP).names))


def get(name: str) -> Language:
    """The language of a name.

    Raises:
        InputError: there is no such language.
    """
    if name not in names():
        raise InputError(f"{name!a}: not a language", hint=f"known: {', '.join(names())}")
    language: Language = entry_points(group=GROUP)[name].load()
    return language


def detect(
    tree: Path, released: datetime | None = None, version: str = ""
) -> tuple[Language, Project]:
    """The language of a source tree, and what the tree says about itself (see `Language.detect`).

    Raises:
        SourceError: no language takes it, or the one that does can't make a task of it.
    """
    for name in names():
        language = get(name)
        project = language.detect(tree, released, version)
        if project is not None:
            return language, project
    known = ", ".join(names())
    raise SourceError("no known language's project files are in it", hint=f"languages: {known}")
