"""Follow an expression of a test back to the literals and names that decide its value."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from .source import Function, Source, dotted

Role = Literal["expected", "construct", "type", "match", "input"]


@dataclass(frozen=True, eq=False)
class Site:
    """A node whose text can be replaced to change a check."""

    node: ast.expr
    role: Role
    alone: bool = False
    """Nothing else in the function uses the value."""
    column: str = ""
    """The parameter or loop variable it is, where the value comes from a table."""
    shared: bool = False
    """It stands outside the function: other tests may use it."""


def literal(node: ast.AST) -> bool:
    """Whether a node is a value written down: constants and displays of them."""
    if isinstance(node, ast.Constant):
        return node.value is not Ellipsis
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        return isinstance(node.operand, ast.Constant)
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return all(literal(e) for e in node.elts)
    if isinstance(node, ast.Dict):
        return all(k is not None and literal(k) for k in node.keys) and all(
            literal(v) for v in node.values
        )
    return False


def trace(
    source: Source, function: Function, node: ast.AST, role: Role, line: int, depth: int = 6
) -> list[Site]:
    """The sites behind an expression that stands at `line` of a function."""
    return list(Tracer(source, function, line).follow(node, role, depth, alone=True))


class Tracer:
    """Follows names to their assignments, without running anything."""

    def __init__(self, source: Source, function: Function, line: int) -> None:
        self.source = source
        self.function = function
        self.line = line
        self.seen: set[ast.AST] = set()

    def follow(self, node: ast.AST, role: Role, depth: int, *, alone: bool) -> Iterator[Site]:
        """The sites of one expression."""
        if depth < 0 or node in self.seen or isinstance(node, ast.JoinedStr):
            return
        self.seen.add(node)
        if literal(node):
            assert isinstance(node, ast.expr)
            yield Site(node, role, alone=alone)
        elif isinstance(node, ast.Name):
            yield from self.name(node, role, depth, alone=alone)
        elif isinstance(node, ast.Call):
            yield from self.call(node, role, depth)
        else:
            yield from self.parts(node, role, depth, alone=alone)

    def parts(self, node: ast.AST, role: Role, depth: int, *, alone: bool) -> Iterator[Site]:
        """What an expression is made of: the parts of a display are expected as it is."""
        if isinstance(node, ast.Attribute) and dotted(node):
            yield Site(node, role, alone=alone)
        display = isinstance(node, ast.List | ast.Tuple | ast.Set | ast.Dict)
        for child in ast.iter_child_nodes(node):
            if display and isinstance(child, ast.expr):
                yield from self.follow(child, role, depth, alone=alone)
            elif isinstance(child, ast.expr | ast.comprehension | ast.keyword):
                yield from self.follow(child, deeper(role), depth - 1, alone=False)

    def call(self, node: ast.Call, role: Role, depth: int) -> Iterator[Site]:
        """The arguments of a call, then what it is called on."""
        inner = role if dotted(node.func).rpartition(".")[2] == "approx" else deeper(role)
        if dotted(node.func) in ("isinstance", "issubclass", "hasattr", "len"):
            inner = role
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("startswith", "endswith"):
            inner = role
        if role == "construct" and isinstance(node.func, ast.Name):
            yield Site(node.func, role)
        for value in [*node.args, *(k.value for k in node.keywords)]:
            yield from self.follow(value, inner, depth - 1, alone=False)
        if isinstance(node.func, ast.Attribute):
            yield from self.follow(node.func.value, deeper(role), depth - 1, alone=False)

    def name(self, node: ast.Name, role: Role, depth: int, *, alone: bool) -> Iterator[Site]:
        """What a name stands for: a parameter, a loop variable, or what was assigned last."""
        yield Site(node, role, alone=alone)
        if self.is_column(node.id):
            yield Site(node, role, column=node.id)
            return
        value, shared = self.assigned(node.id)
        if value is None:
            return
        once = self.loads(node.id) == 1
        for site in self.follow(value, role, depth - 1, alone=alone and once):
            yield Site(site.node, site.role, site.alone, site.column, site.shared or shared)

    def is_column(self, name: str) -> bool:
        """Whether a name is an argument of the test or the variable of a loop."""
        arguments = self.function.args
        if any(a.arg == name for a in [*arguments.posonlyargs, *arguments.args,
                                       *arguments.kwonlyargs]):  # fmt: skip
            return name not in ("self", "cls")
        return any(
            isinstance(n, ast.For) and any(
                isinstance(t, ast.Name) and t.id == name for t in ast.walk(n.target)
            )
            for n in self.source.inside(self.function)
        )  # fmt: skip

    def is_local(self, name: str) -> bool:
        """Whether the function itself binds a name."""
        return self.is_column(name) or any(
            isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)
            for n in self.source.inside(self.function)
        )

    def assigned(self, name: str) -> tuple[ast.expr | None, bool]:
        """The last value given to a name before the line, and whether that is outside."""
        local = list(assignments(self.source.inside(self.function), name))
        before = [v for v in local if v.lineno <= self.line]
        if local:
            return (before[-1] if before else None), False
        outside = [v for s in self.source.tree.body for v in assignments([s], name)]
        return (outside[-1] if outside else None), True

    def loads(self, name: str) -> int:
        """How often the function reads a name."""
        return sum(
            isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)
            for n in self.source.inside(self.function)
        )


def assignments(nodes: Iterable[ast.AST], name: str) -> Iterator[ast.expr]:
    """The values that some statements assign to a plain name, in the order of the source."""
    found: list[ast.expr] = []
    for node in nodes:
        if isinstance(node, ast.Assign):
            for whole in node.targets:
                found += [v for t, v in unpacked(whole, node.value)
                          if isinstance(t, ast.Name) and t.id == name]  # fmt: skip
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            if isinstance(node.target, ast.Name) and node.target.id == name:
                found.append(node.value)
        elif isinstance(node, ast.With):
            for item in node.items:
                target = item.optional_vars
                if isinstance(target, ast.Name) and target.id == name:
                    found.append(item.context_expr)
    yield from sorted(found, key=lambda v: (v.lineno, v.col_offset))


def unpacked(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The targets of an assignment with what each is given, where both are written side by side."""
    row = ast.Tuple | ast.List
    if not (isinstance(target, row) and isinstance(value, row)):
        yield target, value
    elif len(target.elts) == len(value.elts):
        for part, given in zip(target.elts, value.elts, strict=True):
            yield from unpacked(part, given)


def deeper(role: Role) -> Role:
    """The role of what a value is computed from."""
    return "construct" if role in ("expected", "construct") else "input"
