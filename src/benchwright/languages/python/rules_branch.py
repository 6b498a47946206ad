"""Rules about distinctions: options, special values, other branches, errors that are handled."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchwright.formats import RuleKind

from .mutate.source import Source
from .rules_found import Found, code, constants, never, parameters


def branches(source: Source, node: ast.AST) -> Iterator[Found]:
    """`if` statements and expressions whose first side isn't only an error."""
    if isinstance(node, ast.IfExp):
        kind = _kind(source, node.test)
        sentence = f"{{subject}}: {code(node.body, 60)} when {code(node.test)}"
        sentence += f", else {code(node.orelse, 60)}."
        yield Found(kind, (never(source, node.test),), sentence, tuple(constants(node.test)))
    elif isinstance(node, ast.If) and source.function(node):
        if len(node.body) == 1 and isinstance(node.body[0], ast.Raise):
            return
        kind = _kind(source, node.test)
        sentence = f"{{subject}}, when {code(node.test)}: {_deed(node.body)}."
        yield Found(kind, (never(source, node.test),), sentence, tuple(constants(node.test)))


def _kind(source: Source, test: ast.expr) -> RuleKind:
    """An option if a parameter alone decides; special if a value is compared with a constant."""
    names = {n.id for n in ast.walk(test) if isinstance(n, ast.Name)}
    own = set(parameters(source.function(test))) - {"self", "cls"}
    if isinstance(test, ast.Name) and test.id in own:
        return "option"
    if isinstance(test, ast.UnaryOp) and isinstance(test.operand, ast.Name) and names <= own:
        return "option"
    compared = any(isinstance(n, ast.Constant) for n in ast.walk(test))
    typed = "isinstance" in names or "callable" in names
    if compared or typed or isinstance(test, ast.UnaryOp):
        return "special"
    return "branch"


def _deed(statements: list[ast.stmt]) -> str:
    """What a branch does, in a few words."""
    first = statements[0]
    more = " and so on" if len(statements) > 1 else ""
    match first:
        case ast.Return(value=None) | ast.Pass():
            return "nothing more happens"
        case ast.Return(value=ast.expr() as value):
            return f"the result is {code(value, 70)}{more}"
        case ast.Assign(targets=[target], value=value):
            return f"{code(target, 40)} is {code(value, 60)}{more}"
        case ast.Expr(value=ast.expr() as value):
            return f"{code(value, 70)}{more}"
        case ast.Continue():
            return "it is left out"
        case ast.Break():
            return "the search ends"
        case ast.If() | ast.For() | ast.While() | ast.With() | ast.Try():
            return f"{type(first).__name__.lower()} {code(first, 60)}{more}"
    return f"{code(first, 70)}{more}"


def fallbacks(source: Source, node: ast.AST) -> Iterator[Found]:
    """An error that is caught and answered with something else than an error."""
    if not isinstance(node, ast.ExceptHandler) or node.type is None:
        return
    if any(isinstance(n, ast.Raise) for n in node.body) or source.function(node) is None:
        return
    sentence = f"{{subject}} handles {code(node.type)}: {_deed(node.body)}."
    names = tuple(n.id for n in ast.walk(node.type) if isinstance(n, ast.Name))
    yield Found("fallback", ((*source.span(node.type), "()"),), sentence, names)
