"""Every kind of check gets controls, and every control is an edit that still parses."""

from __future__ import annotations

import ast
from collections import Counter

import pytest

from benchwright.formats import Control, apply
from benchwright.languages import Candidates
from benchwright.languages.python.controls import candidates

FILE = "tests/test_it.py"
HEAD = (
    "import unittest\nfrom unittest import mock\n\nimport pytest\n\nfrom it import f, g, E, F\n\n\n"
)
REST = """
def test_others():
    assert f("bob") == "bob-smith"
    assert f("amy") is None
    assert g(1) == 4
    assert g([1, 2]) == [3, 5]
    with pytest.raises(E, match="no such name"):
        f(1)
    with pytest.raises(F, match="no such key"):
        f(2)
    assert f(ok="left")
    assert not f(ok="right")
"""


def found(body: str, *names: str, rest: str = REST) -> Candidates:
    source = HEAD + body + "\n" + rest
    ids = [f"{FILE}::{name}" for name in (*names, "test_others")]
    return candidates({FILE: source.encode()}, ids)


def own(body: str, *names: str) -> list[Control]:
    ids = {f"{FILE}::{name}" for name in names}
    return [c for c in found(body, *names).controls if ids & set(c.ids)]


def texts(controls: list[Control]) -> set[str]:
    return {c.edits[0].text for c in controls}


@pytest.mark.parametrize(
    ("check", "strong"),
    [
        ('assert f("tom") == "tom-jones"', True),
        ("assert g(2) == 5", True),
        ("assert g(2.5) == pytest.approx(5.25)", True),
        ("assert g([1]) == [1, 2, 3]", True),
        ('assert f("x") == {"a": 1, "b": 2}', True),
        ('assert f("x") is None', True),
        ('assert "jones" in f("tom")', True),
        ("assert isinstance(f(1), E)", True),
        ("assert f(1) == E", True),
        ('assert f(ok="up")', True),
        ("with pytest.raises(E):\n        f(3)", True),
        ('with pytest.raises(E, match="no such thing"):\n        f(3)', True),
        ("rv = f(1)\n    assert rv == 17", True),
        ("expected = [1, 2]\n    assert f(1) == expected", True),
        ("m = mock.Mock()\n    f(m)\n    m.assert_called_once_with(1, 2)", True),
        ("for a, b in [(1, 2), (3, 4)]:\n        assert g(a) == b", True),
        ("f(3)", True),
        ("f()", False),
    ],
)
def test_every_kind_of_check_has_controls(check: str, strong: bool) -> None:
    controls = own(f"def test_it():\n    {check}\n", "test_it")

    assert any(c.strength == "strong" for c in controls) is strong
    assert controls != []


@pytest.mark.parametrize(
    "check",
    ["assertEqual(f(1), 3)", 'assertIn("a", f(1))', "assertTrue(f(1))", "assertRaises(E, f, 3)",
     "assertIsNone(f(1))", "assertAlmostEqual(g(1), 3.5)"],
)  # fmt: skip
def test_assertions_of_unittest_have_controls(check: str) -> None:
    body = f"class TestIt(unittest.TestCase):\n    def test_it(self):\n        self.{check}\n"

    assert own(body, "TestIt::test_it") != []


def test_every_control_parses_keeps_the_lines_and_changes_something() -> None:
    body = (
        'def test_it():\n    assert f(\n        "tom"\n    ) == [\n        1,\n        2,\n    ]\n'
        "    f(2)\n"
    )
    source = (HEAD + body + "\n" + REST).encode()

    for control in found(body, "test_it").controls:
        text = apply(source, control.edits)
        ast.parse(text)
        assert text != source
        assert text.count(b"\n") == source.count(b"\n")


ROWS = """
@pytest.mark.parametrize(("given", "expected"), [(1, 10), pytest.param(2, 20, id="two"), (3, 30)])
def test_rows(given, expected):
    assert g(given) == expected
"""
IDS = ("test_rows[1-10]", "test_rows[two]", "test_rows[3-30]")


