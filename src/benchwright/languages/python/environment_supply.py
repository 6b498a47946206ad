"""Completing a recipe by what collecting the suite on the reference says is missing."""

from __future__ import annotations

import configparser
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from benchwright.formats import Recipe, Runner
from benchwright.languages.protocol import Project

from .detect import missing as requirement_for
from .detect import named
from .detect.known import UNWANTED


def supply(tree: Path, recipe: Recipe, missing: Sequence[str]) -> Recipe:
    """The recipe with a requirement for each missing module.

    Modules that are the product's own, denied or the interpreter's are nobody's to bring.
    """
    pool = named(tree, recipe.version)
    denied = {canonicalize_name(name) for name in recipe.denied}
    known = {canonicalize_name(Requirement(line).name) for line in recipe.requires}
    added: list[str] = []
    for module in missing:
        top = module.split(".")[0]
        if top in recipe.denied or (top in sys.stdlib_module_names and top != "distutils"):
            continue
        wanted = requirement_for(module, pool)
        name = canonicalize_name(Requirement(wanted).name)
        if name not in denied and name not in known:
            known.add(name)
            added += pool.get(name) or [wanted]
    return recipe.model_copy(update={"requires": (*recipe.requires, *added)})


def relaxed(recipe: Recipe) -> Iterator[tuple[str, Recipe]]:
    """Without exact pins; then also without the date; then with neither and the date."""
    loose = tuple(_unpinned(line) for line in recipe.requires)
    if loose != recipe.requires:
        yield "exact pins of requirements", recipe.model_copy(update={"requires": loose})
    if recipe.newest:
        yield "the date of the release", recipe.model_copy(update={"newest": None})
        if loose != recipe.requires:
            changes = {"requires": loose, "newest": None}
            yield "exact pins and the date of the release", recipe.model_copy(update=changes)


def _unpinned(line: str) -> str:
    parsed = Requirement(line)
    if any(s.operator in ("==", "===") and not s.version.endswith(".*") for s in parsed.specifier):
        extras = f"[{','.join(sorted(parsed.extras))}]" if parsed.extras else ""
        return f"{parsed.name}{extras}" + (f"; {parsed.marker}" if parsed.marker else "")
    return line


def equip(project: Project, environment: Path) -> Runner:
    """The runner with every plugin that the environment brings, by import name, and without
    warning filters whose class isn't there.
    """
    runner = project.runner
    site = next(iter(sorted(environment.glob("lib/python*/site-packages"))), environment)
    found = list(runner.plugins)
    for path in sorted(site.glob("*.dist-info/entry_points.txt")):
        distribution = canonicalize_name(path.parent.name.split("-")[0])
        if distribution not in UNWANTED and distribution != "pytest":
            found += plugins(path.read_text(encoding="utf-8", errors="replace"))
    ini = dict(runner.ini)
    filters = ini.get("filterwarnings")
    if isinstance(filters, list):
        known = {*sys.stdlib_module_names, *project.product.modules}
        known |= {path.name.split(".")[0] for path in site.iterdir()}
        ini["filterwarnings"] = [f for f in filters if _filters_with(f) in known | {""}]
    return runner.model_copy(update={"plugins": tuple(dict.fromkeys(found)), "ini": ini})


def _filters_with(line: str) -> str:
    """The top-level module that a warning filter's class comes from, or nothing."""
    parts = line.split(":")
    category = parts[2].strip() if len(parts) > 2 else ""
    return category.split(".")[0] if "." in category else ""


def plugins(entry_points: str) -> list[str]:
    """The import names of the runner's plugins in an entry point file."""
    parser = configparser.RawConfigParser(strict=False, delimiters=("=",))
    try:
        parser.read_string(entry_points)
    except configparser.Error:
        return []
    if not parser.has_section("pytest11"):
        return []
    return [value.strip() for _, value in parser.items("pytest11") if value]
