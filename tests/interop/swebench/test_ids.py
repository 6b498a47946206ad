import pytest

from benchwright.interop.swebench import match, unittest_id

KNOWN = [
    "t.py::test_plain",
    "t.py::test_cut[log(photon) erg]",
    "t.py::test_two[a b]",
    "t.py::test_two[a c]",
    "t.py::test_path[/tmp/run-1/name.txt]",
    "u.py::test_alone",
    "u.py::test_here",
    "t.py::test_here",
    "tests/auth/test_basic.py::Login::test_get",
    "tests/auth/tests.py::Login::test_get",
    "tests/i18n/__init__.py::Outer::Inner::test_deep",
]
DESCRIBED = {"t.py::test_plain": "An exception in setUp() is raised again.", "u.py::test_here": "x"}


@pytest.mark.parametrize(
    ("row_id", "how", "ids"),
    [
        ("t.py::test_plain", "exact", ["t.py::test_plain"]),
        ("t.py::test_cut[log(photon)", "truncated", ["t.py::test_cut[log(photon) erg]"]),
        ("t.py::test_two[a", "ambiguous", ["t.py::test_two[a b]", "t.py::test_two[a c]"]),
        ("t.py::test_path[/name.txt]", "basename", ["t.py::test_path[/tmp/run-1/name.txt]"]),
        ("test_alone", "bare", ["u.py::test_alone"]),
        ("test_here", "ambiguous", ["u.py::test_here", "t.py::test_here"]),
        ("[100%]", "absent", []),
        (
            "test_get (auth.test_basic.Login)",
            "dotted",
            ["tests/auth/test_basic.py::Login::test_get"],
        ),
        (
            "test_get (auth.test_basic.Login.test_get)",
            "dotted",
            ["tests/auth/test_basic.py::Login::test_get"],
        ),
        ("test_get (auth.Login)", "absent", []),
        ("test_get (basic.Login)", "absent", []),
        (
            "test_deep (i18n.Outer.Inner)",
            "dotted",
            ["tests/i18n/__init__.py::Outer::Inner::test_deep"],
        ),
        ("An exception in setUp() is raised again.", "described", ["t.py::test_plain"]),
    ],
)
def test_what_a_row_id_stands_for(row_id: str, how: str, ids: list[str]) -> None:
    (found,) = match([row_id], KNOWN, DESCRIBED)

    assert (found.how, list(found.ids)) == (how, ids)


def test_the_verbose_form_of_unittest() -> None:
    assert unittest_id("test_x (mod.tests.Class)") == "mod.tests.Class.test_x"
    assert unittest_id("A docstring (with a remark) on one line") is None
