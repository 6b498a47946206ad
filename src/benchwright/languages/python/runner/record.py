"""Collects a suite and imports every module of the product in a box, and says what ran meanwhile.

It stands beside the runner's files at `/judge`, runs on the task's own interpreter (Python 3.6 and
later) and imports nothing but them and the standard library. Besides the runner's events it writes
one object a line: `{"entered": [file, name]}` for each function of the product that was entered,
`{"import": name, "error": text}` and `{"parse": file, "error": text}` for what can't be.
"""

import ast
import importlib
import json
import os
import sys
import threading
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))


class Recorder:
    """A profile function that remembers which functions of the product were entered."""

    def __init__(self, tree: str, files: "list[str]") -> None:
        self.tree = tree
        self.files = {os.path.join(tree, name): name for name in files}
        self.seen = {}  # type: dict[int, Any]

    def __call__(self, frame: Any, event: str, _: object) -> None:
        """Called by the interpreter at every call; a code object counts once."""
        code = frame.f_code
        if event == "call" and id(code) not in self.seen:
            self.seen[id(code)] = code

    def entered(self) -> "list[tuple[str, str]]":
        """File and name of each function of the product that ran."""
        lines = {}  # type: dict[str, set[int]]
        for code in list(self.seen.values()):
            name = self.files.get(os.path.normpath(code.co_filename))
            if name is not None and not code.co_name.startswith("<"):
                lines.setdefault(name, set()).add(code.co_firstlineno)
        found = set()
        for name, starts in lines.items():
            names = definitions(read(os.path.join(self.tree, name)))
            found |= {(name, names[line]) for line in starts if line in names}
        return sorted(found)


def read(path: str) -> bytes:
    """The bytes of a file."""
    with open(path, "rb") as file:
        return file.read()


def definitions(source: bytes) -> "dict[int, str]":
    """The name of the function that starts at a line: its `def`, or a decorator above it.

    Names are Python's own (`Table.insert.<locals>.updater`); the second definition of a name gets
    `#2`, the third `#3`.
    """
    lines = {}  # type: dict[int, str]
    seen = {}  # type: dict[str, int]
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)

    def visit(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, (*functions, ast.ClassDef)):
                visit(child, prefix)
                continue
            name = prefix + child.name
            count = seen[name] = seen.get(name, 0) + 1
            if isinstance(child, functions):
                first = min([child.lineno] + [d.lineno for d in child.decorator_list])
                for line in range(first, child.lineno + 1):
                    lines[line] = name if count == 1 else "%s#%d" % (name, count)
                visit(child, name + ".<locals>.")
            else:
                visit(child, name + ".")

    visit(ast.parse(source), "")
    return lines


def product_files(config: "dict[str, Any]") -> "list[str]":
    """The product's Python files, below the tree, without those that belong to the tests."""
    tree = config["tree"]
    found = []
    for path in config["product"]:
        top = os.path.join(tree, path)
        below = [top] if os.path.isfile(top) else []
        for folder, _, files in os.walk(top):
            below += [os.path.join(folder, name) for name in files]
        found += [os.path.relpath(name, tree) for name in below if name.endswith(".py")]
    product = config["product"]
    hidden = [name for name in config["tests"] if not any(inside(p, name) for p in product)]
    return sorted(f for f in set(found) if not any(inside(f, name) for name in hidden))


def inside(name: str, place: str) -> bool:
    """Whether a file is `place` or below it."""
    return name == place or name.startswith(place.rstrip("/") + "/")


def module_name(path: str, roots: "list[str]") -> str:
    """The name a file is imported by, or nothing where it can't be or would run as a program."""
    for root in sorted(roots, key=len, reverse=True):
        if root != "." and not inside(path, root):
            continue
        below = path if root == "." else path[len(root.rstrip("/")) + 1 :]
        parts = below[: -len(".py")].split("/")
        if parts[-1] == "__init__":
            parts.pop()
        if parts and parts[-1] != "__main__" and all(part.isidentifier() for part in parts):
            return ".".join(parts)
    return ""


def import_all(names: "list[str]") -> "dict[str, str]":
    """Import each module; what goes wrong, by name."""
    failed = {}
    for name in names:
        try:
            importlib.import_module(name)
        except BaseException as error:
            failed[name] = "%s: %s" % (type(error).__name__, str(error)[:500])
    return failed


def parse_all(tree: str, files: "list[str]") -> "dict[str, str]":
    """Compile each file; what goes wrong, by file."""
    failed = {}
    for name in files:
        try:
            compile(read(os.path.join(tree, name)), name, "exec", dont_inherit=True)
        except (SyntaxError, ValueError) as error:
            failed[name] = str(error)[:500]
    return failed


def main() -> None:
    """Collect, import, report, and leave at once."""
    config = json.loads(read(os.path.join(HERE, "run.json")).decode())
    from launch import EVENTS, load  # type: ignore[import-not-found]

    files = product_files(config)
    descriptor = int(os.environ[EVENTS])
    events = load(config, descriptor)
    import pytest

    stream = events.Stream(descriptor)
    recorder = Recorder(config["tree"], files)
    stream.send("", "session", "started", message="collect")
    threading.setprofile(recorder)
    sys.setprofile(recorder)
    options = [*events.arguments(config), "--collect-only", "-q"]
    pytest.main(options, plugins=[events.Reporter(stream, config)])
    names = sorted({module_name(name, config["roots"]) for name in files} - {""})
    failed = import_all(names)
    sys.setprofile(None)
    lines = [{"entered": list(place)} for place in recorder.entered()]  # type: list[dict[str, Any]]
    lines += [{"import": name, "error": text} for name, text in sorted(failed.items())]
    broken = parse_all(config["tree"], files)
    lines += [{"parse": name, "error": text} for name, text in sorted(broken.items())]
    for line in lines:
        data = json.dumps(line).encode() + b"\n"
        while data:
            data = data[os.write(stream.descriptor, data) :]
    stream.send("", "session", "done", message="collected")
    os._exit(0)


if __name__ == "__main__":
    main()
