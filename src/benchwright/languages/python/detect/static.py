"""What can be known of a Python file without running it.

`setup.py` and `noxfile.py` are programs of strangers. They are parsed, and the few values that
stand there literally, or in a name that is assigned once, are read. Nothing is ever run.
"""

from __future__ import annotations

import ast
import configparser
import tomllib
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

LARGEST = 4 << 20
"""No configuration or source file that is larger is looked into."""


def text(path: Path) -> str:
    """The text of a file, or nothing where it isn't a readable file of a sane size."""
    if path.is_symlink() or not path.is_file() or path.stat().st_size > LARGEST:
        return ""
    return path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n").lstrip("\ufeff")


def toml(path: Path) -> dict[str, Any]:
    """A TOML file, or nothing where it isn't one."""
    try:
        return tomllib.loads(text(path))
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def ini(path: Path) -> configparser.RawConfigParser:
    """An INI file as far as it can be read; sections and options as they stand there."""
    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    try:
        parser.read_string(text(path))
    except configparser.Error:
        return configparser.RawConfigParser()
    return parser


def parse(source: str) -> ast.Module | None:
    """The syntax tree, or None where this isn't Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def tables(data: Any, *keys: str) -> dict[str, Any]:
    """A nested table, or an empty one where anything on the way isn't a table."""
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data if isinstance(data, dict) else {}


def strings(value: Any) -> list[str]:
    """The strings in a value that should be a list of them (one string counts as lines)."""
    if isinstance(value, str):
        return [line.strip() for line in value.splitlines() if line.strip()]
    return [v for v in value if isinstance(v, str)] if isinstance(value, list | tuple | set) else []


def call_arguments(source: str, function: str) -> dict[str, Any]:
    """The keyword arguments, as far as they are literal, of the calls of `function`.

    An argument that is there but can't be known is `Unknown`.
    """
    module = parse(source)
    if module is None:
        return {}
    names = assigned(module)
    found: dict[str, Any] = {}
    for call in calls(module, function):
        for keyword in call.keywords:
            if keyword.arg is None:
                value = literal(keyword.value, names)
                found.update(value if isinstance(value, dict) else {})
            else:
                found[keyword.arg] = literal(keyword.value, names)
    return found


def calls(module: ast.AST, function: str) -> Iterator[ast.Call]:
    """Every call of something whose last name is `function`."""
    for node in ast.walk(module):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else None
            name = node.func.id if isinstance(node.func, ast.Name) else name
            if name == function:
                yield node


class Unknown:
    """Stands for a value that only running the file would tell."""


def assigned(module: ast.Module) -> dict[str, Any]:
    """Names that are assigned exactly once, anywhere in the module, with a literal value."""
    nodes: dict[str, list[ast.expr]] = {}
    for node in ast.walk(module):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    nodes.setdefault(target.id, []).append(node.value)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            nodes.setdefault(node.target.id, []).append(node.value)
    values: dict[str, Any] = {}
    for _ in range(3):  # a name may stand for a name
        for name, found in nodes.items():
            if len(found) == 1 and isinstance(values.get(name, Unknown), type):
                values[name] = literal(found[0], values)
    return values


def literal(node: ast.expr, names: Mapping[str, Any]) -> Any:
    """The value of an expression, with `Unknown` in the place of what can't be known."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return names.get(node.id, Unknown)
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return [v for e in node.elts if (v := literal(e, names)) is not Unknown]
    if isinstance(node, ast.Dict):
        pairs = [
            (literal(k, names), literal(v, names))
            for k, v in zip(node.keys, node.values, strict=True)
            if k
        ]
        return {k: v for k, v in pairs if isinstance(k, str)}
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = literal(node.left, names), literal(node.right, names)
        if type(left) is type(right) and isinstance(left, str | list):
            return left + right
        return left if isinstance(left, list) else right if isinstance(right, list) else Unknown
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict":
        return {k.arg: literal(k.value, names) for k in node.keywords if k.arg}
    return Unknown
