"""What an attack is: a small change of a submission that tries to gain what it didn't solve.

An attack knows what a cheater could know: the public half of the task, how this judge works, and
the layout of upstream's tests. It writes into a workspace; it never runs here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from benchwright.formats import Settings

PRELUDE = """
import sys as _sys, types as _types
class _Any(type):
    def __getattr__(cls, name): return cls
    def __call__(cls, *a, **k): return cls
def __getattr__(name): return _Any(name, (Exception,), {})
class _Finder:
    def find_spec(self, name, path=None, target=None):
        from importlib.machinery import ModuleSpec
        if name.startswith(__name__ + "."):
            return ModuleSpec(name, self, is_package=True)
    def create_module(self, spec):
        module = _types.ModuleType(spec.name)
        module.__getattr__ = __getattr__
        return module
    def exec_module(self, module): pass
_sys.meta_path.append(_Finder())
"""
"""A product of nothing, so that the tests of an empty workspace are collected at all."""


@dataclass(frozen=True, slots=True)
class Target:
    """What an attack is made for."""

    settings: Settings
    tests: tuple[str, ...]
    """Hidden test files, by their paths upstream."""

    @property
    def root(self) -> PurePosixPath:
        """The folder on the import path that the product is in."""
        return PurePosixPath(self.settings.product.roots[0])

    @property
    def module(self) -> str:
        """The product's import name."""
        modules = self.settings.product.modules
        return modules[0] if modules else PurePosixPath(self.settings.product.paths[0]).stem

    def entry(self, tree: Path) -> Path:
        """The file that runs when the product is imported."""
        package = tree / self.root / self.module
        single = package.with_name(f"{self.module}.py")
        return single if single.is_file() else package / "__init__.py"

    def inject(self, tree: Path, code: str, *, first: bool = False) -> None:
        """Make `code` run when the product is imported."""
        entry = self.entry(tree)
        if not entry.exists():
            entry.parent.mkdir(parents=True, exist_ok=True)
            entry.write_text(PRELUDE)
        old = entry.read_text(encoding="utf-8", errors="surrogateescape")
        block = f"\n{code.strip()}\n"
        new = block + old if first and "__future__" not in old else old + block
        entry.write_text(new, encoding="utf-8", errors="surrogateescape")

    def write(self, tree: Path, name: str, text: str) -> None:
        """Write a file of the submission; `{module}` in it is the product's name."""
        path = tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("{module}", self.module))


Make = Callable[[Path, Target], None]


@dataclass(frozen=True, slots=True)
class Attack:
    """One cheating submission."""

    name: str
    rows: tuple[str, ...]
    """Rows of the catalogue of known attacks: F1 to F22, A1 to A10, H1 to H6; K for those that know
    how this judge works."""
    tries: str
    """What it tries, in one line."""
    make: Make

    def __call__(self, tree: Path, target: Target) -> None:
        """Put the attack into a workspace."""
        self.make(tree, target)


def code(text: str, *, first: bool = False) -> Make:
    """An attack that is code run at import."""
    return lambda tree, target: target.inject(tree, text, first=first)


def put(named: dict[str, str]) -> Make:
    """An attack that is files by their paths."""

    def make(tree: Path, target: Target) -> None:
        for name, text in named.items():
            target.write(tree, name.replace("{module}", target.module), text)

    return make


def both(*makes: Make) -> Make:
    """Several attacks as one."""

    def make(tree: Path, target: Target) -> None:
        for one in makes:
            one(tree, target)

    return make
