"""What the rest of a test gives away makes an edit weak."""

from __future__ import annotations

import ast

import pytest

from benchwright.formats import Control
from benchwright.languages.python.controls import candidates
from benchwright.languages.python.controls.source import Source
from benchwright.languages.python.controls.told import Met, gives_away, met, repeats

FILE = "tests/test_it.py"
HEAD = "import pytest\n\nfrom it import Table, f, g\n\n\n"
REST = """
def test_others():
    assert f(1) == 77
    assert f(2) == [{"c": 3}]
    assert g(2) == 78
"""


def strengths(body: str, name: str = "test_it") -> dict[str, set[str]]:
    """Per operator, the strengths of a test's controls."""
    found: dict[str, set[str]] = {}
    for control in controls(body, name):
        found.setdefault(control.operator, set()).add(control.strength)
    return found


def controls(body: str, *names: str) -> list[Control]:
    source = HEAD + "\n".join(body.strip("\n").splitlines()) + "\n\n" + REST
    ids = [f"{FILE}::{name}" for name in (*names, "test_others")]
    mine = {f"{FILE}::{name}" for name in names}
    made = candidates({FILE: source.encode()}, ids).controls
    return [control for control in made if mine & set(control.ids)]


def node(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def places(text: str) -> Met:
    source = Source(FILE, text.encode())
    return met(source, source.nodes)


@pytest.mark.parametrize(
    ("old", "new", "around", "given"),
    [
        ("10", "11", "range(10)", True),
        ("10", "20", "[range(10), 20]", False),
        ("10", "5", "range(10)", True),
        ("[{1: 2}]", "[]", "[f({1: 2})]", True),
        ("5", "6", "[5]", False),  # small numbers meet by coincidence
        ("12", "13", "[f(1)]", False),
        ('"a"', '"b"', '["a"]', True),
        ("[{1: 2}]", "[{1: 3}]", "[f({1: 2})]", True),
        ("[{1: 2}]", "[{1: 3}]", "[f({1: 2}), f({1: 3})]", False),
        ("[{1: 2}, {3: 4}]", "[{3: 4}, {1: 2}]", "[f({1: 2}), f({3: 4})]", True),
        ("[{3: 4}, {1: 2}]", "[{1: 2}, {3: 4}]", "[f({1: 2}), f({3: 4})]", False),
        ("[{1: 2}, {3: 4}]", "[{1: 2}]", "[f({1: 2}), f({3: 4})]", False),
        ("[]", "[1]", "[f(1)]", False),
    ],
)
def test_a_value_that_repeats_what_was_put_in_gives_an_edit_away(
    old: str, new: str, around: str, given: bool
) -> None:
    assert gives_away(node(old), node(new), places(around)) is given


def test_a_value_repeats_when_all_its_parts_do() -> None:
    around = places("[f({1: 2}), 40]")

    assert repeats(node("[{1: 2}]"), around)
    assert repeats(node("40"), around)
    assert not repeats(node("[{1: 2}, {3: 4}]"), around)


def test_an_expectation_of_what_was_put_in_borrows_from_the_test() -> None:
    body = """
def test_it():
    f([{"a": 10}, {"b": 20}])
    assert g(1) == [{"a": 10}, {"b": 20}]
"""

    made = [c for c in controls(body, "test_it") if not c.operator.startswith("input")]

    strong = {c.operator for c in made if c.strength == "strong"}
    assert "swap-around" in strong
    assert "swap-sibling" not in strong
    assert "near-number" not in strong


def test_what_is_asked_is_not_swapped_for_something_that_never_asks() -> None:
    body = """
def test_it(first, second):
    table, other = Table(1), Table(2)
    assert table.all() == 77
    assert other.all() == 78
    assert first == second
    assert first != second
"""

    found = strengths(body)

    names = [operator for operator in found if operator.endswith("swap-name")]
    assert names
    assert all(found[operator] == {"weak"} for operator in names)


def test_variables_made_alike_are_exchanged() -> None:
    body = """
def test_it():
    one, two = Table(1), Table(2)
    assert f(one) == f(1)
    assert f(1) == one
    assert f(2) == two
"""

    assert "strong" in strengths(body)["swap-name"]


def test_a_cell_that_repeats_its_row_gives_an_edit_away() -> None:
    body = """
@pytest.mark.parametrize(("given", "wanted"), [("left", "left"), ("right", "right")])
def test_it(given, wanted):
    assert f(given) == wanted
"""

    made = controls(body, "test_it[left-left]", "test_it[right-right]")

    rows = {c.strength for c in made if "swap-rows" in c.operator}
    assert rows == {"weak"}
