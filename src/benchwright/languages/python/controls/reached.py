"""Whether every passing run of a test evaluates a place in it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .claims import RAISES
from .source import Function, Source, last

SWALLOWS = {*RAISES, "suppress", "subTest"}
LAZY = (
    ast.BoolOp, ast.IfExp, ast.Lambda, ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp,
)  # fmt: skip
PLAIN = (ast.expr, ast.Assert, ast.Expr, ast.Assign, ast.withitem, ast.keyword)


def straight(source: Source, function: Function, node: ast.AST) -> bool:
    """Whether every passing run of the function evaluates the node."""
    for parent in source.above(node):
        if parent is function:
            break
        if isinstance(parent, ast.With | ast.AsyncWith):
            names = {last(i.context_expr.func) for i in parent.items
                     if isinstance(i.context_expr, ast.Call)}  # fmt: skip
            if names & SWALLOWS and node not in {i.context_expr for i in parent.items}:
                return False
        elif isinstance(parent, ast.For):
            if not (isinstance(parent.iter, ast.List | ast.Tuple) and parent.iter.elts):
                return False
            if any(isinstance(n, ast.Break | ast.Continue) for n in ast.walk(parent)):
                return False
        elif isinstance(parent, LAZY) or not isinstance(parent, PLAIN):
            return False
    return not any(leaves(n) for n in body_nodes(function) if before(n, node))


def before(node: ast.AST, other: ast.AST) -> bool:
    """Whether a node stands on an earlier line."""
    return getattr(node, "lineno", 1 << 30) < getattr(other, "lineno", 0)


def leaves(node: ast.AST) -> bool:
    """Whether a node may end the test early without failing it."""
    if isinstance(node, ast.Return | ast.Yield | ast.YieldFrom):
        return True
    return isinstance(node, ast.Call) and last(node.func) in (
        "skip", "skipTest", "xfail", "importorskip", "exit",
    )  # fmt: skip


def body_nodes(function: Function) -> Iterator[ast.AST]:
    """Every node in a function's body, decorators and defaults left out."""
    for statement in function.body:
        yield from ast.walk(statement)
