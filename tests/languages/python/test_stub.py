"""Skeletons keep everything but bodies, byte for byte."""

import ast

import pytest

from benchwright.formats import SourceError
from benchwright.languages.python.runner.record import definitions
from benchwright.languages.python.stub import stub

CLASS = b'''"""A module."""

import os  # used below

TABLE = {"a": 1}   # kept as it is


@decorator(TABLE)
class Box(Base, metaclass=Meta):
    # a comment of the class
    field: int = 3

    def __init__(self, size: int = 3, *, name: "str | None" = None) -> None:  # ours
        """Make it.

        Raises: nothing
        """
        # a comment of the body
        self.size = size

    @property
    def size(self): return self._size

    @size.setter
    def size(self, value):
        self._size = value

    async def pull(self):
        await self.x
        # the end


    def __len__(self):
        def inner():
            return 1
        return inner()


# a comment of the module
LAST = Box
'''

SKELETON = b'''"""A module."""

import os  # used below

TABLE = {"a": 1}   # kept as it is


@decorator(TABLE)
class Box(Base, metaclass=Meta):
    # a comment of the class
    field: int = 3

    def __init__(self, size: int = 3, *, name: "str | None" = None) -> None:  # ours
        """Make it.

        Raises: nothing
        """
        raise NotImplementedError

    @property
    def size(self): raise NotImplementedError

    @size.setter
    def size(self, value):
        raise NotImplementedError

    async def pull(self):
        raise NotImplementedError


    def __len__(self):
        raise NotImplementedError


# a comment of the module
LAST = Box
'''


def test_bodies_go_and_the_rest_stays() -> None:
    skeleton = stub(CLASS, frozenset())

    assert skeleton.text == SKELETON
    assert skeleton.removed == 5
    assert skeleton.kept == ()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param(
            b'def f():\r\n    """d"""\r\n    return 1\r\n',
            b'def f():\r\n    """d"""\r\n    raise NotImplementedError\r\n',
            id="crlf",
        ),
        pytest.param(
            b"def f():\n\treturn 1",
            b"def f():\n\traise NotImplementedError",
            id="tabs-and-no-final-newline",
        ),
        pytest.param(
            b"# -*- coding: latin-1 -*-\nx = '\xe9'\ndef f(): return '\xe9'\n",
            b"# -*- coding: latin-1 -*-\nx = '\xe9'\ndef f(): raise NotImplementedError\n",
            id="latin-1",
        ),
        pytest.param(
            b"\xef\xbb\xbfdef f():\n    return 1\n",
            b"\xef\xbb\xbfdef f():\n    raise NotImplementedError\n",
            id="byte-order-mark",
        ),
        pytest.param(
            b"def f(): 'doc'; return 1\n",
            b"def f(): 'doc'; raise NotImplementedError\n",
            id="one-line-with-docstring",
        ),
        pytest.param(
            b"def f():\n    'doc'; x = 1\n    return x\n\x0c\ny = 1\n",
            b"def f():\n    'doc'\n    raise NotImplementedError\n\x0c\ny = 1\n",
            id="statement-beside-docstring-and-form-feed",
        ),
        pytest.param(
            b"def f():\n    yield 1\n",
            b"def f():\n    raise NotImplementedError\n",
            id="generator",
        ),
        pytest.param(
            "def naïve(λ):\n    return 'ü'\n".encode(),
            "def naïve(λ):\n    raise NotImplementedError\n".encode(),
            id="names-outside-ascii",
        ),
        pytest.param(b"", b"", id="empty"),
    ],
)
def test_layout_and_encoding_survive(source: bytes, expected: bytes) -> None:
    assert stub(source, frozenset()).text == expected


@pytest.mark.parametrize(
    "body",
    ["pass", "...", "'doc'", "raise NotImplementedError", "raise NotImplementedError('why')"],
)
def test_a_body_that_does_nothing_stays(body: str) -> None:
    source = f"class A:\n    def f(self):\n        {body}\n".encode()

    skeleton = stub(source, frozenset())

    assert (skeleton.text, skeleton.removed) == (source, 0)
    assert skeleton.kept == ("A.f: does nothing already",)


def test_a_kept_function_keeps_its_own_body_but_not_what_is_nested_in_it() -> None:
    source = b"def deco(f):\n    def inner(*a):\n        return f(*a)\n    return inner\n"
    expected = (
        b"def deco(f):\n    def inner(*a):\n        raise NotImplementedError\n    return inner\n"
    )

    assert stub(source, frozenset({"deco"})).text == expected
    assert stub(source, frozenset({"deco", "deco.<locals>.inner"})).text == source


def test_the_second_definition_of_a_name_is_kept_by_its_number() -> None:
    skeleton = stub(CLASS, frozenset({"Box.size#2"}))

    assert b"self._size = value" in skeleton.text
    assert b"return self._size" not in skeleton.text


def test_definitions_know_decorators_and_duplicates() -> None:
    names = definitions(CLASS)

    assert names == {
        13: "Box.__init__",
        21: "Box.size",
        22: "Box.size",
        24: "Box.size#2",
        25: "Box.size#2",
        28: "Box.pull",
        33: "Box.__len__",
        34: "Box.__len__.<locals>.inner",
    }


def test_the_recorder_and_the_skeleton_call_functions_by_the_same_names() -> None:
    names = set(definitions(CLASS).values())

    skeleton = stub(CLASS, frozenset(names))

    assert skeleton.text == CLASS
    assert {kept.partition(":")[0] for kept in skeleton.kept} == names


def test_skeletons_parse() -> None:
    ast.parse(stub(CLASS, frozenset()).text)


@pytest.mark.parametrize("source", [b"def f(:\n", b"# coding: nonsense\n", b"x = '\xff'\n"])
def test_what_is_no_python_is_named(source: bytes) -> None:
    with pytest.raises(SourceError, match="not Python that can be read"):
        stub(source, frozenset())
