"""A source file read once: its tree, byte spans, parents and qualified names.

Spans are bytes of the file as it stands, so that an edit made from a span lands on exactly the
text it was made for. Files whose encoding isn't UTF-8 aren't read (their spans would lie).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Source:
    """One parsed file."""

    file: str
    data: bytes
    module: str
    """Dotted name it is imported by."""
    tree: ast.Module
    offsets: tuple[int, ...]
    parents: dict[ast.AST, ast.AST] = field(repr=False)

    @classmethod
    def parse(cls, file: str, data: bytes, module: str) -> Source:
        """Read a file.

        Raises:
            SyntaxError: this interpreter can't parse it, or it isn't UTF-8.
        """
        try:
            data.decode()
        except UnicodeDecodeError:
            raise SyntaxError(f"{file}: not UTF-8") from None
        try:
            tree = ast.parse(data, file)
        except ValueError as error:
            raise SyntaxError(f"{file}: {error}") from None
        starts = [m.end() for m in re.finditer(rb"\r\n|\r|\n", data)]
        first = len(BOM) if data.startswith(BOM) else 0
        parents = {kid: node for node in ast.walk(tree) for kid in ast.iter_child_nodes(node)}
        return cls(file, data, module, tree, (first, *starts), parents)

    def span(self, node: ast.AST) -> tuple[int, int]:
        """First byte of a node and the one after its last."""
        located = node
        assert isinstance(located, ast.expr | ast.stmt | ast.keyword | ast.arg | ast.excepthandler)
        assert located.end_lineno is not None
        assert located.end_col_offset is not None
        start = self.offsets[located.lineno - 1] + located.col_offset
        decorators = getattr(node, "decorator_list", [])
        if decorators:
            first = self.offsets[decorators[0].lineno - 1] + decorators[0].col_offset
            start = self.data.rindex(b"@", 0, first)
        return start, self.offsets[located.end_lineno - 1] + located.end_col_offset

    def text(self, node: ast.AST) -> str:
        """A node's own text."""
        start, end = self.span(node)
        return self.data[start:end].decode()

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """What a node stands in, innermost first."""
        above = self.parents.get(node)
        while above is not None:
            yield above
            above = self.parents.get(above)

    def scope(self, node: ast.AST) -> tuple[Definition, ...]:
        """The definitions around a node (and itself, if it is one), outermost first."""
        own = [node, *self.ancestors(node)]
        return tuple(reversed([n for n in own if isinstance(n, Definition)]))

    def qualname(self, node: ast.AST) -> str:
        """`Class.method` of what a node stands in; empty at the module's level."""
        return ".".join(part.name for part in self.scope(node))

    def function(self, node: ast.AST) -> Function | None:
        """The outermost function a node stands in (methods are outermost in their class)."""
        return next((n for n in self.scope(node) if isinstance(n, Function)), None)

    @cached_property
    def ignored(self) -> frozenset[ast.AST]:
        """Roots of what no change is made in: documentation, annotations, typing-only code."""
        return frozenset(_ignored(self.tree))

    def nodes(self) -> Iterator[ast.AST]:
        """Every node that may be changed, in the order of the text."""
        stack: list[ast.AST] = [self.tree]
        while stack:
            node = stack.pop()
            if node in self.ignored:
                continue
            yield node
            stack.extend(reversed(list(ast.iter_child_nodes(node))))


def is_docstring(statement: ast.stmt) -> bool:
    """Whether a statement is only a string."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str | bytes)
    )


def body(node: Definition) -> list[ast.stmt]:
    """The statements of a definition without its docstring."""
    return node.body[1:] if is_docstring(node.body[0]) else node.body


def is_trivial(statements: list[ast.stmt]) -> bool:
    """Whether a body does nothing: empty, `pass`, `...`, or only `NotImplementedError`."""
    if len(statements) > 1:
        return False
    match statements:
        case [] | [ast.Pass()] | [ast.Expr(value=ast.Constant())]:
            return True
        case [ast.Raise(exc=ast.expr() as error)]:
            return "NotImplementedError" in ast.unparse(error)
    return False


def _ignored(tree: ast.Module) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        hints = (getattr(node, "annotation", None), getattr(node, "returns", None))
        yield from (hint for hint in hints if isinstance(hint, ast.AST))
        if _is_ignored(node):
            yield node


def _is_ignored(node: ast.AST) -> bool:
    match node:
        case ast.JoinedStr() | ast.Global() | ast.Nonlocal() | ast.Import() | ast.ImportFrom():
            return True
        case ast.Expr():
            return is_docstring(node)
        case ast.If(test=test):
            return bool(re.search(r"TYPE_CHECKING|__name__", ast.unparse(test)))
        case ast.Assign(targets=[ast.Name(id=name)]):
            return bool(re.fullmatch(r"__\w+__", name))
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return any("overload" in ast.unparse(d) for d in node.decorator_list)
        case ast.Call(func=ast.Name(id="TypeVar" | "cast" | "NewType")):
            return True
    return False
