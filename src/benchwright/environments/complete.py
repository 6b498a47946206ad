"""From a project to an environment in which its suite collects: lock, build, look what is missing,
and again. What had to be given up or added on the way is said.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchwright.formats import Lock, Recipe, RecipeError
from benchwright.languages import Language, Project

from .environment import Environment, build, lock

ROUNDS = 8
Missing = Callable[[Project, Environment], Sequence[str]]
"""Collects the suite on the reference; gives the names of the modules that weren't found."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A project whose recipe is complete, with its lock and its environment."""

    project: Project
    lock: Lock
    environment: Environment


def complete(
    language: Language,
    tree: Path,
    project: Project,
    missing: Missing,
    *,
    progress: Callable[[str], None] | None = None,
) -> Prepared:
    """Find the environment of a project.

    Args:
        language: the project's language.
        tree: the project.
        project: what was detected.
        missing: asked what the suite doesn't find, until that is nothing new.
        progress: told what is being done.

    Raises:
        RecipeError: no versions fit together, whatever is given up.
        BuildError: the network or the machine failed.
    """
    tell = progress or (lambda _: None)
    asked: set[str] = set()
    for _ in range(ROUNDS):
        recipe, chosen, notes = settle(language, project.recipe, tell)
        environment = build(recipe, chosen, progress=progress)
        runner = language.equip(project, environment.folder())
        project = replace(
            project, recipe=recipe, runner=runner, notes=(*project.notes, *notes, *chosen.notes)
        )
        new = sorted(set(missing(project, environment)) - asked)
        asked.update(new)
        supplied = language.supply(tree, recipe, new)
        if supplied == recipe:
            break
        added = supplied.requires[len(recipe.requires) :]
        tell(f"the suite needs more: {', '.join(added)}")
        notes = [f"not stated anywhere, but imported: {', '.join(new)}: added {', '.join(added)}"]
        project = replace(project, recipe=supplied, notes=(*project.notes, *notes))
    unique = tuple(dict.fromkeys(project.notes))
    return Prepared(replace(project, notes=unique), chosen, environment)


def settle(
    language: Language, recipe: Recipe, tell: Callable[[str], None]
) -> tuple[Recipe, Lock, list[str]]:
    """The recipe that can be locked: as it is, else the first looser one.

    Raises:
        RecipeError: none can; the error is the first one's.
    """
    try:
        return recipe, lock(recipe, progress=tell), []
    except RecipeError as error:
        first = error
    for given_up, looser in language.relaxed(recipe):
        try:
            chosen = lock(looser, progress=tell)
        except RecipeError:
            continue
        return looser, chosen, [f"given up to find versions: {given_up} ({first.message[:160]})"]
    raise first
