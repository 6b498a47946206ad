import os
from pathlib import Path

import pytest

from benchwright.formats import SourceError
from benchwright.sources import fetch


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "pkg").mkdir(parents=True)
    (root / "pkg" / "__init__.py").write_text("x = 1\n")
    for skipped in (".git", ".venv", "__pycache__"):
        (root / skipped).mkdir()
        (root / skipped / "file").write_text("")
    return root


def test_a_folder_is_copied_and_pinned_by_its_content(project: Path) -> None:
    one = fetch(f"path:{project}")
    (project / "pkg" / "__init__.py").write_text("x = 2\n")
    two = fetch(f"path:{project}")

    assert (one.tree / "pkg" / "__init__.py").read_text() == "x = 1\n"
    assert (two.tree / "pkg" / "__init__.py").read_text() == "x = 2\n"
    assert one.pin.tree != two.pin.tree
    assert sorted(p.name for p in one.tree.iterdir()) == ["pkg"]


def test_links_and_pipes_are_left_out(project: Path) -> None:
    (project / "secret").symlink_to("/etc/passwd")
    os.mkfifo(project / "pipe")

    fetched = fetch(f"path:{project}")

    assert sorted(p.name for p in fetched.tree.iterdir()) == ["pkg"]
    assert sorted(fetched.notes) == [
        "pipe: left out: special file",
        "secret: left out: link absolute",
    ]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda _: None, "not a folder"),
        (lambda p: p.write_text("a file"), "not a folder"),
        (lambda p: p.mkdir(), "there is nothing in it"),
    ],
    ids=["absent", "file", "empty"],
)
def test_what_is_no_project_folder(tmp_path: Path, make, message: str) -> None:  # type: ignore[no-untyped-def]
    make(tmp_path / "here")

    with pytest.raises(SourceError, match=message):
        fetch(f"path:{tmp_path}/here")
