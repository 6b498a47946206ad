"""The public interface of a Python product, read from its source without running any of it.

Public is what `__all__` says, else what has no leading underscore and is defined where it stands,
or is gathered by a package's own `__init__`.
An object is shown once, at its shortest public path, with the other paths beside it. Names that
are not public but that the hidden tests use are shown too, and said to be so: a solution can't be
asked for what nobody told it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from pathlib import Path

import griffe

from benchwright.formats import Product, SourceError
from benchwright.languages.surface import Interface, Symbol, SymbolKind

from .interface_symbol import attribute, decorators, docstring, function, is_exception
from .interface_touch import Touched, touched

_Found = griffe.Object | griffe.Alias


def interface(tree: Path, product: Product, tests: Mapping[str, bytes] | None = None) -> Interface:
    """The surface of the product in `tree`, with what `tests` use of it.

    Raises:
        SourceError: a module can't be found or read.
    """
    packages = _load(tree, product)
    used = touched(tests or {}, product.modules, product.roots)
    return _Reader(packages, used, frozenset(tests or {}), tree).read()


def _load(tree: Path, product: Product) -> list[griffe.Module]:
    logging.getLogger("griffe").setLevel(logging.CRITICAL)
    loader = griffe.GriffeLoader(
        search_paths=[tree / root for root in product.roots], allow_inspection=False
    )
    packages = []
    for name in product.modules:
        try:
            loaded = loader.load(name, try_relative_path=False)
        except (ImportError, griffe.GriffeError, SyntaxError) as error:
            raise SourceError(f"{name}: can't be read: {error}") from None
        if isinstance(loaded, griffe.Module):
            packages.append(loaded)
    loader.resolve_aliases(implicit=True, external=False)
    return packages


class _Reader:
    """Walks the packages twice: once to find where each object is shown, once to describe it."""

    def __init__(
        self, packages: list[griffe.Module], used: Touched, hidden: frozenset[str], tree: Path
    ) -> None:
        self._packages = packages
        self._used = used
        everything = [module for package in packages for module in _modules(package)]
        sealed = {m.path for m in everything if _below(m.filepath, tree) in hidden}
        self._modules = [module for module in everything if module.path not in sealed]
        for path in {p for p in used.paths if any(f"{p}.".startswith(f"{s}.") for s in sealed)}:
            used.paths.discard(path)
        self._paths: dict[str, list[str]] = {}
        for module in self._modules:
            for name, member in self._shown(module):
                self._paths.setdefault(_target(member), []).append(f"{module.path}.{name}")

    def read(self) -> Interface:
        modules = [self._module(module) for module in self._modules]
        kept = [m for m in modules if m.members or m.public or m.path in self._used.paths]
        shown = {path for m in kept for s in m.walk() for path in (s.path, *s.aliases)}
        expected: dict[str, str] = {}
        for path in sorted(self._used.paths - shown):
            self._expect(path, shown, expected)
        return Interface(tuple(kept), expected)

    def _shown(self, module: griffe.Module) -> Iterator[tuple[str, _Found]]:
        for name, member in module.members.items():
            if name == "__all__" or isinstance(member, griffe.Module) or not _resolves(member):
                continue
            if isinstance(_final(member), griffe.Module):
                continue
            if self._is_public(module, member) or f"{module.path}.{name}" in self._used.paths:
                yield name, member

    def _is_public(self, module: griffe.Module, member: _Found) -> bool:
        if _is_private_path(module.path) and not module.exports:
            return False
        return bool(member.is_public) or self._gathered(module, member)

    def _gathered(self, module: griffe.Module, member: _Found) -> bool:
        """Whether a package without `__all__` offers one of its own objects by importing it."""
        if module.exports is not None or not module.is_init_module:
            return False
        ours = {package.name for package in self._packages}
        own = isinstance(member, griffe.Alias) and _target(member).partition(".")[0] in ours
        return own and not member.name.startswith("_")

    def _module(self, module: griffe.Module) -> Symbol:
        members = []
        for name, member in self._shown(module):
            path = f"{module.path}.{name}"
            paths = sorted(self._paths[_target(member)], key=_rank)
            if path == paths[0]:
                public = any(not _is_private_path(p) for p in paths)
                members.append(self._symbol(_final(member), path, tuple(paths[1:]), public))
        return Symbol(
            path=module.path,
            kind="module",
            doc=docstring(module),
            public=not _is_private_path(module.path),
            members=tuple(members),
        )

    def _symbol(
        self, item: griffe.Object, path: str, aliases: tuple[str, ...], public: bool
    ) -> Symbol:
        if isinstance(item, griffe.Class):
            return self._class(item, path, aliases, public)
        if isinstance(item, griffe.Function):
            return function(item, path, aliases, public)
        return attribute(item, path, aliases, public)

    def _class(
        self, item: griffe.Class, path: str, aliases: tuple[str, ...], public: bool
    ) -> Symbol:
        members = []
        for name, member in self._members(item).items():
            is_public = _is_public_member(name)
            used = name in self._used.attributes or f"{path}.{name}" in self._used.paths
            if not (is_public or used) or not _resolves(member):
                continue
            if isinstance(_final(member), griffe.Module):
                continue
            members.append(self._symbol(_final(member), f"{path}.{name}", (), is_public))
        bases = ", ".join(str(base) for base in item.bases)
        kind: SymbolKind = "exception" if is_exception(item) else "class"
        lines = [*decorators(item), f"class {path.rpartition('.')[2]}({bases})"]
        return Symbol(
            path=path,
            kind=kind,
            signature="\n".join(lines),
            doc=docstring(item),
            aliases=aliases,
            public=public,
            members=tuple(members),
        )

    def _members(self, item: griffe.Class) -> dict[str, _Found]:
        """Its own members, and those of bases that are shown nowhere."""
        members: dict[str, _Found] = {}
        try:
            bases = item.mro()
        except ValueError:
            bases = []
        for base in reversed(bases):
            if base.path not in self._paths:
                members |= base.members
        return members | item.members

    def _expect(self, path: str, shown: set[str], expected: dict[str, str]) -> None:
        """Say what must be found at a path that isn't shown, or at the part of it that is ours."""
        item: _Found | None = None
        parts = path.split(".")
        for package in self._packages:
            if package.name == parts[0]:
                item = package
        walked = parts[0]
        for part in parts[1:]:
            if item is None or not _resolves(item):
                return
            item = _final(item).all_members.get(part)
            walked = f"{walked}.{part}"
            if isinstance(item, griffe.Alias) and walked not in shown:
                target = _target(item)
                if not target.startswith(f"{walked}."):
                    expected[walked] = f"`{target}`, imported under this name"
                return


def _modules(module: griffe.Module) -> Iterator[griffe.Module]:
    yield module
    for member in module.members.values():
        if isinstance(member, griffe.Module):
            yield from _modules(member)


def _below(path: Path | list[Path], tree: Path) -> str:
    if isinstance(path, list) or not path.is_relative_to(tree):
        return ""
    return path.relative_to(tree).as_posix()


def _resolves(item: _Found) -> bool:
    try:
        return _final(item) is not None
    except (griffe.AliasResolutionError, griffe.CyclicAliasError):
        return False


def _final(item: _Found) -> griffe.Object:
    return item.final_target if isinstance(item, griffe.Alias) else item


def _target(item: _Found) -> str:
    if isinstance(item, griffe.Alias):
        return _final(item).path if _resolves(item) else item.target_path
    return item.path


def _rank(path: str) -> tuple[bool, int, int, str]:
    return _is_private_path(path), path.count("."), len(path), path


def _is_private_path(path: str) -> bool:
    return any(part.startswith("_") and not _is_dunder(part) for part in path.split("."))


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _is_public_member(name: str) -> bool:
    return not name.startswith("_") or (_is_dunder(name) and name != "__slots__")
