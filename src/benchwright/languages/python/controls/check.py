"""One check of a hidden test, and the places in the source that decide it.

A `Site` is a node whose text can be replaced. Its role says what that does: an `expected` value, a
`type` or a `match` that is awaited, the arguments of a `construct` that is compared, an `input` of
the product. `Check.flips` are replacements that turn a check around.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Literal

from .source import Function, Source
from .suite import Test
from .trace import Site

Kind = Literal["compare", "truth", "raises", "warns", "mock", "helper", "quiet"]


@dataclass(frozen=True)
class Flip:
    """A replacement that turns a check around."""

    start: int
    end: int
    text: str


@dataclass(eq=False)
class Check:
    """One check: a statement (or call, or `with` item) that can fail a test."""

    source: Source
    node: ast.stmt | ast.expr
    kind: Kind
    function: Function
    tests: list[Test] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
    flips: list[Flip] = field(default_factory=list)
    callee: str = ""
    """Last name of what is called on the actual side: checks of one callee are siblings."""
    positive: bool = True
    sure: bool = False
    """Every passing run of the function reaches it."""

    @property
    def name(self) -> str:
        """`file:line:column`."""
        return self.source.where(self.node)

    @property
    def ids(self) -> tuple[str, ...]:
        """Every id that can reach it."""
        return tuple(dict.fromkeys(i for test in self.tests for i in test.ids))

    @property
    def lines(self) -> tuple[int, int]:
        """First and last line; of a `with` that awaits something, those of the whole block."""
        node: ast.AST = self.node
        parents = self.source.parents
        if isinstance(parents.get(node), ast.withitem):
            node = parents[parents[node]]
        assert isinstance(node, ast.stmt | ast.expr)
        return node.lineno, node.end_lineno or node.lineno
