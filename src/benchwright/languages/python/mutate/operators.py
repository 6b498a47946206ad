"""Mutation operators: small plausible mistakes, each a function from a node to spans of new text.

An operator yields `(name, start, end, text)`; it never looks at what the change means. Dropping
what changes nothing is the affair of `generate`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from .source import Function, Source

Change = tuple[str, int, int, str]
Operator = Callable[[Source, ast.AST], Iterator[Change]]

ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "/"),
    ast.Mod: ("%", "/"),
    ast.Pow: ("**", "*"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.BitXor: ("^", "&"),
}
COMPARISON: dict[type[ast.cmpop], tuple[str, tuple[str, ...]]] = {
    ast.Eq: (r"==", ("!=",)),
    ast.NotEq: (r"!=", ("==",)),
    ast.Lt: (r"<", ("<=", ">=")),
    ast.LtE: (r"<=", ("<", ">")),
    ast.Gt: (r">", (">=", "<=")),
    ast.GtE: (r">=", (">", "<")),
    ast.Is: (r"is\b", ("is not",)),
    ast.IsNot: (r"is\s+not\b", ("is",)),
    ast.In: (r"in\b", ("not in",)),
    ast.NotIn: (r"not\s+in\b", ("in",)),
}
METHODS = {
    "lower": "upper",
    "upper": "lower",
    "lstrip": "rstrip",
    "rstrip": "lstrip",
    "startswith": "endswith",
    "endswith": "startswith",
    "find": "rfind",
    "rfind": "find",
    "index": "rindex",
    "split": "rsplit",
    "rsplit": "split",
    "partition": "rpartition",
    "rpartition": "partition",
    "ljust": "rjust",
    "rjust": "ljust",
    "encode": "decode",
    "append": "extend",
}


def _between(source: Source, left: ast.AST, right: ast.AST, pattern: str) -> tuple[int, int] | None:
    """Where an operator's token stands between two operands; comments are no place for it."""
    start, end = source.span(left)[1], source.span(right)[0]
    gap = re.sub(rb"#[^\r\n]*", lambda m: b" " * len(m.group()), source.data[start:end])
    found = re.search(pattern.encode(), gap)
    return (start + found.start(), start + found.end()) if found else None


def arithmetic(source: Source, node: ast.AST) -> Iterator[Change]:
    """`a + b` as `a - b`."""
    if isinstance(node, ast.BinOp):
        old, new = ARITHMETIC.get(type(node.op), ("", ""))
        place = _between(source, node.left, node.right, re.escape(old)) if old else None
        if place:
            yield "arithmetic", *place, new
    elif isinstance(node, ast.AugAssign):
        old, new = ARITHMETIC.get(type(node.op), ("", ""))
        place = _between(source, node.target, node.value, re.escape(old) + "=") if old else None
        if place:
            yield "arithmetic", *place, new + "="
            yield "assignment", *place, "="


def comparison(source: Source, node: ast.AST) -> Iterator[Change]:
    """`a == b` as `a != b`; `a < b` as `a <= b` (a boundary) and as `a >= b`."""
    if not isinstance(node, ast.Compare):
        return
    operands = [node.left, *node.comparators]
    for left, right, op in zip(operands, operands[1:], node.ops, strict=False):
        pattern, others = COMPARISON[type(op)]
        place = _between(source, left, right, pattern)
        for number, new in enumerate(others if place else ()):
            assert place is not None
            name = "boundary" if len(others) == 2 and number == 0 else "comparison"
            yield name, *place, new


def boolean(source: Source, node: ast.AST) -> Iterator[Change]:
    """`and` as `or`, `not x` as `x`, `True` as `False`."""
    if isinstance(node, ast.BoolOp):
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in pairwise(node.values):
            place = _between(source, left, right, rf"\b{old}\b")
            if place:
                yield "boolean", *place, new
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub | ast.Invert):
        start, end = source.span(node)
        token = re.compile(rb"(not\b|-|~)\s*").match(source.data, start, end)
        if token:
            yield "boolean" if isinstance(node.op, ast.Not) else "sign", start, token.end(), ""
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield "boolean", *source.span(node), str(not node.value)


def constant(source: Source, node: ast.AST) -> Iterator[Change]:
    """A number as its neighbour, a text as another or as none."""
    if not isinstance(node, ast.Constant) or isinstance(node.value, bool):
        return
    start, end = source.span(node)
    value = node.value
    if isinstance(value, int | float):
        yield "constant", start, end, repr(value + 1)
        if isinstance(value, int) and value > 1:
            yield "boundary", start, end, repr(value - 1)
    elif isinstance(value, str | bytes) and not _is_formatted(source, node):
        prefix = "b" if isinstance(value, bytes) else ""
        yield "constant", start, end, prefix + ("'XX'" if not value else "''")


