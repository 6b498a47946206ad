"""What an extractor of rules yields, and the words its sentences are made of."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import NamedTuple

from benchwright.formats import RuleKind

from .mutate.generate import short
from .mutate.source import Function, Source


class Found(NamedTuple):
    """A rule before it has an id."""

    kind: RuleKind
    spans: tuple[tuple[int, int, str], ...]
    """First byte, byte after the last, new text."""
    sentence: str
    """`{subject}` stands for the public name it belongs to."""
    literals: tuple[str, ...] = ()


Extractor = Callable[[Source, ast.AST], Iterator[Found]]


def code(node: ast.AST, limit: int = 90) -> str:
    """A piece of code inside a sentence."""
    return f"`{short(ast.unparse(node), limit)}`"


def never(source: Source, test: ast.expr) -> tuple[int, int, str]:
    """The edit that makes a condition false. What it computes on the way is still computed."""
    start, end = source.span(test)
    acts = any(isinstance(n, ast.NamedExpr | ast.Await | ast.Call) for n in ast.walk(test))
    return start, end, f"({source.text(test)}) and False" if acts else "False"


def parameters(function: Function | None) -> dict[str, ast.arg]:
    """A function's parameters by name."""
    if function is None:
        return {}
    given = function.args
    found = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    found += [a for a in (given.vararg, given.kwarg) if a is not None]
    return {a.arg: a for a in found}


def texts(node: ast.AST) -> Iterator[str]:
    """The constant pieces of every text inside a node, as they would be read."""
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value.strip():
            yield part.value.strip()


def constants(node: ast.AST) -> Iterator[str]:
    """The constants a condition compares with, as they are written."""
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and not isinstance(part.value, bool | None):
            yield part.value if isinstance(part.value, str) else repr(part.value)