def test_rows_are_edited_one_by_one_and_exchanged() -> None:
    controls = [c for c in own(ROWS, *IDS) if not c.operator.startswith("input")]
    sizes = Counter(len(c.ids) for c in controls)

    assert sizes[1] >= 3
    assert {c.ids for c in controls if c.operator == "swap-rows"} == {
        tuple(f"{FILE}::{IDS[n]}" for n in pair) for pair in ((0, 1), (0, 2), (1, 2))
    }


def test_ids_of_edited_rows_are_fixed_and_say_nothing() -> None:
    source = (HEAD + ROWS + "\n" + REST).encode()

    text = apply(source, found(ROWS, *IDS).normalise).decode()

    assert "ids=iter(range(10**6))" in text
    assert '"two"' not in text


def test_the_first_cell_of_a_control_is_seen_by_its_row_only() -> None:
    single = [c for c in own(ROWS, *IDS) if len(c.ids) == 1 and "cell" in c.operator]

    for control in single:
        row = IDS.index(control.ids[0].partition("::")[2])
        assert control.edits[0].start > (HEAD + ROWS).index(("(1,", "(2,", "(3,")[row])


def test_only_one_value_can_satisfy_both_versions_of_an_exclusive_control() -> None:
    body = "def test_it():\n    assert g(2) == 5\n    assert g(2) >= 5\n    assert f(1) in [1, 2]\n"
    lines = {c.check.split(":")[1] for c in own(body, "test_it") if c.exclusive}

    assert lines == {str(HEAD.count("\n") + 2)}


@pytest.mark.parametrize(
    "body",
    ["for x in f(1):\n        assert x == 5", "if f(1):\n        assert g(1) == 5",
     "try:\n        assert g(1) == 5\n    except E:\n        pass",
     "with pytest.raises(E):\n        assert g(1) == 5",
     "if f(2):\n        return\n    assert g(1) == 5"],
)  # fmt: skip
def test_a_check_that_may_not_be_reached_is_not_unavoidable(body: str) -> None:
    source = HEAD + f"def test_it():\n    {body}\n"
    line = 1 + next(n for n, text in enumerate(source.splitlines()) if "== 5" in text)
    controls = [c for c in own(source[len(HEAD) :], "test_it") if f":{line}:" in c.check]

    assert {c.unavoidable for c in controls} == {False}


def test_checks_in_helpers_and_base_classes_are_found() -> None:
    body = (
        "def check(given, wanted):\n    assert g(given) == wanted\n\n\n"
        "def test_it():\n    check(1, 12)\n\n\n"
        "class Base:\n    def test_base(self):\n        assert g(7) == 8\n\n\n"
        "class TestIt(Base):\n    pass\n"
    )

    assert own(body, "test_it") != []
    assert own(body, "TestIt::test_base") != []


def test_a_helper_of_a_helper_checks_for_every_test_that_calls_it() -> None:
    body = (
        "def deep(given, wanted):\n    assert g(given) == wanted + 3\n\n\n"
        "def check(given, wanted):\n    deep(given, wanted)\n\n\n"
        "def test_one():\n    check(1, 12)\n\n\n"
        "def test_other():\n    check(2, 13)\n"
    )
    names = ("tests/test_a.py::test_one", "tests/test_a.py::test_other")
    result = candidates({"tests/test_a.py": (HEAD + body).encode()}, names)
    deep = 1 + (HEAD + body)[: (HEAD + body).index("assert")].count("\n")

    ids = {c.ids for c in result.controls if f":{deep}:" in c.check}
    assert ids == {names}


def test_what_cannot_be_read_is_named() -> None:
    result = candidates({"tests/bad.py": b"def (:\n"}, ["tests/bad.py::test_a"])

    assert result.controls == ()
    assert set(result.unknown) == {"tests/bad.py", "tests/bad.py::test_a"}


