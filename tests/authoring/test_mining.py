"""Mining on histories made here; what needs runs is one repository, mined once."""

import json
from pathlib import Path

import pytest

from benchwright.authoring import is_pair, mine
from benchwright.authoring.mining import found, is_test
from benchwright.authoring.mining_fair import tidy, unfit
from benchwright.authoring.mining_pairs import section
from benchwright.formats import SourceError
from benchwright.sandbox import choose
from benchwright.sources import open_repository
from interop.swebench.shapes import make

PATCH = """+++ b/a.py
+def brand_new(x):
+    return x + 1
+    raise ValueError('must be positive')
"""
USED = "+++ b/t.py\n+    brand_new(1)\n"


@pytest.mark.parametrize(
    ("name", "belongs"),
    [
        ("src/_pytest/latest.py", False),
        ("contest/a.py", False),
        ("src/pkg/testing.py", False),
        ("tests/data/a.txt", True),
        ("pkg/test_a.py", True),
        ("conftest.py", True),
    ],
)
def test_paths_are_sorted_by_their_parts(name: str, belongs: bool) -> None:
    assert is_test(name) is belongs


@pytest.mark.parametrize(
    ("statement", "tests", "why"),
    [
        ("short", "", "the statement says too little"),
        ("x" * 50 + " return x + 1; def brand_new(x): return", "", ""),
        (
            "y" * 50,
            USED,
            "the tests need what isn't stated: brand_new",
        ),
        ("y" * 50 + " brand_new", USED, ""),
        (
            "y" * 50,
            "+++ b/t.py\n+    match='must be positive'\n",
            "the tests need what isn't stated: 'must be positive'",
        ),
        (
            "y" * 50 + " raise ValueError('must be positive')",
            "",
            "the statement gives the change away: raise ValueError('must be positive')",
        ),
    ],
)
def test_a_statement_is_fit_or_not(tmp_path: Path, statement: str, tests: str, why: str) -> None:
    assert unfit(statement, PATCH, tests, tmp_path) == why


def test_trailers_of_a_message_are_for_machines() -> None:
    message = "Fix it\r\n\r\nMerge pull request #1 from a/b\nCo-authored-by: x <x@y>\nBody"

    assert tidy(message) == "Fix it\n\nBody\n"


def test_a_section_of_a_changelog_ends_at_the_next_version(tmp_path: Path) -> None:
    text = "Changes\n=======\n\nVersion 1.2\n-----------\n\n- Doubling is right for all numbers.\n"
    (tmp_path / "CHANGES.rst").write_text(text + "\nVersion 1.1\n-----------\n\n- Older.\n")

    assert section(tmp_path, "1.2") == "- Doubling is right for all numbers.\n"
    with pytest.raises(SourceError, match=r"no changelog .* 2\.0"):
        section(tmp_path, "2.0")


def test_two_releases_are_a_pair() -> None:
    assert is_pair("pypi:click==8.5.0..8.5.1")
    assert not is_pair("pypi:click==8.5.0")


def test_a_change_with_tests_becomes_a_task_and_a_row(tmp_path: Path) -> None:
    row = make(tmp_path / "clones")
    box = choose()
    repository = open_repository(str(tmp_path / "clones" / "own__small"), print, box)

    (mined,) = mine(repository, "own/small", tmp_path / "out", sandbox=box, progress=lambda _: None)

    assert mined.why == ""
    kept = json.loads((tmp_path / "out" / "rows.jsonl").read_text())
    assert kept["base_commit"] == row["base_commit"]
    assert kept["patch"].count("+    return x * 2") == 1
    assert json.loads(kept["FAIL_TO_PASS"]) == [
        "tests/test_small.py::test_double[a b]",
        "tests/test_small.py::test_double[c]",
    ]
    assert json.loads(kept["PASS_TO_PASS"]) == ["tests/test_small.py::test_half"]


def test_a_wrong_date_is_named(tmp_path: Path) -> None:
    make(tmp_path / "clones")
    repository = open_repository(str(tmp_path / "clones" / "own__small"), print)

    with pytest.raises(SourceError, match="'yesterday': not a date"):
        list(found(repository, "HEAD", "yesterday"))
