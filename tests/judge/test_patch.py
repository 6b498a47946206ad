"""Patches as models and data sets write them; the ways and their order are swebench 5.0.2's."""

from pathlib import Path

import pytest

from benchwright.judge.patch import apply_patch
from benchwright.sandbox import choose

BASE = b"one\ntwo\nthree\n"
GOOD = b"""diff --git a/a.py b/a.py
--- a/a.py
+++ b/a.py
@@ -1,3 +1,3 @@
 one
-two
+2
 three
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    root.mkdir()
    (root / "a.py").write_bytes(BASE)
    (root / ".gitignore").write_text("*.ignored\n")
    (root / "kept.ignored").write_text("kept\n")
    (root / ".gitattributes").write_text("* text eol=crlf\n*.py filter=evil\n")
    return root


def test_a_patch_that_fits(tree: Path, tmp_path: Path) -> None:
    applied = apply_patch(tree, GOOD, tmp_path / "out", choose())

    assert applied.how == "git apply"
    assert (tmp_path / "out" / "a.py").read_bytes() == b"one\n2\nthree\n"
    assert (tmp_path / "out" / "kept.ignored").read_text() == "kept\n"
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == [
        ".gitattributes",
        ".gitignore",
        "a.py",
        "kept.ignored",
    ]


def test_a_lost_final_newline_is_put_back(tree: Path, tmp_path: Path) -> None:
    applied = apply_patch(tree, GOOD.rstrip(b"\n"), tmp_path / "out", choose())

    assert (applied.how, (tmp_path / "out" / "a.py").read_bytes()) == (
        "git apply",
        b"one\n2\nthree\n",
    )


def test_crlf_survives(tree: Path, tmp_path: Path) -> None:
    (tree / "a.py").write_bytes(BASE.replace(b"\n", b"\r\n"))
    patch = GOOD.replace(b"one\n", b"one\r\n").replace(b"two\n", b"two\r\n")
    patch = patch.replace(b"+2\n", b"+2\r\n").replace(b"three\n", b"three\r\n")

    applied = apply_patch(tree, patch, tmp_path / "out", choose())

    assert applied.how == "git apply"
    assert (tmp_path / "out" / "a.py").read_bytes() == b"one\r\n2\r\nthree\r\n"


def test_shifted_context_needs_fuzz_and_leaves_nothing_of_the_tries(
    tree: Path, tmp_path: Path
) -> None:
    applied = apply_patch(tree, GOOD.replace(b" one\n", b" uno\n"), tmp_path / "out", choose())

    assert applied.how == "patch --fuzz=5"
    assert not [p for p in (tmp_path / "out").iterdir() if p.suffix in (".rej", ".orig")]


def test_a_patch_that_is_already_there(tree: Path, tmp_path: Path) -> None:
    (tree / "a.py").write_bytes(b"one\n2\nthree\n")

    assert apply_patch(tree, GOOD, tmp_path / "out", choose()).how == "already applied"


@pytest.mark.parametrize(
    "patch",
    [
        GOOD.replace(b"two", b"deux").replace(b" one", b" un").replace(b" three", b" trois"),
        b"not a patch at all\n",
        GOOD.replace(b"@@ -1,3 +1,3 @@", b"@@ -1,9 +1,9 @@"),
        b"diff --git a/../x b/../x\n--- a/../x\n+++ b/../x\n@@ -0,0 +1 @@\n+out\n",
        b"diff --git a/.git/config b/.git/config\nnew file mode 100644\n--- /dev/null\n"
        b"+++ b/.git/config\n@@ -0,0 +1 @@\n+[core]\n",
    ],
    ids=["other text", "no patch", "wrong counts", "outside", "git configuration"],
)
def test_a_patch_that_does_not_fit_leaves_no_tree(tree: Path, tmp_path: Path, patch: bytes) -> None:
    applied = apply_patch(tree, patch, tmp_path / "out", choose())

    assert not applied or not (tmp_path / "out" / ".git").exists()
    assert not (tmp_path / "x").exists()
    if not applied:
        assert applied.why
        assert not (tmp_path / "out").exists()