def test_an_edit_leaves_no_variable_unused() -> None:
    body = (
        "def test_it():\n    value = f(1)\n    other = f(2)\n    f(other)\n"
        "    assert g(3) == value\n"
    )

    assert "other" not in texts(own(body, "test_it"))


def test_equal_tests_give_equal_candidates() -> None:
    assert found(ROWS, *IDS) == found(ROWS, *IDS)


def test_values_assigned_side_by_side_are_found() -> None:
    body = 'def test_it():\n    given, expected = "5.0.5", "tom-jones"\n    got = f(given)\n'

    edits = [c.edits[0] for c in own(body + "    assert got == expected\n", "test_it")]

    place = (HEAD + body).index("tom-jones")
    assert any(place <= edit.start < place + len("tom-jones") for edit in edits)


def test_a_condition_that_leads_to_a_complaint_is_a_check() -> None:
    body = (
        "def test_it():\n    notes = []\n    for x in (1, 2):\n        if g(x) != 5:\n"
        "            notes.append(x)\n        if x > 7:\n            print(x)\n"
        "    assert notes == []\n"
    )

    lines = Counter(c.check.split(":")[1] for c in own(body, "test_it"))

    assert set(lines) == {str(HEAD.count("\n") + 1 + n) for n in (3, 7)}


PROSE = '''\
#!/usr/bin/env python
# -*- coding: utf-8 -*-
"""Ünits."""


class TestIt:
    """What it
    is for."""

    def test_it(self):
        """f("tom") gives "tom-jones"."""
        x = f("tom")  # ü: "tom-jones"
        assert x == "tom-jones"


def helper():
    """Stays: somebody may read it."""
'''


def test_what_tests_say_of_themselves_is_blanked() -> None:
    data = PROSE.encode()

    edits = candidates({FILE: data}, [f"{FILE}::TestIt::test_it"]).normalise

    left = apply(data, edits).decode()
    assert ast.dump(ast.parse(left).body[1].body[1].body[1]) == ast.dump(  # type: ignore[attr-defined]
        ast.parse(PROSE).body[1].body[1].body[1]  # type: ignore[attr-defined]
    )
    assert [line.strip() for line in left.splitlines()] == [
        "#!/usr/bin/env python",
        "# -*- coding: utf-8 -*-",
        '"""Ünits."""',
        "",
        "",
        "class TestIt:",
        '(""',
        ")",
        "",
        "def test_it(self):",
        '""',
        'x = f("tom")  #',
        'assert x == "tom-jones"',
        "",
        "",
        "def helper():",
        '"""Stays: somebody may read it."""',
    ]


def test_a_module_is_not_swapped_for_another() -> None:
    body = "import it\nimport os\n\n\ndef test_it():\n    assert it.f(1) == it.NAME\n"

    assert "os" not in texts(own(body, "test_it"))


def test_a_text_that_stands_twice_in_a_test_is_a_weak_edit() -> None:
    body = (
        'def test_tom_jones():\n    note = "tom-jones!"\n    assert f("x") == "tom-jones", note\n'
    )

    made = [c for c in own(body, "test_tom_jones") if c.operator == "swap-sibling"]

    assert made
    assert {c.strength for c in made} == {"weak"}


COPIES = """
def test_one():
    found = f(1)
    assert found == 5


def test_two():
    found = f(1)
    assert found == 5


def test_three():
    assert g(2) == 5


@pytest.mark.parametrize("n", [5, 5])
def test_rows(n):
    assert g(n) == 6
"""


def test_copies_of_a_check_are_known_by_their_text_and_rows_are_none() -> None:
    names = ("test_one", "test_two", "test_three", "test_rows[5_0]", "test_rows[5_1]")
    families: dict[str, set[str]] = {}
    for control in found(COPIES, *names).controls:
        if len(control.ids) == 1:
            families.setdefault(control.ids[0].rpartition("::")[2], set()).add(control.family)

    assert families["test_one"] == families["test_two"] != {""}
    assert families["test_one"] & families["test_three"] == set()
    assert families["test_rows[5_0]"] == families["test_rows[5_1]"] == {""}
