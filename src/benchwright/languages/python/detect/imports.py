"""What test files import, and which fixtures and markers they use. Files are parsed, never run."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from . import static

QUIET = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}


@dataclass(slots=True)
class Uses:
    """Names used by a set of files."""

    needed: set[str] = field(default_factory=set)
    """Top-level import names without which the file, or a test in it, fails."""
    optional: set[str] = field(default_factory=set)
    """Imports that the file can do without: guarded, or `importorskip`."""
    fixtures: set[str] = field(default_factory=set)
    """Arguments of tests and fixtures that no file here defines as a fixture."""
    markers: set[str] = field(default_factory=set)

    @property
    def imports(self) -> set[str]:
        """All import names."""
        return self.needed | self.optional


def scan(files: Iterable[Path]) -> Uses:
    """What the files use."""
    uses = Uses()
    defined: set[str] = set()
    for path in files:
        module = static.parse(static.text(path))
        if module is not None:
            _imports(module.body, uses, guarded=False)
            _pytest(module, uses, defined)
    uses.optional -= uses.needed
    uses.fixtures -= defined
    return uses


def _imports(body: Iterable[ast.AST], uses: Uses, *, guarded: bool) -> None:
    for node in body:
        if isinstance(node, ast.Import):
            names = {alias.name.split(".")[0] for alias in node.names}
            (uses.optional if guarded else uses.needed).update(names)
        elif isinstance(node, ast.ImportFrom):
            if node.module and not node.level:
                (uses.optional if guarded else uses.needed).add(node.module.split(".")[0])
        elif isinstance(node, ast.Try):
            quiet = guarded or any(_catches(handler) for handler in node.handlers)
            _imports([*node.body, *node.handlers], uses, guarded=quiet)
            _imports([*node.orelse, *node.finalbody], uses, guarded=guarded)
        elif isinstance(node, ast.If):
            _imports([*node.body, *node.orelse], uses, guarded=True)
        else:
            _imports(ast.iter_child_nodes(node), uses, guarded=guarded)


def _catches(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(k is None or (isinstance(k, ast.Name) and k.id in QUIET) for k in kinds)


def _pytest(module: ast.Module, uses: Uses, defined: set[str]) -> None:
    for call in static.calls(module, "importorskip"):
        if call.args and isinstance(call.args[0], ast.Constant):
            uses.optional.add(str(call.args[0].value).split(".")[0])
    for node in ast.walk(module):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute):
            if node.value.attr == "mark":
                uses.markers.add(node.attr)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            fixture = [d for d in node.decorator_list if "fixture" in ast.unparse(d)]
            if fixture:
                defined.add(node.name)
                defined.update(_named(fixture))
            if fixture or node.name.startswith("test"):
                uses.fixtures.update(a.arg for a in (*node.args.args, *node.args.kwonlyargs))
    defined.update(_parametrized(module))


def _parametrized(module: ast.Module) -> Iterator[str]:
    for call in static.calls(module, "parametrize"):
        for first in [*call.args[:1], *(k.value for k in call.keywords if k.arg == "argnames")]:
            value = static.literal(first, {})
            names = value.split(",") if isinstance(value, str) else static.strings(value)
            yield from (name.strip() for name in names)


def _named(decorators: list[ast.expr]) -> set[str]:
    return {
        str(keyword.value.value)
        for decorator in decorators
        if isinstance(decorator, ast.Call)
        for keyword in decorator.keywords
        if keyword.arg == "name" and isinstance(keyword.value, ast.Constant)
    }
