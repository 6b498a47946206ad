"""Where the product lies in the tree: import roots, modules, paths, and whether it is compiled."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name

from benchwright.formats import SourceError

from . import static
from .known import NATIVE_BACKENDS
from .metadata import Metadata

NOT_PRODUCT = {
    "test", "tests", "testing", "t", "doc", "docs", "example", "examples", "sample", "samples",
    "benchmark", "benchmarks", "bench", "build", "dist", "tools", "tool", "scripts", "script",
    "bin",
    "ci", "fuzz", "node_modules", "requirements", "venv", "env", "setup", "conftest", "noxfile",
    "tasks", "setupbase", "versioneer", "news", "changelog", "integration_tests", "perf",
    "performance", "licenses", "utils", "code_templates", "notebooks", "manage", "fabfile", "site",
}  # fmt: skip
"""Top-level names that are never taken for the product unless the project says so."""

NATIVE = (".c", ".cc", ".cpp", ".cxx", ".pyx", ".pxd", ".rs", ".f90", ".h", ".hpp")


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the product is."""

    roots: tuple[str, ...]
    modules: tuple[str, ...]
    paths: tuple[str, ...]
    notes: tuple[str, ...] = ()


def find(tree: Path, data: Metadata) -> Layout:
    """Find the product.

    Raises:
        SourceError: nothing importable was found, or it can't work without being compiled.
    """
    root, modules = _stated(tree) or _guessed(tree, data.name)
    if not modules:
        raise SourceError(
            f"{data.name}: no importable package was found",
            hint="looked in src/, lib/ and the top folder for packages and modules",
        )
    base = tree / root
    paths = tuple(_place(tree, base, module) for module in modules)
    notes = _native(tree, data, base, modules, paths)
    tops = tuple(dict.fromkeys(m.split(".")[0] for m in modules))
    return Layout((root,), tops, paths, notes)


def _place(tree: Path, base: Path, module: str) -> str:
    path = base.joinpath(*module.split("."))
    path = path if path.is_dir() else path.with_name(path.name + ".py")
    return path.relative_to(tree).as_posix()


def _exists(base: Path, module: str) -> bool:
    path = base.joinpath(*module.split("."))
    return path.is_dir() or path.with_name(path.name + ".py").is_file()


def _stated(tree: Path) -> tuple[str, tuple[str, ...]] | None:
    """What the project's build configuration names, where that is really there."""
    for root, names in _statements(tree):
        root = root.strip("/") or "."
        found = [n for n in names if _exists(tree / root, n)]
        tops = [n for n in found if not any(n.startswith(f"{m}.") for m in found)]
        if tops and root != ".." and not root.startswith("/"):
            return root, tuple(dict.fromkeys(tops))
    return None


def _statements(tree: Path) -> Iterator[tuple[str, list[str]]]:
    project = static.toml(tree / "pyproject.toml")
    for package in static.tables(project, "tool", "poetry").get("packages") or []:
        table = static.tables(package)
        if table.get("format") != "sdist":
            yield str(table.get("from", ".")), [str(table.get("include", "")).replace("/", ".")]
    flit = static.tables(project, "tool", "flit")
    name = static.tables(flit, "module").get("name") or static.tables(flit, "metadata").get(
        "module"
    )
    if isinstance(name, str):
        yield ("src" if (tree / "src").is_dir() else "."), [name]
    wheel = static.tables(project, "tool", "hatch", "build", "targets", "wheel")
    for path in static.strings(wheel.get("packages")):
        parent, _, last = path.strip("/").rpartition("/")
        yield parent or ".", [last]
    yield from _setuptools(static.tables(project, "tool", "setuptools"))
    parser = static.ini(tree / "setup.cfg")
    options = dict(parser.items("options")) if parser.has_section("options") else {}
    where = static.strings(options.get("package_dir"))
    roots = {k.strip(): v.strip() for k, _, v in (line.partition("=") for line in where)}
    yield from _setuptools(
        {
            "packages": static.strings(options.get("packages")),
            "py-modules": static.strings(options.get("py_modules")),
            "package-dir": roots,
        }
    )
    found = static.call_arguments(static.text(tree / "setup.py"), "setup")
    yield from _setuptools({k.replace("_", "-"): v for k, v in found.items()})


