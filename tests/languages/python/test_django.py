"""Django's own suite, of a real release, by its own runner."""

import shutil
import sys
from pathlib import Path

import pytest

from benchwright.languages.python.detect import runner
from benchwright.sources import fetch
from languages.python.launched import collected, outcomes, packages, run

OURS = "tests/utils_tests/test_ours.py"
REAL = "tests/utils_tests/test_dateparse.py"
EXTRA = '''\
import unittest

from django.test import SimpleTestCase, TestCase
from django.utils.dateparse import parse_date


class Outcomes(SimpleTestCase):
    def test_good(self):
        """A test that says what it is."""
        self.assertIsNone(parse_date("no date"))

    def test_bad(self):
        self.assertIsNotNone(parse_date("no date"))

    def test_error(self):
        raise KeyError("x")

    @unittest.skip("not now")
    def test_skipped(self):
        pass

    @unittest.expectedFailure
    def test_expected(self):
        self.fail("as it should")

    @unittest.expectedFailure
    def test_unexpected(self):
        pass

    def test_parts(self):
        for part in range(3):
            with self.subTest(part=part):
                self.assertNotEqual(part, 1)


class Broken(TestCase):
    @classmethod
    def setUpClass(cls):
        raise RuntimeError("no")

    def test_never(self):
        pass


class Inherited(Outcomes):
    test_bad = test_error = test_parts = None
'''


@pytest.fixture(scope="module")
def django(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A release's tree with a test file of ours, and what it requires."""
    folder = tmp_path_factory.mktemp("django")
    shutil.copytree(fetch("pypi:django==4.2.16").tree, folder / "tree")
    for place in (folder / "tree").rglob("*"):
        place.chmod(place.stat().st_mode | 0o200)  # the cache's copy is sealed
    (folder / "tree" / OURS).write_text(EXTRA)
    return folder / "tree", packages(sys.executable, folder, "asgiref==3.8.1", "sqlparse==0.5.1")


@pytest.fixture
def tree(django: tuple[Path, str], tmp_path: Path) -> Path:
    """A copy of our own of the product, beside the tests as they are."""
    made = tmp_path / "tree"
    made.mkdir()
    shutil.copytree(django[0] / "django", made / "django")
    shutil.copytree(django[0] / "tests", made / "tests")
    return made


def events(tree: Path, required: str, *paths: str, **more: object) -> list[dict[str, object]]:
    config = {"runner": "django", "own": True, "paths": paths, "tests": paths, "product": ["."]}
    return run(tree, sys.executable, required, **{**config, **more})  # type: ignore[return-value]


def test_the_runner_is_chosen_by_how_the_suite_is_set_up(tree: Path, tmp_path: Path) -> None:
    assert runner.name(tree) == "django"
    assert runner.name(tmp_path) == "pytest"


def test_every_outcome_is_told_by_an_id_of_the_usual_form(
    tree: Path, django: tuple[Path, str]
) -> None:
    said = events(tree, django[1], OURS)

    found = {str(n).removeprefix(f"{OURS}::"): end for n, end in outcomes(said).items()}
    lines = EXTRA.splitlines()
    assert found == {
        "Outcomes::test_good": ("passed", "", "", 0),
        "Outcomes::test_bad": (
            "failed", "AssertionError", OURS,
            1 + lines.index('        self.assertIsNotNone(parse_date("no date"))'),
        ),
        "Outcomes::test_error": (
            "failed", "KeyError", OURS, 1 + lines.index('        raise KeyError("x")'),
        ),
        "Outcomes::test_skipped": ("skipped", "", "", 0),
        "Outcomes::test_expected": ("xfailed", "", "", 0),
        "Outcomes::test_unexpected": ("xpassed", "", "", 0),
        "Outcomes::test_parts": (
            "failed", "AssertionError", OURS,
            1 + lines.index("                self.assertNotEqual(part, 1)"),
        ),
        "Inherited::test_good": ("passed", "", "", 0),
        "Inherited::test_skipped": ("skipped", "", "", 0),
        "Inherited::test_expected": ("xfailed", "", "", 0),
        "Inherited::test_unexpected": ("xpassed", "", "", 0),
    }  # fmt: skip
    assert collected(said, "error") == {"setUpClass (utils_tests.test_ours.Broken)"}
    told = {e["id"]: e["message"] for e in said if e.get("message") and e["phase"] == "collect"}
    assert told[f"{OURS}::Outcomes::test_good"] == "A test that says what it is."


def test_ids_can_be_left_out_and_a_real_file_passes(tree: Path, django: tuple[Path, str]) -> None:
    left = f"{REAL}::DateParseTests::test_parse_date"

    said = events(tree, django[1], REAL, skip=[left])

    ends = outcomes(said)
    assert left not in ends
    assert f"{REAL}::DateParseTests::test_parse_time" in ends
    assert {end[0] for end in ends.values()} == {"passed"}
    assert said[-1]["outcome"] == "done"


def test_a_product_that_cannot_be_imported_fails_and_says_why(
    tree: Path, django: tuple[Path, str]
) -> None:
    (tree / "django" / "utils" / "dateparse.py").write_text("raise ImportError('gone')\n")

    said = events(tree, django[1], REAL)

    assert outcomes(said) == {}
    assert "error" in {e["outcome"] for e in said if e["phase"] == "collect"}
    assert any("gone" in str(e.get("message", "")) for e in said)
