import pytest

from benchwright.formats import printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ünïcode 中", "plain ünïcode 中"),
        ("\x1b[2Jgone", "\\x1b[2Jgone"),
        ("a\nb\tc\rd", "a\\nb\\tc\\rd"),
        ("\x9b31m", "\\x9b31m"),
        ("evil\u202etxt.exe", "evil\\u202etxt.exe"),
        ("half \ud800", "half \\ud800"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
    ],
)
def test_nothing_moves_the_cursor_or_hides(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_a_limit_cuts_and_says_so() -> None:
    assert printable("x" * 50, 10) == "x" * 9 + "…"
    assert printable("x" * 10, 10) == "x" * 10
