"""An audit of a published skeleton finds what is known of such skeletons."""

from pathlib import Path

import pytest

from benchwright.validation import Audit, audit

PROJECT = """\
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "sums"
version = "1.0"
dependencies = []

[project.optional-dependencies]
test = ["pytest"]

[tool.setuptools]
packages = ["sums"]
"""
CODE = """\
def helper(x):
    return x


BASE = helper(3)


def add(a, b):
    return a + b + BASE - 3


def run(check):
    check(add(1, 2))
"""
TESTS = """\
import sums


def test_add():
    assert sums.add(1, 2) == 3


def test_in_a_callback():
    def check(value):
        assert value == 3

    sums.run(check)
"""


def tree(root: Path, code: str) -> str:
    files = {"pyproject.toml": PROJECT, "sums/__init__.py": code, "tests/test_sums.py": TESTS}
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return f"path:{root}"


def found(tmp_path: Path, skeleton: str, reference: str = CODE, ids: tuple[str, ...] = ()) -> Audit:
    return audit(
        tree(tmp_path / "skeleton", skeleton),
        tree(tmp_path / "reference", reference),
        ids=ids,
        gates=("start",),
    )


def passing(text: str, *names: str) -> str:
    """The bodies of functions taken out as published skeletons do."""
    for name in names:
        head, _, rest = text.partition(f"def {name}(")
        signature, _, body = rest.partition("\n")
        end = body.find("\n\n\n")
        text = f"{head}def {name}({signature}\n    pass\n" + (body[end:] if end >= 0 else "")
    return text


def test_passes_without_work_and_ids_that_cannot_be_met_are_found(tmp_path: Path) -> None:
    ids = (
        "tests/test_sums.py::test_add",
        "tests/test_sums.py::test_in_a_callback",
        "tests/test_sums.py::test_at[2024-09-22]",
        "gone.py::x",
    )

    answer = found(tmp_path, passing(CODE, "add", "run"), ids=ids)

    named = {f.code: (f.gravity, f.ids) for f in answer.findings}
    assert named["vacuous-test"] == ("grave", ids[1:2])
    assert named["dated-id"] == ("serious", ids[2:3])
    assert named["unknown-id"] == ("serious", ids[3:])


@pytest.mark.parametrize(
    ("skeleton", "said"),
    [
        (CODE.replace("return x", "raise NotImplementedError"), "NotImplementedError"),
        (CODE.replace("def add(", "def add(:"), "SyntaxError"),
    ],
)
def test_a_skeleton_that_does_not_import_or_parse_is_found_first(
    tmp_path: Path, skeleton: str, said: str
) -> None:
    answer = found(tmp_path, skeleton)

    assert answer.findings[0].gravity == "grave"
    assert {"skeleton-broken", "tests-not-collected"} <= {f.code for f in answer.findings}
    assert any(said in f.message for f in answer.findings)


def test_a_reference_that_fails_is_found(tmp_path: Path) -> None:
    answer = found(tmp_path, passing(CODE, "add", "run"), CODE.replace("a + b", "a - b"))

    assert {"reference-fails", "reference-unusable"} & {f.code for f in answer.findings}
