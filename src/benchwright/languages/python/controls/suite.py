"""The hidden tests as a whole: which function stands behind an id, and what names mean."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from .source import Function, Source, dotted

ID = re.compile(r"(?P<path>\w+(?:::\w+)*)(?P<rest>.*)", re.S)


@dataclass(eq=False)
class Test:
    """A test function and the ids it gives, in the order of collection."""

    source: Source
    node: Function
    owner: ast.ClassDef | None
    ids: list[str] = field(default_factory=list)


class Suite:
    """Every hidden Python file, and every id, resolved."""

    def __init__(self, files: Mapping[str, bytes], ids: Sequence[str]) -> None:
        self.sources: dict[str, Source] = {}
        self.broken: dict[str, str] = {}
        for path, data in sorted(files.items()):
            if not path.endswith(".py"):
                continue
            try:
                self.sources[path] = Source(path, data)
            except (SyntaxError, ValueError, RecursionError) as error:
                self.broken[path] = str(error)
        self.unknown: list[str] = []
        self.bound: dict[Source, dict[str, tuple[Source, ast.AST] | None]] = {}
        self.tests = self.resolve(ids)

    def resolve(self, ids: Sequence[str]) -> list[Test]:
        """The test functions behind the ids; what isn't found is put into `unknown`."""
        found: dict[ast.AST, Test] = {}
        for test_id in ids:
            path, _, rest = test_id.partition("::")
            match = ID.match(rest)
            source = self.sources.get(path)
            hit = self.locate(source, match["path"].split("::")) if source and match else None
            if hit is None:
                self.unknown.append(test_id)
                continue
            where, node, owner = hit
            found.setdefault(node, Test(where, node, owner)).ids.append(test_id)
        return list(found.values())

    def locate(
        self, source: Source, parts: Sequence[str]
    ) -> tuple[Source, Function, ast.ClassDef | None] | None:
        """The function of `Class::…::name`, also where a base class defines it."""
        *classes, name = parts
        scope: ast.Module | ast.ClassDef = source.tree
        for part in classes:
            hit = self.find_class(source, scope, part)
            if hit is None:
                return None
            source, scope = hit
        if isinstance(scope, ast.ClassDef):
            return self.method(source, scope, name)
        node = define(scope, name)
        if isinstance(node, Function):
            return source, node, None
        imported = self.imported(source, name)
        if imported is not None and isinstance(imported[1], Function):
            return imported[0], imported[1], None
        return None

    def find_class(
        self, source: Source, scope: ast.Module | ast.ClassDef, name: str
    ) -> tuple[Source, ast.ClassDef] | None:
        """A class by its name, in a scope or imported from another hidden file."""
        node = define(scope, name)
        if isinstance(node, ast.ClassDef):
            return source, node
        imported = self.imported(source, name)
        if imported is not None and isinstance(imported[1], ast.ClassDef):
            return imported[0], imported[1]
        return None

    def method(
        self, source: Source, owner: ast.ClassDef, name: str, depth: int = 0
    ) -> tuple[Source, Function, ast.ClassDef] | None:
        """A method of a class or of its bases among the hidden files."""
        node = define(owner, name)
        if isinstance(node, Function):
            return source, node, owner
        for base in owner.bases if depth < 8 else ():
            hit = self.find_class(source, source.tree, dotted(base).rpartition(".")[2])
            deeper = self.method(*hit, name, depth + 1) if hit else None
            if deeper is not None:
                return deeper
        return None

    def imported(self, source: Source, name: str) -> tuple[Source, ast.AST] | None:
        """What `from … import name` brings from another hidden file; remembered."""
        known = self.bound.setdefault(source, {})
        if name not in known:
            known[name] = self.find_import(source, name)
        return known[name]

    def find_import(self, source: Source, name: str) -> tuple[Source, ast.AST] | None:
        """The definition behind an imported name."""
        for node in source.nodes:
            if not isinstance(node, ast.ImportFrom):
                continue
            for alias in node.names:
                if (alias.asname or alias.name) not in (name, "*"):
                    continue
                target = self.module(source, node.module or "", node.level)
                wanted = name if alias.name == "*" else alias.name
                found = define(target.tree, wanted) if target else None
                if target is not None and target is not source and found is not None:
                    return target, found
        return None

    def module(self, source: Source, name: str, level: int) -> Source | None:
        """The hidden file behind a module's name, by the end of its path."""
        tail = name.replace(".", "/")
        if level:
            base = source.path.split("/")[:-level]
            path = "/".join([*base, tail]).strip("/")
            return self.sources.get(f"{path}.py") or self.sources.get(f"{path}/__init__.py")
        for path, candidate in self.sources.items():
            if f"/{path}".endswith((f"/{tail}.py", f"/{tail}/__init__.py")):
                return candidate
        return None

    def helper(self, test: Test, call: ast.Call, source: Source) -> tuple[Source, Function] | None:
        """The hidden function that a call in a test runs, where that can be read off."""
        name = dotted(call.func)
        root, _, attribute = name.partition(".")
        if not attribute:
            local = [
                n
                for n in test.source.inside(test.node)
                if isinstance(n, Function) and n.name == name
            ]
            if local:
                return None  # its body is part of the test itself
            hit = self.locate(source, [name]) if name else None
            return (hit[0], hit[1]) if hit else None
        if root in ("self", "cls") and "." not in attribute and test.owner is not None:
            found = self.method(test.source, test.owner, attribute)
            return (found[0], found[1]) if found else None
        return None


def define(scope: ast.Module | ast.ClassDef, name: str) -> ast.AST | None:
    """The last function or class of a name in a scope, also inside `if` and `try`."""
    found: ast.AST | None = None
    for node in flat(scope.body):
        if isinstance(node, ast.ClassDef | Function) and node.name == name:
            found = node
    return found


def flat(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements of one scope, also those inside its compound statements."""
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try | ast.With | ast.For | ast.While):
            for part in ("body", "orelse", "finalbody"):
                yield from flat(getattr(node, part, []))
            for handler in getattr(node, "handlers", []):
                yield from flat(handler.body)
