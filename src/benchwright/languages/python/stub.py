"""Skeletons: function bodies out, every other byte as it was.

A body becomes `raise NotImplementedError`; signature, decorators, docstring, comments outside of
bodies, layout, encoding and line endings stay. Bodies that do nothing already (`pass`, `...`,
`raise NotImplementedError`, a docstring alone) stay too: abstract methods, protocols, overloads.
Which bodies must stay because they run when the product is imported or its tests are collected is
not guessed here: the caller found it out by execution and names them in `keep`.

A function is named as Python names it (`Table.insert.<locals>.updater`). The second definition of
the same name, such as a property's setter, is `Table.name#2`, the third `#3`.
"""

# ruff: noqa: N802 - libcst calls its visitors by the names of its nodes

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import libcst as cst

from benchwright.formats import SourceError
from benchwright.languages.protocol import Stub

_RAISE = cst.parse_statement("raise NotImplementedError")


def stub(source: bytes, keep: frozenset[str]) -> Stub:
    """The skeleton of one file.

    Args:
        source: the file as upstream has it.
        keep: names of functions whose own bodies stay (what is nested in them is judged by itself).

    Raises:
        SourceError: the file isn't Python that can be read.
    """
    mark, source = (source[:3], source[3:]) if source[:3] == b"\xef\xbb\xbf" else (b"", source)
    module = _parse(source)
    remover = _Remover(keep)
    text = module.visit(remover).bytes
    return Stub(mark + text, remover.removed, tuple(remover.kept))


def _parse(source: bytes) -> cst.Module:
    try:
        return cst.parse_module(source)
    except (cst.ParserSyntaxError, UnicodeDecodeError, LookupError, SyntaxError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise SourceError(f"not Python that can be read: {reason}") from None


class _Names:
    """The qualified name of the definition that is being visited."""

    def __init__(self) -> None:
        self._stack: list[str] = []
        self._seen: Counter[str] = Counter()

    def enter(self, node: cst.FunctionDef | cst.ClassDef) -> str:
        name = ".".join([*self._stack, node.name.value])
        self._seen[name] += 1
        unique = name if self._seen[name] == 1 else f"{name}#{self._seen[name]}"
        self._stack.append(node.name.value)
        if isinstance(node, cst.FunctionDef):
            self._stack.append("<locals>")
        return unique

    def leave(self, node: cst.FunctionDef | cst.ClassDef) -> None:
        del self._stack[-2 if isinstance(node, cst.FunctionDef) else -1 :]


class _Remover(cst.CSTTransformer):
    def __init__(self, keep: frozenset[str]) -> None:
        super().__init__()
        self.removed = 0
        self.kept: list[str] = []
        self._keep = keep
        self._names = _Names()
        self._doomed: set[cst.FunctionDef] = set()

    def visit_ClassDef(self, node: cst.ClassDef) -> None:
        self._names.enter(node)

    def leave_ClassDef(
        self, original_node: cst.ClassDef, updated_node: cst.ClassDef
    ) -> cst.ClassDef:
        self._names.leave(original_node)
        return updated_node

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
        name = self._names.enter(node)
        if name in self._keep:
            self.kept.append(f"{name}: runs when the product is imported or its tests collected")
            return True
        if _does_nothing(node):
            self.kept.append(f"{name}: does nothing already")
            return True
        self._doomed.add(node)
        return False

    def leave_FunctionDef(
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.FunctionDef:
        self._names.leave(original_node)
        if original_node not in self._doomed:
            return updated_node
        self.removed += 1
        return updated_node.with_changes(body=_emptied(updated_node.body))


def _emptied(body: cst.BaseSuite) -> cst.BaseSuite:
    """The body with nothing but its docstring and the raise."""
    raising = cst.ensure_type(_RAISE, cst.SimpleStatementLine)
    first = body.body[0]
    if isinstance(body, cst.SimpleStatementSuite):
        docstring = [first] if _is_text(first) else []
        return body.with_changes(body=[*docstring, *raising.body])
    kept: list[cst.BaseStatement] = []
    if isinstance(first, cst.SimpleStatementLine) and _is_text(first.body[0]):
        alone = first.body[0].with_changes(semicolon=cst.MaybeSentinel.DEFAULT)
        kept.append(first.with_changes(body=[alone]))
    return body.with_changes(body=[*kept, raising], footer=[])


def _does_nothing(node: cst.FunctionDef) -> bool:
    statements = list(_small(node.body.body))
    if statements and _is_text(statements[0]):
        statements = statements[1:]
    return all(_is_empty(statement) for statement in statements)


def _small(
    body: Sequence[cst.BaseStatement] | Sequence[cst.BaseSmallStatement],
) -> Iterator[cst.CSTNode]:
    for statement in body:
        if isinstance(statement, cst.SimpleStatementLine):
            yield from statement.body
        else:
            yield statement


def _is_text(statement: cst.CSTNode) -> bool:
    if not isinstance(statement, cst.Expr):
        return False
    value = statement.value
    while isinstance(value, cst.ConcatenatedString):
        value = value.left
    return isinstance(value, cst.SimpleString) and "b" not in value.prefix.lower()


def _is_empty(statement: cst.CSTNode) -> bool:
    if isinstance(statement, cst.Pass):
        return True
    if isinstance(statement, cst.Expr):
        return isinstance(statement.value, cst.Ellipsis)
    if isinstance(statement, cst.Raise):
        raised = statement.exc.func if isinstance(statement.exc, cst.Call) else statement.exc
        return isinstance(raised, cst.Name) and raised.value == "NotImplementedError"
    return False