def _is_formatted(source: Source, node: ast.AST) -> bool:
    above = source.parents.get(node)
    return isinstance(above, ast.JoinedStr | ast.FormattedValue | ast.Dict)


def returned(source: Source, node: ast.AST) -> Iterator[Change]:
    """`return x` as `return None`; a lambda's value likewise."""
    if isinstance(node, ast.Return | ast.Lambda):
        value = node.value if isinstance(node, ast.Return) else node.body
        if value is not None and not (isinstance(value, ast.Constant) and value.value is None):
            yield "return", *source.span(value), "None"


def statement(source: Source, node: ast.AST) -> Iterator[Change]:
    """A call that isn't made, a value that isn't kept, a loop left the other way."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Await):
        yield "removed-call", *source.span(node), "pass"
    elif isinstance(node, ast.Assign | ast.AnnAssign) and source.function(node):
        value = node.value
        if value is not None and not (isinstance(value, ast.Constant) and value.value is None):
            yield "assignment", *source.span(value), "None"
    elif isinstance(node, ast.Break):
        yield "loop", *source.span(node), "continue"
    elif isinstance(node, ast.Continue):
        yield "loop", *source.span(node), "break"
    elif isinstance(node, ast.Delete):
        yield "removed-statement", *source.span(node), "pass"


def condition(source: Source, node: ast.AST) -> Iterator[Change]:
    """`if c` as `if not (c)`; `while c` is left alone: it would mostly never end or start."""
    if isinstance(node, ast.If | ast.IfExp):
        yield "negated", *source.span(node.test), f"not ({source.text(node.test)})"
    elif isinstance(node, ast.comprehension):
        for test in node.ifs:
            yield "negated", *source.span(test), f"not ({source.text(test)})"


def call(source: Source, node: ast.AST) -> Iterator[Change]:
    """Arguments swapped, set to None or left out; a method taken for its neighbour."""
    if not isinstance(node, ast.Call):
        return
    plain = [a for a in node.args if not isinstance(a, ast.Starred)]
    for left, right in pairwise(plain):
        first, second = source.text(left), source.text(right)
        if first != second and len(plain) == len(node.args):
            (start, mid), (resume, end) = source.span(left), source.span(right)
            gap = source.data[mid:resume].decode()
            yield "swapped-argument", start, end, second + gap + first
    for argument in plain:
        if not isinstance(argument, ast.Constant):
            yield "argument", *source.span(argument), "None"
    for keyword in node.keywords:
        if keyword.arg is not None:
            yield "removed-argument", *with_comma(source, keyword), ""
    if isinstance(node.func, ast.Attribute) and node.func.attr in METHODS:
        end = source.span(node.func)[1]
        yield "method", end - len(node.func.attr), end, METHODS[node.func.attr]


def with_comma(source: Source, first: ast.AST, last: ast.AST | None = None) -> tuple[int, int]:
    """The span of an element together with the comma after it, or else the one before it."""
    start, end = source.span(first)[0], source.span(last or first)[1]
    after = re.compile(rb"\s*,[ \t]*").match(source.data, end)
    if after:
        return start, after.end()
    head = source.data[:start].rstrip()
    return (len(head) - 1 if head.endswith(b",") else start), end


def subscript(source: Source, node: ast.AST) -> Iterator[Change]:
    """A slice that starts or ends elsewhere."""
    if isinstance(node, ast.Slice):
        for bound in (node.lower, node.upper):
            if bound is not None:
                yield "slice", *source.span(bound), ""


def exception(source: Source, node: ast.AST) -> Iterator[Change]:
    """Another type of exception than the one that is promised."""
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        yield "exception", *source.span(node.exc.func), "Exception"


def decorator(source: Source, node: ast.AST) -> Iterator[Change]:
    """A decorator left out."""
    if not isinstance(node, Function | ast.ClassDef):
        return
    for item in node.decorator_list:
        start, end = source.span(item)
        at = source.data.rindex(b"@", 0, start)
        newline = re.compile(rb"[ \t]*(#[^\r\n]*)?\r?\n[ \t]*").match(source.data, end)
        if newline and not re.search(r"overload|abstract|typing|wraps", source.text(item)):
            yield "removed-decorator", at, newline.end(), ""


OPERATORS: tuple[Operator, ...] = (
    arithmetic, comparison, boolean, constant, returned, statement, condition, call, subscript,
    exception, decorator,
)  # fmt: skip
