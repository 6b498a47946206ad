"""A small library whose suite has every kind of test that authoring must tell apart."""

from pathlib import Path

FILES = {
    "pyproject.toml": """\
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "greet-lib"
version = "1.2"
requires-python = ">=3.8"

[project.optional-dependencies]
test = ["pytest"]

[tool.setuptools]
packages = ["greet"]

[tool.pytest.ini_options]
testpaths = ["tests"]
""",
    "README.md": "# Greet\n\nGreets people politely.\n",
    "greet/__init__.py": '''\
"""Greetings."""

from .core import POLITE, greet, slug

__all__ = ["POLITE", "greet", "slug"]
''',
    "greet/core.py": '''\
"""How greeting is done."""


def _words(text):
    return tuple(text.split())


POLITE = _words("dear esteemed")  # runs at import


def greet(name, *, polite=False):
    """Greet `name`; with `polite` by all the words there are.

    Raises ValueError if the name is empty.
    """
    if not name:
        raise ValueError("nobody to greet")
    words = (*POLITE, name) if polite else (name,)
    return "Hello " + " ".join(words)


def slug(name):
    """The name as it stands in an address."""
    # keep letters only
    return "".join(c for c in name.lower() if c.isalpha())
''',
    "tests/conftest.py": """\
import pytest
from greet.core import _words


@pytest.fixture
def names():
    return _words("ada grace")
""",
    "tests/data/expected.txt": "Hello ada\n",
    "tests/test_greet.py": """\
import os
import time
from pathlib import Path

import greet
import pytest


def test_plain(names):
    expected = (Path(__file__).parent / "data" / "expected.txt").read_text().strip()
    assert greet.greet(names[0]) == expected


@pytest.mark.parametrize("name", ["Zoë [a b]", "x::y", "line\\nbreak"])
def test_slug(name):
    assert greet.slug(name) == "".join(filter(str.isalpha, name.lower()))


def test_any_answer_will_do():
    assert greet.slug("a").isalpha()


def test_nobody():
    with pytest.raises(ValueError, match="nobody"):
        greet.greet("")


def test_constant_only():
    assert greet.POLITE[0] == "dear"


@pytest.mark.parametrize("now", [time.time_ns()])
def test_dated(now):
    assert greet.slug("a") == "a"


@pytest.mark.skip(reason="never")
def test_skipped():
    pass


def test_hash_order():
    assert os.environ["PYTHONHASHSEED"] == "0" and greet.slug("a")


def test_waits():
    time.sleep(0.01)
    assert greet.slug("Ada") == "ada"


def test_writes_beside_itself():
    (Path(__file__).parent / "left.txt").write_text(greet.greet("x"))
""",
    "tests/test_service.py": """\
import pytest

pytest.skip("the service isn't here", allow_module_level=True)


def test_service():
    pass
""",
}
"""Where the hash seed is looked at, only one of several runs can pass."""


def write(root: Path, files: dict[str, str]) -> Path:
    """Write a project."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root
