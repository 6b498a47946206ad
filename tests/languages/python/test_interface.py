"""The public interface is read from source, and holds what the tests use."""

from pathlib import Path

import pytest

from benchwright.formats import Product, SourceError
from benchwright.languages.python.interface import interface
from benchwright.languages.surface import Interface, Raised, Symbol

FILES = {
    "pkg/__init__.py": '''"""A package."""
from ._core import Box, helper as assist
from .errors import *

__all__ = ["Box", "assist", "VERSION", "BoxError"]
VERSION = "1.2"
''',
    "pkg/_core.py": '''import json
from typing import overload

def helper(a, /, b: int = 3, *rest, c, d="x", **more) -> "str":
    """Help."""
    if b < 0:
        raise ValueError("b is negative")
    for x in rest:
        raise KeyError(f"no {x} in here")
    def inner():
        raise TypeError
    return ""

def _secret(): return 1

class _Base:
    def inherited(self, *, only): yield 1

class Box(_Base):
    """A box."""
    LIMIT: int = 10
    def __init__(self, size: int = 3):
        self.size = size
        self._inner = []
    @property
    def full(self) -> bool:
        return bool(self._inner)
    @full.setter
    def full(self, value): pass
    @overload
    def get(self, key: int) -> int: ...
    @overload
    def get(self, key: str) -> str: ...
    def get(self, key): return key
    @classmethod
    async def make(cls): return cls()
    def _hide(self): pass
''',
    "pkg/errors.py": "class BoxError(Exception): pass\nclass _Other(BoxError): pass\n",
    "pkg/plain.py": "import os\nfrom . import _core\nTABLE = {1: 2}\ndef f(): return 1\n_g = 2\n",
    "pkg/tests/test_in.py": "from .._core import _secret\nfrom .util import nothing\n",
    "pkg/tests/util.py": "def nothing(): pass\n",
    "tests/test_out.py": """import pkg
import pkg.plain as plain
from unittest import mock

def test(box: pkg.Box):
    with mock.patch("pkg.plain.os.path"), mock.patch("pkg._core.json"):
        assert box._inner == plain._g
""",
}
TESTS = ("pkg/tests/test_in.py", "pkg/tests/util.py", "tests/test_out.py")


@pytest.fixture
def surface(tmp_path: Path) -> Interface:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    product = Product(paths=("pkg",), modules=("pkg",))
    return interface(tmp_path, product, {name: FILES[name].encode() for name in TESTS})


def symbol(surface: Interface, path: str) -> Symbol:
    return next(item for item in surface.walk() if item.path == path)


def test_public_and_touched_names_are_shown_once_at_their_public_path(surface: Interface) -> None:
    paths = {item.path: item.public for item in surface.walk()}

    assert paths == {
        "pkg": True,
        "pkg.VERSION": True,
        "pkg.Box": True,
        "pkg.Box.inherited": True,
        "pkg.Box.LIMIT": True,
        "pkg.Box.__init__": True,
        "pkg.Box.size": True,
        "pkg.Box._inner": False,
        "pkg.Box.full": True,
        "pkg.Box.get": True,
        "pkg.Box.make": True,
        "pkg.BoxError": True,
        "pkg.assist": True,
        "pkg._core": False,
        "pkg._core._secret": False,
        "pkg.errors": True,
        "pkg.plain": True,
        "pkg.plain.TABLE": True,
        "pkg.plain.f": True,
        "pkg.plain._g": False,
    }
    assert symbol(surface, "pkg.BoxError").aliases == ("pkg.errors.BoxError",)
    assert symbol(surface, "pkg.BoxError").kind == "exception"


def test_imports_that_tests_patch_are_expected(surface: Interface) -> None:
    assert surface.expected == {
        "pkg._core.json": "`json`, imported under this name",
        "pkg.plain.os": "`os`, imported under this name",
    }


def test_signatures_are_complete(surface: Interface) -> None:
    signatures = {item.path: item.signature for item in surface.walk() if item.kind == "function"}

    assert signatures == {
        "pkg.assist": "def assist(a, /, b: int = 3, *rest, c, d='x', **more) -> str",
        "pkg.Box.inherited": "def inherited(self, *, only)",
        "pkg.Box.__init__": "def __init__(self, size: int = 3)",
        "pkg.Box.get": "def get(self, key: int) -> int\ndef get(self, key: str) -> str\n"
        "def get(self, key)",
        "pkg.Box.make": "@classmethod\nasync def make(cls)",
        "pkg._core._secret": "def _secret()",
        "pkg.plain.f": "def f()",
    }


def test_errors_returns_and_values_are_told(surface: Interface) -> None:
    assert symbol(surface, "pkg.assist").raises == (
        Raised("ValueError", "b is negative", "b < 0"),
        Raised("KeyError", "no {…} in here", ""),
    )
    assert symbol(surface, "pkg.Box.inherited").returns == "an iterator (generator)"
    assert symbol(surface, "pkg.Box.full").signature == "full -> bool (may be set)"
    assert symbol(surface, "pkg.Box.LIMIT").value == "10"
    assert symbol(surface, "pkg.Box.size").value == ""
    assert symbol(surface, "pkg.Box").doc == "A box."


def test_a_missing_module_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"^nowhere: can't be read"):
        interface(tmp_path, Product(paths=("nowhere",), modules=("nowhere",)))
