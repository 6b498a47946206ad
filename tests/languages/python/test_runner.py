"""The files in `runner/` on every interpreter and pytest that can be had here."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from languages.python.launched import collected, outcomes, packages, run

SUITE = {
    "pkg/__init__.py": '''\
def add(a, b):
    """
    >>> add(1, 2)
    3
    """
    return a + b


def boom():
    raise KeyError("x")
''',
    "tests/conftest.py": """\
import pytest


@pytest.fixture
def broken():
    raise RuntimeError("no")
""",
    "tests/helper.py": "def check(a, b):\n    assert a == b\n",
    "tests/test_broken.py": "import nothing_of_that_name\n",
    "tests/test_left_out.py": "import pytest\npytest.skip('no', allow_module_level=True)\n",
    "tests/test_all.py": """\
import os
import unittest

import pytest

from helper import check
from pkg import add, boom


def test_ok():
    assert add(1, 2) == 3


def test_bad():
    total = add(1, 2)
    assert total == 4


def test_helper():
    check(add(1, 1), 3)


def test_boom():
    boom()


def test_no_raise():
    with pytest.raises(ValueError):
        add(1, 1)
        add(2, 2)


def test_match():
    with pytest.raises(KeyError, match="y"):
        boom()


def test_fixture(broken):
    pass


@pytest.mark.parametrize("a", [1, 2, 3], ids=["x y", "a::b[", "x y"])
def test_ids(a):
    assert a != 2


@pytest.mark.skip
def test_skip():
    pass


@pytest.mark.xfail
def test_xfail():
    assert 0


@pytest.mark.xfail
def test_xpass():
    pass


class TestUnit(unittest.TestCase):
    def test_unit(self):
        self.assertEqual(add(1, 1), 3)

    def test_parts(self):
        for i in range(3):
            with self.subTest(i=i):
                self.assertEqual(i, 1)


def test_fork():
    pid = os.fork()
    if pid == 0:
        raise SystemExit(3)
    os.waitpid(pid, 0)


def test_place():
    import sys

    assert "/judge" not in " ".join(sys.path) and sys.argv[0] == "pytest"
    assert "BENCHWRIGHT_EVENTS" not in os.environ
""",
}
ALL = "tests/test_all.py"
EXPECTED = {
    f"{ALL}::test_ok": ("passed", "", "", 0),
    f"{ALL}::test_bad": ("failed", "AssertionError", ALL, 16),
    f"{ALL}::test_helper": ("failed", "AssertionError", "tests/helper.py", 2),
    f"{ALL}::test_boom": ("failed", "KeyError", ALL, 24),
    f"{ALL}::test_no_raise": ("failed", "Failed", ALL, 28),
    f"{ALL}::test_match": ("failed", "AssertionError", ALL, 34),
    f"{ALL}::test_fixture": ("error", "RuntimeError", "tests/conftest.py", 6),
    f"{ALL}::test_ids[x y0]": ("passed", "", "", 0),
    f"{ALL}::test_ids[a::b[]": ("failed", "AssertionError", ALL, 44),
    f"{ALL}::test_ids[x y1]": ("passed", "", "", 0),
    f"{ALL}::test_skip": ("skipped", "Skipped", "", 0),
    f"{ALL}::test_xfail": ("xfailed", "AssertionError", ALL, 54),
    f"{ALL}::test_xpass": ("xpassed", "", "", 0),
    f"{ALL}::TestUnit::test_unit": ("failed", "AssertionError", ALL, 64),
    f"{ALL}::TestUnit::test_parts": ("failed", "AssertionError", ALL, 69),
    f"{ALL}::test_fork": ("passed", "", "", 0),
    f"{ALL}::test_place": ("passed", "", "", 0),
    "pkg/__init__.py::pkg.add": ("passed", "", "", 0),
}


def interpreters() -> Iterator[tuple[str, str]]:
    """Interpreters and versions of pytest: ours, and old ones where this machine has them."""
    for version in ("7.4.4", "8.4.2", "9.0.3"):
        yield sys.executable, version
    for python, version in (("3.6", "4.6.11"), ("3.8", "6.2.5"), ("3.13", "9.0.3")):
        pyenv = sorted(Path.home().glob(f".pyenv/versions/{python}.*/bin/python"))
        found = str(pyenv[-1]) if pyenv else shutil.which(f"python{python}")
        if found:
            yield found, version


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in SUITE.items():
        (tmp_path / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tree" / name).write_text(text)
    return tmp_path / "tree"


@pytest.mark.parametrize(
    ("python", "version"), list(interpreters()), ids=lambda v: v.rpartition("versions/")[2]
)
def test_every_version_says_the_same(tree: Path, tmp_path: Path, python: str, version: str) -> None:
    events = run(tree, python, packages(python, tmp_path, f"pytest=={version}"))

    assert outcomes(events) == EXPECTED
    assert collected(events, "error") == {"tests/test_broken.py"}
    assert collected(events, "skipped") == {"tests/test_left_out.py"}
    assert (events[-1]["phase"], events[-1]["outcome"]) == ("session", "done")
    assert list(tree.rglob("*.pyc")) == []


@pytest.fixture
def here() -> str:
    """The packages this test runs on."""
    return str(Path(pytest.__file__).parent.parent)


def test_ids_and_files_can_be_left_out(tree: Path, here: str) -> None:
    events = run(
        tree,
        sys.executable,
        here,
        skip=[f"{ALL}::test_ok"],
        skip_files=["tests/test_broken.py", "pkg/__init__.py"],
    )

    expected = dict(EXPECTED)
    del expected[f"{ALL}::test_ok"], expected["pkg/__init__.py::pkg.add"]
    assert outcomes(events) == expected
    assert collected(events, "error") == set()


def test_a_seed_gives_one_order(tree: Path, tmp_path: Path, here: str) -> None:
    orders = []
    for number, seed in enumerate((1, 1, 2)):
        copy = tmp_path / str(number) / "tree"
        shutil.copytree(tree, copy)
        events = run(copy, sys.executable, here, seed=seed)
        orders.append(
            [e["id"] for e in events if (e["phase"], e["outcome"]) == ("collect", "passed")]
        )

    assert orders[0] == orders[1]
    assert orders[0] != orders[2]
    assert sorted(map(str, orders[0])) == sorted(map(str, orders[2])) == sorted(EXPECTED)


def test_a_second_test_of_one_id_is_counted(tree: Path, here: str) -> None:
    events = run(
        tree,
        sys.executable,
        here,
        paths=["pkg", "pkg"],
        options=["--doctest-modules", "--keep-duplicates"],
    )

    assert set(outcomes(events)) == {"pkg/__init__.py::pkg.add", "pkg/__init__.py::pkg.add#2"}
