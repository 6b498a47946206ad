"""What a function's body tells its users: the errors it raises and the shape of what it returns."""

from __future__ import annotations

import ast
import builtins
import textwrap
from collections.abc import Iterator

from benchwright.languages.surface import Raised

_NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def describe(source: str) -> tuple[tuple[Raised, ...], str]:
    """The errors and the return shape of one function, given its source.

    Errors re-raised or built elsewhere are not seen; conditions are stated only where they speak
    of the function's own arguments.
    """
    try:
        node = ast.parse(textwrap.dedent(source)).body[0]
    except (SyntaxError, IndexError):
        return (), ""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return (), ""
    known = _arguments(node) | set(dir(builtins))
    raised = dict.fromkeys(_raised(node.body, (), known))
    return tuple(raised), _returns(node)


def _arguments(node: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    args = node.args
    every = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
    return {arg.arg for arg in every if arg} - {"self", "cls"}


def _raised(body: list[ast.stmt], when: tuple[str, ...], known: set[str]) -> Iterator[Raised]:
    for statement in body:
        if isinstance(statement, ast.Raise) and statement.exc is not None:
            raised = _error(statement.exc, " and ".join(when))
            if raised:
                yield raised
        elif isinstance(statement, ast.If):
            said = {n.id for n in ast.walk(statement.test) if isinstance(n, ast.Name)} <= known
            yield from _raised(
                statement.body, (ast.unparse(statement.test),) if said else (), known
            )
            yield from _raised(statement.orelse, (), known)
        elif not isinstance(statement, _NESTED):
            for block in _blocks(statement):
                yield from _raised(block, (), known)


def _blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        yield getattr(statement, name, [])
    for handler in getattr(statement, "handlers", []) + getattr(statement, "cases", []):
        yield handler.body


def _error(raised: ast.expr, when: str) -> Raised | None:
    kind = raised.func if isinstance(raised, ast.Call) else raised
    if not isinstance(kind, ast.Name | ast.Attribute):
        return None
    text = ast.unparse(kind)
    name = text.rpartition(".")[2]
    if not name[:1].isupper() or name == "NotImplementedError":
        return None
    argument = raised.args[0] if isinstance(raised, ast.Call) and raised.args else None
    return Raised(text, _message(argument), when)


def _message(node: ast.expr | None) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_message(part) or "{…}" for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return _message(node.left)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return _message(node.func.value) if node.func.attr == "format" else ""
    return ""


def _returns(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    if node.returns is not None:
        return ""
    own = list(_own(node))
    if any(isinstance(n, ast.Yield | ast.YieldFrom) for n in own):
        return "an iterator (generator)"
    values = [n.value for n in own if isinstance(n, ast.Return) and n.value is not None]
    texts = {ast.unparse(value) for value in values}
    if not texts or texts == {"None"}:
        return "None"
    if texts <= {"True", "False"} or all(isinstance(v, ast.Compare) for v in values):
        return "bool"
    if texts == {"self"}:
        return "the object itself"
    return ""


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """Every node below that belongs to the function itself, not to one nested in it."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, _NESTED):
            yield child
            yield from _own(child)
