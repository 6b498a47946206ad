"""Edits that the rest of a test gives away: whoever reads it knows which version is the right one.

A test often expects what it put in. A wrong version in which that no longer agrees can be told from
the text alone, and so can a name that holds something of another type, or that replaces what is
called: the product's part isn't asked then.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping

from .check import Check
from .pool import bound, form
from .source import Source, dotted, last
from .trace import Site, Tracer, literal
from .values import Change, kind, parsed, replaced

TELLING = 3
"""Characters of a text from which its standing in two places is no coincidence."""
SMALL = 9
"""Up to here a number stands in two places by coincidence."""
Met = Mapping[str, int]
"""What stands around a value, by its dump, with its place in the order."""


def told(check: Check, site: Site, change: Change, around: Met) -> bool:
    """Whether the old value of a literal stands elsewhere in the function, or in its name, and the
    new one doesn't, or not in that order.
    """
    new = parsed(replaced(check.source, site.node, change).decode("utf-8", "replace"))
    return said(check, site, change) or gives_away(site.node, new, around)


def gives_away(old: ast.expr, new: ast.expr | None, around: Met) -> bool:
    """Whether a value repeats what stands around it, and another one in its place doesn't."""
    before, after = places_of(old, around), places_of(new, around)
    if not notable(old) or None in before:
        return False
    return not after or None in after or (ordered(before) and not ordered(after))


def repeats(node: ast.expr, around: Met) -> bool:
    """Whether all of a value stands around it, too, and not by coincidence."""
    return notable(node) and None not in places_of(node, around)


def met(source: Source, around: Iterable[ast.AST]) -> Met:
    """The values around a node, numbered as they were met."""
    places: dict[str, int] = {}
    for node in around:
        places.setdefault(source.dump(node), len(places))
    return places


def places_of(node: ast.expr | None, around: Met) -> list[int | None]:
    """Where the elements of a value, or it itself, were met; None for what was not."""
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return [around.get(ast.dump(element)) for element in node.elts]
    return [around.get(ast.dump(node))] if node is not None else []


def notable(node: ast.expr) -> bool:
    """Whether a value in two places is no coincidence."""
    if not isinstance(node, ast.Constant):
        return any(True for _ in ast.iter_child_nodes(node))
    value = node.value
    return abs(value) > SMALL if isinstance(value, int | float) else bool(value)


def ordered(places: list[int | None]) -> bool:
    """Whether parts stand in the order in which they were met."""
    known = [place for place in places if place is not None]
    return known == sorted(known)


def elsewhere(check: Check, node: ast.AST) -> list[ast.expr]:
    """The values of the function beside a node, in the order of the source."""
    own = set(check.source.inside(node))
    found = [
        other
        for other in check.source.inside(check.function)
        if isinstance(other, ast.expr) and other not in own and not says(check, other)
    ]
    return sorted(found, key=lambda other: (other.lineno, other.col_offset))


def said(check: Check, site: Site, change: Change) -> bool:
    """Whether the old text stands in another text of the function, or in its name."""
    old = check.source.data[change.start : change.end].decode("utf-8", "replace").strip("\"'")
    if check.kind == "truth" or len(old) < TELLING:
        return False
    if re.sub(r"\W+", "_", old.lower()).strip("_") in check.function.name.lower():
        return True
    return any(
        isinstance(node, ast.Constant) and isinstance(node.value, str) and old in node.value
        for node in check.source.inside(check.function)
        if node is not site.node and not says(check, node)
    )


def says(check: Check, node: ast.AST) -> bool:
    """Whether a text is a docstring, which no round shows."""
    return isinstance(check.source.parents.get(node), ast.Expr) and isinstance(node, ast.Constant)


def interchangeable(check: Check, site: Site, name: str) -> bool:
    """Whether a name may stand for another one: what it holds is of the same type, as far as the
    text says, and it isn't what is called or asked.
    """
    node, mine = site.node, dotted(site.node)
    around = check.source.parents.get(node)
    if isinstance(around, ast.Attribute) or (isinstance(around, ast.Call) and around.func is node):
        return False
    if form(mine) in ("constant", "class"):
        return True
    defined = bound(check.source)[1]
    if mine in defined:
        return name in defined
    origin = made_by(check, mine)
    return bool(origin) and origin == made_by(check, name)


def made_by(check: Check, name: str) -> str:
    """What made a variable's value: the callee, or the type of a literal; empty if unknown."""
    value, _ = Tracer(check.source, check.function, check.node.lineno).assigned(name)
    if isinstance(value, ast.Call):
        return f"{last(value.func)}()"
    return kind(value) if value is not None and literal(value) else ""


__all__ = ["elsewhere", "gives_away", "interchangeable", "met", "repeats", "told"]
