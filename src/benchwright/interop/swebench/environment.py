"""The recipe of an instance: its pins, what the pins lack, and a runner where they bring none."""

from __future__ import annotations

import email.parser
import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from benchwright import environments
from benchwright.authoring import Recipes
from benchwright.formats import Recipe, RecipeError
from benchwright.languages import Project

from .pins import Pins
from .rows import Row

EXTRAS = re.compile(r"pip install .*\.\[([\w,.-]+)\]")
RUNNERS = {
    "3.6": ("pytest==7.0.1",),
    "3.7": ("pytest==7.4.4", "py==1.11.0"),
    "": ("pytest==8.3.3", "py==1.11.0"),
}
"""The runner of projects that have one of their own and whose pins bring no pytest; their old tests
ask for `py.test`, which newer runners bring only in name."""


def recipes(row: Row, pins: Pins | None, progress: Callable[[str], None]) -> Recipes:
    """How the recipe of an instance is found once its metadata is known."""

    def recipe(project: Project, metadata: Path | None) -> Recipe:
        if pins is None:
            return project.recipe
        base = pins.recipe()
        known = {name_of(line) for line in base.requires}
        absent = known | {canonicalize_name(name) for name in project.recipe.denied}
        lines: list[str] = []
        # The runner is ours to choose, and younger than many a product.
        for wanted, newest in (
            (required(metadata, extras(row), pins.python), created(row)),
            (runner(project, pins), None),
        ):
            lacking = tuple(line for line in wanted if name_of(line) not in absent)
            more = chosen(lacking, pins.python, newest, progress) if lacking else ()
            found = [line for line in more if name_of(line) not in absent]
            absent |= {name_of(line) for line in found}
            lines += found
        if lines:
            progress(f"the pins lack {', '.join(lines)}")
        return base.model_copy(update={"requires": (*base.requires, *lines)})

    return recipe


def extras(row: Row) -> frozenset[str]:
    """The extras that the instance's own script installs."""
    found = EXTRAS.search(row.eval_script)
    return frozenset(found[1].split(",")) if found else frozenset()


def runner(project: Project, pins: Pins) -> tuple[str, ...]:
    """A test runner, unless the product is one."""
    if project.runner.name in project.product.modules:
        return ()
    return RUNNERS.get(pins.python, RUNNERS[""])


def created(row: Row) -> datetime | None:
    """When the instance's change was proposed."""
    try:
        found = datetime.fromisoformat(row.created_at.replace("Z", "+00:00"))
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def required(metadata: Path | None, extras: Iterable[str], python: str) -> tuple[str, ...]:
    """What the installed product says it requires, for this interpreter and these extras."""
    found = sorted(metadata.glob("*.dist-info/METADATA")) if metadata else []
    if not found:
        return ()
    message = email.parser.HeaderParser().parsestr(found[0].read_text(errors="replace"))
    lines = []
    for line in message.get_all("Requires-Dist") or []:
        try:
            asked = Requirement(line)
        except InvalidRequirement:
            continue
        if asked.marker is None or any(
            asked.marker.evaluate({"python_version": python, "extra": extra})
            for extra in ("", *extras)
        ):
            asked.marker = None
            lines.append(str(asked))
    return tuple(lines)


@cache
def chosen(
    lines: tuple[str, ...], python: str, newest: datetime | None, progress: Callable[[str], None]
) -> tuple[str, ...]:
    """Exact versions for requirements: of their time, or if none fit, of any time."""
    recipe = Recipe(language="python", version=python, requires=tuple(lines), newest=newest)
    try:
        lock = environments.lock(recipe, progress=progress)
    except RecipeError:
        lock = environments.lock(recipe.model_copy(update={"newest": None}), progress=progress)
    return tuple(f"{p.name}=={p.version}" for p in lock.packages)


def name_of(line: str) -> str:
    """The canonical name in a requirement."""
    return canonicalize_name(Requirement(line).name)
