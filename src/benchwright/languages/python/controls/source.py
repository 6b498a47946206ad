"""One hidden file, parsed, with the exact bytes behind every node of its syntax tree."""

from __future__ import annotations

import ast
import re
import tokenize
import warnings
from collections.abc import Iterator
from io import BytesIO

LINE = re.compile(rb"\r\n|\r|\n")
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Source:
    """A Python file of the hidden half.

    Raises:
        SyntaxError: it can't be parsed, or its bytes aren't UTF-8.
    """

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self.data = data
        encoding, _ = tokenize.detect_encoding(BytesIO(data).readline)
        if encoding not in ("utf-8", "utf-8-sig") and not data.isascii():
            raise SyntaxError(f"{path}: encoded as {encoding}")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.tree = ast.parse(data)
        self.starts = [0, *(m.end() for m in LINE.finditer(data))]
        self.bom = 3 if data.startswith(b"\xef\xbb\xbf") else 0
        self.nodes = list(ast.walk(self.tree))
        self.parents: dict[ast.AST, ast.AST] = {}
        for node in self.nodes:
            for child in ast.iter_child_nodes(node):
                self.parents[child] = node
        self.walked: dict[ast.AST, list[ast.AST]] = {}
        self.dumps: dict[ast.AST, str] = {}

    def offset(self, line: int, column: int) -> int:
        """Byte offset of a position as the syntax tree counts it."""
        return self.starts[line - 1] + column + (self.bom if line == 1 else 0)

    def span(self, node: ast.AST) -> tuple[int, int]:
        """First byte of a node, and the first byte after it."""
        assert isinstance(node, ast.expr | ast.stmt | ast.keyword | ast.arg)
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self.offset(node.lineno, node.col_offset),
            self.offset(node.end_lineno, node.end_col_offset),
        )

    def text(self, node: ast.AST) -> str:
        """The source text of a node."""
        start, end = self.span(node)
        return self.data[start:end].decode("utf-8", "replace")

    def where(self, node: ast.AST) -> str:
        """`file:line:column`, the name of a check."""
        assert isinstance(node, ast.expr | ast.stmt | ast.keyword)
        return f"{self.path}:{node.lineno}:{node.col_offset}"

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around a node, innermost first."""
        while (parent := self.parents.get(node)) is not None:
            yield parent
            node = parent

    def inside(self, node: ast.AST) -> list[ast.AST]:
        """Every node of a subtree, the node first; remembered."""
        if node not in self.walked:
            self.walked[node] = list(ast.walk(node))
        return self.walked[node]

    def dump(self, node: ast.AST) -> str:
        """What a node is, wherever it stands; remembered."""
        if node not in self.dumps:
            self.dumps[node] = ast.dump(node)
        return self.dumps[node]

    def inside_fstring(self, node: ast.AST) -> bool:
        """Positions inside an f-string aren't exact before Python 3.12."""
        return any(isinstance(n, ast.JoinedStr) for n in self.above(node))


def dotted(node: ast.AST) -> str:
    """`a.b.c` of a name or attribute chain; empty for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = dotted(node.value)
        return f"{base}.{node.attr}" if base else ""
    return ""


def last(node: ast.AST) -> str:
    """The last part of what is called: `c` of `a().b.c`."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