def _setuptools(table: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    folders = static.tables(table, "package-dir")
    root = str(folders.get("", "."))
    names = static.strings(table.get("packages")) + static.strings(table.get("py-modules"))
    packages = [n for n in names if n.replace(".", "_").isidentifier()]
    if packages:
        yield root, packages


def _guessed(tree: Path, name: str) -> tuple[str, tuple[str, ...]]:
    """The importable names in `src`, `lib` or the top folder, the project's own first."""
    listed = static.strings(_top_level(tree))
    wanted = canonicalize_name(name)
    for root in ("src", "lib", "python", "."):
        base = tree / root
        if not base.is_dir():
            continue
        names = list(_importable(base))
        own = [n for n in names if canonicalize_name(n) == wanted]
        known = [n for n in listed if n in names and n not in NOT_PRODUCT]
        others = [n for n in names if n not in NOT_PRODUCT and not n.startswith(("_", "test"))]
        dotted = [name] if "." in name and _exists(base, name) else []
        if root == ".":
            others = others if len(others) == 1 else []
        found = known or own or dotted or others
        if found:
            return root, tuple(found)
    return ".", ()


def _top_level(tree: Path) -> str:
    places = [*sorted(tree.glob("*.egg-info")), *sorted(tree.glob("*/*.egg-info"))]
    return next((t for p in places if (t := static.text(p / "top_level.txt"))), "")


def _importable(base: Path) -> Iterator[str]:
    for path in sorted(base.iterdir()):
        if path.is_dir() and path.name.isidentifier() and any(path.glob("*.py")):
            yield path.name
        elif path.suffix == ".py" and path.stem.isidentifier():
            yield path.stem


def _native(
    tree: Path, data: Metadata, base: Path, modules: tuple[str, ...], paths: tuple[str, ...]
) -> tuple[str, ...]:
    """Notes on optional compiled parts.

    Raises:
        SourceError: the product can't do without its compiled parts.
    """
    backend = data.backend.split(".")[0]
    names = sorted(_extensions(tree))
    sources = [p for path in paths for p in sorted((tree / path).rglob("*")) if p.suffix in NATIVE]
    if backend in NATIVE_BACKENDS:
        names = names or [f"what {backend} builds"]
    if not names and not (sources and not _pure(tree, paths)):
        return ()
    names = names or [sources[0].relative_to(tree).as_posix()]
    needed = [n for n in names if not _optional(base, modules, n)]
    if needed:
        raise SourceError(
            f"{data.name}: it needs an extension in C ({', '.join(needed[:3])})",
            hint="compiled products can't become tasks yet",
        )
    return (f"the compiled parts ({', '.join(names)}) are optional and left out",)


def _pure(tree: Path, paths: tuple[str, ...]) -> bool:
    return any((tree / p).suffix == ".py" or any((tree / p).rglob("*.py")) for p in paths)


def _extensions(tree: Path) -> Iterator[str]:
    module = static.parse(static.text(tree / "setup.py"))
    for call in static.calls(module, "Extension") if module else ():
        first = call.args[0] if call.args else None
        name = next((k.value for k in call.keywords if k.arg == "name"), first)
        yield str(name.value) if isinstance(name, ast.Constant) else "computed in setup.py"
    for call in static.calls(module, "setup") if module else ():
        for keyword in call.keywords:
            if keyword.arg in ("cffi_modules", "rust_extensions"):
                yield keyword.arg
    table = static.tables(static.toml(tree / "pyproject.toml"), "tool", "setuptools")
    for extension in table.get("ext-modules") or []:
        yield str(static.tables(extension).get("name", "?"))


def _optional(base: Path, modules: tuple[str, ...], extension: str) -> bool:
    """Whether every import of the extension is one that may fail."""
    last = extension.rpartition(".")[2]
    if not last.isidentifier():
        return False
    seen = False
    for module in modules:
        path = base.joinpath(*module.split("."))
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]:
            parsed = static.parse(static.text(file))
            for node, guarded in _guards(parsed, guarded=False) if parsed else ():
                if last in _imported(node):
                    seen = True
                    if not guarded:
                        return False
    return seen


def _guards(node: ast.AST, *, guarded: bool) -> Iterator[tuple[ast.AST, bool]]:
    for child in ast.iter_child_nodes(node):
        inside = guarded or (
            isinstance(node, ast.Try) and child in node.body and bool(node.handlers)
        )
        yield child, inside
        yield from _guards(child, guarded=inside)


def _imported(node: ast.AST) -> set[str]:
    if isinstance(node, ast.ImportFrom):
        return {*(node.module or "").split("."), *(a.name for a in node.names)}
    if isinstance(node, ast.Import):
        return {part for a in node.names for part in a.name.split(".")}
    return set()
