"""Rules about errors: what raises, of which type, with what message."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .mutate.source import Source, body, is_trivial
from .rules_found import Found, code, constants, never, texts


def raises(source: Source, node: ast.AST) -> Iterator[Found]:
    """A guard, a translated error, an unconditional error; and its message."""
    if not isinstance(node, ast.Raise) or node.exc is None:
        return
    function = source.function(node)
    if function is None or is_trivial(body(function)):
        return
    error = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    said = tuple(texts(node.exc)) if isinstance(node.exc, ast.Call) else ()
    about = f" (“{said[0]}”)" if said else ""
    yield _guard(source, node, ast.unparse(error), about, said)
    yield from _messages(source, node, ast.unparse(error))


def _guard(source: Source, node: ast.Raise, error: str, about: str, said: tuple[str, ...]) -> Found:
    above = source.parents[node]
    literals = (error.rpartition(".")[2], *said[:1])
    match above:
        case ast.If(test=test) if node in above.body and len(above.body) == 1:
            spans = (never(source, test),)
            sentence = f"{{subject}} raises `{error}`{about} when {code(test)}."
            literals = (*literals, *constants(test))
        case ast.If(test=test) if node in above.orelse:
            spans = ((*source.span(node), "pass"),)
            sentence = f"{{subject}} raises `{error}`{about} unless {code(test)}."
        case ast.ExceptHandler(type=ast.expr() as caught):
            spans = ((*source.span(node), "raise"),)
            sentence = f"{{subject}} raises `{error}`{about} in place of {code(caught)}."
        case _:
            spans = ((*source.span(node), "pass"),)
            sentence = f"{{subject}} raises `{error}`{about} where nothing else applies."
    return Found("guard", spans, sentence, literals)


def _messages(source: Source, node: ast.Raise, error: str) -> Iterator[Found]:
    if not isinstance(node.exc, ast.Call) or not node.exc.args:
        return
    said = node.exc.args[0]
    literal = isinstance(said, ast.JoinedStr | ast.BinOp | ast.Call) or (
        isinstance(said, ast.Constant) and isinstance(said.value, str)
    )
    pieces = tuple(texts(said))
    if literal and pieces:
        spans = ((*source.span(said), "''"),)
        sentence = f"The `{error}` of {{subject}} says {code(said)}."
        yield Found("message", spans, sentence, pieces)


def assertions(source: Source, node: ast.AST) -> Iterator[Found]:
    """An assertion is a guard, too."""
    if isinstance(node, ast.Assert) and source.function(node):
        sentence = f"{{subject}} raises `AssertionError` unless {code(node.test)}."
        spans = ((*source.span(node), "pass"),)
        yield Found("guard", spans, sentence, ("AssertionError",))
