"""What every runner of ours says and knows: the stream of events, and which frames are the tests'.

Python 3.6 must be able to run it; it needs no test runner.
"""

import ast
import json
import os
import sys
from typing import Any

MESSAGE = 2000
OLD_LINES = sys.version_info < (3, 10)
"""Whether leaving a `with` block counts as its last line instead of the statement itself."""


class Stream:
    """The writing end of the event stream; silent in processes that tests fork off."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.owner = os.getpid()
        os.set_inheritable(descriptor, False)

    def send(self, name: str, phase: str, outcome: str, **more: "Any") -> None:
        """Write one event."""
        if os.getpid() != self.owner:
            return
        fields = dict({"id": clean(name), "phase": phase, "outcome": outcome}, **more)
        data = json.dumps(fields).encode() + b"\n"
        while data:
            data = data[os.write(self.descriptor, data) :]


def clean(text: str) -> str:
    """The text without lone surrogates, which are not Unicode."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def qualified(kind: type) -> str:
    """The name of an exception's type, with its module unless that is `builtins`."""
    module = getattr(kind, "__module__", "") or ""
    name = getattr(kind, "__qualname__", "") or getattr(kind, "__name__", "")
    return clean(f"{name}" if module in ("builtins", "") else f"{module}.{name}")


class Places:
    """Which frames belong to the hidden tests."""

    def __init__(self, config: "dict[str, Any]") -> None:
        self.tree = config["tree"]
        self.tests = config["tests"]
        self.product = config["product"]

    def below(self, filename: str) -> str:
        """The file's path below the tree if it belongs to the hidden tests, else nothing."""
        if not filename.startswith(self.tree + "/"):
            return ""
        name = filename[len(self.tree) + 1 :]
        if longest(name, self.tests) >= longest(name, self.product):
            return clean(name)
        return clean(name) if os.path.basename(name) == "conftest.py" else ""

    def where(self, value: "Any", trace: "Any") -> "tuple[str, int]":
        """File and line of the innermost frame that belongs to the tests."""
        found = ("", 0)
        while trace is not None:
            file, line = trace.tb_frame.f_code.co_filename, trace.tb_lineno
            name, trace = self.below(file), trace.tb_next
            if name:
                leaves = trace is not None and trace.tb_frame.f_code.co_name == "__exit__"
                found = (name, with_line(file, line) if leaves and OLD_LINES else line)
        example = doctest_line(value)
        if example is not None and self.below(example[0]):
            return self.below(example[0]), example[1]
        return found

    def details(self, failure: "Any") -> "dict[str, Any]":
        """Exception, place and message of a failure: a type, a value and a traceback, or None."""
        if failure is None:
            return {}
        kind, value, trace = failure
        file, line = self.where(value, trace)
        try:
            message = str(value)[:MESSAGE]
        except Exception as error:
            message = "no message: its own __str__ raised " + qualified(type(error))
        return {
            "exception": qualified(kind),
            "file": file,
            "line": line,
            "message": clean(message),
        }


def longest(name: str, prefixes: "list[str]") -> int:
    """Length of the longest prefix (a folder or the file itself) that `name` is below; -1: none."""
    found = -1
    for prefix in prefixes:
        if prefix == ".":
            found = max(found, 0)
        elif name == prefix or name.startswith(prefix + "/"):
            found = max(found, len(prefix))
    return found


def doctest_line(value: "Any") -> "tuple[str, int] | None":
    """File and line of the example that a doctest failed at."""
    failures = getattr(value, "failures", None) or [value]
    test = getattr(failures[0], "test", None)
    example = getattr(failures[0], "example", None)
    if test is None or example is None or getattr(test, "lineno", None) is None:
        return None
    return str(test.filename), test.lineno + example.lineno + 1


def with_line(filename: str, line: int) -> int:
    """The line of the innermost `with` statement around a line."""
    try:
        with open(filename, "rb") as file:
            tree = ast.parse(file.read())
    except (OSError, SyntaxError, ValueError):
        return line
    kinds = (ast.With, ast.AsyncWith)
    around = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, kinds)
        and node.lineno <= line <= max(getattr(n, "lineno", 0) for n in ast.walk(node))
    ]
    return max(around) if around else line
