"""Files compiled once, so that processes forked afterwards import them without compiling again.

Nothing is kept on disk: a file that a mutant changed has other bytes and is compiled anew.
"""

import os
import warnings
from importlib.machinery import SourceFileLoader
from typing import Any

FEW = 3
"""Imports that aren't worth it."""


def remember(contents: "dict[str, bytes]") -> None:
    """Compile files, by path, and have imports use what that gave wherever path and bytes agree."""
    plain = SourceFileLoader.source_to_code
    codes = {}  # type: dict[tuple[str, bytes], Any]

    def source_to_code(self: "Any", data: "Any", path: "Any", **other: "Any") -> "Any":
        known = codes.get((path, data)) if isinstance(data, bytes) and not other else None
        return known or plain(self, data, path, **other)

    for path, data in contents.items():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                codes[path, data] = plain(SourceFileLoader("", path), data, path)
        except (SyntaxError, ValueError):
            continue  # whoever imports it is told
    SourceFileLoader.source_to_code = source_to_code  # type: ignore[method-assign]


def beside(contents: "dict[str, bytes | None]", paths: "set[str]") -> "dict[str, bytes]":
    """The Python files in the folders of some paths."""
    folders = {os.path.dirname(path) for path in paths}
    return {
        path: data
        for path, data in contents.items()
        if data is not None and path.endswith(".py") and os.path.dirname(path) in folders
    }
