"""The attacks are many, cover the catalogue, and are code that runs."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from benchwright.attacks import ATTACKS, Attack, Target, chosen
from benchwright.attacks.plain import junit_name
from benchwright.attacks.trees import functions
from benchwright.formats import InputError, Product, Runner, Settings, SourcePin

PYTHON_ROWS = {
    *(f"F{n}" for n in range(1, 23) if n not in (15, 16, 17)),  # those are other languages'
    *(f"A{n}" for n in range(1, 11) if n != 9),  # nothing is told to the submission
    *(f"H{n}" for n in range(1, 6)), "K",
}  # fmt: skip
TARGET = Target(
    Settings(
        kind="completion",
        language="python",
        source=SourcePin(spec="path:thing"),
        product=Product(paths=("thing",), modules=("thing",)),
        runner=Runner(paths=("tests",)),
    ),
    ("tests/test_thing.py",),
)


def test_there_are_enough_and_each_has_a_name_of_its_own() -> None:
    assert len(ATTACKS) >= 60
    assert Counter(attack.name for attack in ATTACKS).most_common(1)[0][1] == 1


def test_every_row_of_the_catalogue_is_covered() -> None:
    covered = {row for attack in ATTACKS for row in attack.rows}

    assert covered - PYTHON_ROWS == set()
    assert PYTHON_ROWS - covered == set()


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
@pytest.mark.parametrize("empty", [False, True], ids=["skeleton", "empty"])
def test_an_attack_writes_code_that_compiles(attack: Attack, empty: bool, tmp_path: Path) -> None:
    if not empty:
        (tmp_path / "thing").mkdir()
        (tmp_path / "thing" / "__init__.py").write_text('"""A thing."""\n\n\ndef f():\n    pass\n')

    attack(tmp_path, TARGET)

    written = [p for p in tmp_path.rglob("*.py") if p.is_file() and not p.is_symlink()]
    for path in written:
        ast.parse(path.read_text())
    assert written != []


def test_an_unknown_attack_is_refused() -> None:
    with pytest.raises(InputError, match="no attack is called nonsense"):
        chosen(("nonsense",))


def test_attacks_are_chosen_by_name() -> None:
    assert [attack.name for attack in chosen(("coin", "conftest"))] == ["coin", "conftest"]


def test_functions_have_the_names_that_skeletons_use() -> None:
    source = (
        b"def f():\n    def g(): pass\nclass A:\n    def f(self): pass\n    def f(self): pass\n"
    )

    assert [n for n, _ in functions(source)] == ["f", "f.<locals>.g", "A.f", "A.f#2"]


@pytest.mark.parametrize(
    ("test", "name"),
    [
        ("tests/test_a.py::test_b", "tests.test_a::test_b"),
        ("tests/test_a.py::A::test_b[x::y]", "tests.test_a.A::test_b[x::y]"),
    ],
)
def test_ids_are_written_as_junit_writes_them(test: str, name: str) -> None:
    assert junit_name(test) == name
