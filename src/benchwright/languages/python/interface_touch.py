"""Which names of a product its tests touch, read from the tests' source alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

_DOTTED = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)+")
_PRIVATE = re.compile(r"_(?!_)\w+")


@dataclass(slots=True)
class Touched:
    """Names that tests use."""

    paths: set[str] = field(default_factory=set)
    """Dotted paths below the product's modules."""
    attributes: set[str] = field(default_factory=set)
    """Names looked up on anything at all."""


def touched(
    tests: Mapping[str, bytes], modules: Collection[str], roots: Collection[str]
) -> Touched:
    """What the test files use of `modules`; files that aren't Python are passed over.

    Args:
        tests: POSIX path below the tree -> content.
        modules: top-level import names of the product.
        roots: folders of the tree that are on the import path.
    """
    found = Touched()
    for name, content in sorted(tests.items()):
        if not name.endswith(".py"):
            continue
        try:
            tree = ast.parse(content)
        except (SyntaxError, ValueError):
            continue
        _File(frozenset(modules), _package(name, roots), found).visit(tree)
    return found


def _package(name: str, roots: Collection[str]) -> tuple[str, ...]:
    """The dotted package of a file, as relative imports see it."""
    folder = PurePosixPath(name).parent
    for root in sorted(roots, key=len, reverse=True):
        if root != "." and folder.is_relative_to(root):
            return folder.relative_to(root).parts
    return folder.parts


class _File(ast.NodeVisitor):
    def __init__(self, modules: frozenset[str], package: tuple[str, ...], found: Touched) -> None:
        self._modules = modules
        self._package = package
        self._found = found
        self._names: dict[str, str] = {}

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            top = alias.name.partition(".")[0]
            if top in self._modules:
                self._found.paths.add(alias.name)
                self._names[alias.asname or top] = alias.name if alias.asname else top

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        base = self._package[: len(self._package) - node.level + 1] if node.level else ()
        module = ".".join([*base, *([node.module] if node.module else [])])
        if module.partition(".")[0] not in self._modules:
            return
        self._found.paths.add(module)
        for alias in node.names:
            if alias.name != "*":
                self._found.paths.add(f"{module}.{alias.name}")
                self._names[alias.asname or alias.name] = f"{module}.{alias.name}"

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self._found.attributes.add(node.attr)
        chain = list(_chain(node))
        if chain and chain[0] in self._names:
            self._found.paths.add(".".join([self._names[chain[0]], *chain[1:]]))
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        text = node.value
        if not isinstance(text, str) or len(text) > 200:
            return
        if _DOTTED.fullmatch(text) and text.partition(".")[0] in self._modules:
            self._found.paths.add(text)
        elif _PRIVATE.fullmatch(text):
            self._found.attributes.add(text)


def _chain(node: ast.expr) -> Iterator[str]:
    """The parts of `a.b.c`, or nothing when it doesn't start with a name."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id
        yield from reversed(parts)
