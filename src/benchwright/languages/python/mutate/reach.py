"""Which lines must run for a mutant to matter, and how it can be put in place.

`switch`: inside a function that did nothing of this while the suite was imported, so that its code
can be exchanged in a forked process. `default`: an argument's constant default, likewise. `fresh`:
everything else is imported anew, with all tests.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any, Literal

from benchwright.formats import Edit, Mutant, apply
from benchwright.languages.measured import Measured

from .source import Function, Source

How = Literal["switch", "default", "fresh"]


@dataclass(frozen=True, slots=True)
class Placed:
    """A mutant and how it is run."""

    how: How
    lines: frozenset[int] | None
    """Lines of its file that must run for it to matter; None when any test may notice."""
    unit: dict[str, Any]


def place(source: Source, mutant: Mutant, measured: Measured) -> Placed:
    """How a mutant is run."""
    imported = measured.imported.get(source.file, frozenset())
    found = [_reach(source, item) for item in mutant.edits]
    function = _function(source, mutant.edits[0])
    if len(found) == 1 and function is not None:
        argument = _argument(source, function, mutant.edits[0])
        if argument and not imported & _body(function):
            unit = {**_unit(source, function, ()), "argument": argument}
            unit["value"] = mutant.edits[0].text
            return Placed("default", _body(function), unit)
        if found[0] is not None and not imported & found[0]:
            return Placed("switch", found[0], _unit(source, function, mutant.edits))
    known = [lines for lines in found if lines is not None]
    if len(known) < len(found) or any(imported & lines for lines in known):
        return Placed("fresh", None, {})
    return Placed("fresh", frozenset().union(*known), {})


def _inside(source: Source, node: ast.AST, edit: Edit) -> bool:
    start, end = source.span(node)
    return start <= edit.start and edit.end <= end


def _children(node: ast.AST) -> list[ast.AST]:
    """Statements and handlers directly below a node."""
    found: list[ast.AST] = []
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.excepthandler):
            found.append(child)
        elif isinstance(child, ast.match_case):
            found += child.body
    return found


def _innermost(source: Source, edit: Edit) -> ast.AST | None:
    """The smallest statement or handler that holds an edit."""
    found: ast.AST | None = None
    below = _children(source.tree)
    while inside := next((n for n in below if _inside(source, n, edit)), None):
        found, below = inside, _children(inside)
    return found


def _function(source: Source, edit: Edit) -> Function | None:
    node = _innermost(source, edit)
    return source.function(node) if node is not None else None


def _body(function: Function) -> frozenset[int]:
    last = function.body[-1].end_lineno or function.lineno
    return frozenset(range(function.body[0].lineno, last + 1))


def _reach(source: Source, edit: Edit) -> frozenset[int] | None:
    """The lines of which one runs if the changed code runs; None outside functions."""
    node = _innermost(source, edit)
    function = source.function(node) if node is not None else None
    if node is None or function is None:
        return None
    assert isinstance(node, ast.stmt | ast.excepthandler)
    below = _children(node)
    first, last = node.lineno, node.end_lineno or node.lineno
    if isinstance(node, Function) and edit.start >= source.span(node.body[0])[0]:
        return _body(node)
    if node is function:
        return None
    if below:
        opening = min(getattr(n, "lineno", last) for n in below)
        if edit.start < source.span(below[0])[0]:
            last = max(first, opening - 1)
    return frozenset(range(first, last + 1))


def _argument(source: Source, function: Function, edit: Edit) -> str:
    """The argument whose constant default an edit replaces, if that is all it does."""
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    pairs: list[tuple[ast.arg, ast.expr | None]] = []
    pairs += zip(positional[len(positional) - len(given.defaults) :], given.defaults, strict=True)
    pairs += zip(given.kwonlyargs, given.kw_defaults, strict=True)
    for argument, value in pairs:
        if isinstance(value, ast.Constant) and source.span(value) == (edit.start, edit.end):
            return argument.arg if _is_literal(edit.text) else ""
    return ""


def _is_literal(text: str) -> bool:
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return False
    return True


def _unit(source: Source, function: Function, edits: tuple[Edit, ...]) -> dict[str, Any]:
    """A function's text before and after, and where it stands: what the box compiles."""
    start, end = source.span(function)
    line = source.data.count(b"\n", 0, start) + 1
    indent = source.data[source.data.rfind(b"\n", 0, start) + 1 : start]
    old = source.data[start:end]
    moved = [e.model_copy(update={"start": e.start - start, "end": e.end - start}) for e in edits]
    classes = [part.name for part in source.scope(function)[:-1]]
    return {
        "line": line,
        "indented": bool(indent),
        "classes": classes,
        "old": (indent + old).decode(),
        "new": (indent + apply(old, moved)).decode(),
    }
