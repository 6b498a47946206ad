import os
import tarfile
from pathlib import Path

import pytest

from benchwright.environments import Environment
from benchwright.formats import SubmissionError
from benchwright.judge import judge
from benchwright.judge.submission import Taken, take
from benchwright.sandbox import Sandbox
from benchwright.tasks import Task
from judge import shapes

PATCH = """\
--- a/shapes.py
+++ b/shapes.py
@@ -4,2 +4,1 @@
         raise ValueError("negative width")
-    raise NotImplementedError
     return width * height
"""


@pytest.fixture
def taken(task: Task, sandbox: Sandbox, tmp_path: Path):
    def taken(submission: Path) -> Taken:
        return take(submission, task, tmp_path / "frozen", sandbox)

    return taken


def test_a_folder(taken, tmp_path: Path) -> None:
    found = taken(shapes.submission(tmp_path / "mine"))

    assert found.tree == tmp_path / "frozen"
    assert (tmp_path / "frozen" / "shapes.py").read_text() == shapes.REFERENCE
    assert (found.unusable, found.findings) == ("", ())


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:xz"])
def test_an_archive(taken, tmp_path: Path, mode: str) -> None:
    archive = tmp_path / "mine.tar"
    with tarfile.open(archive, mode) as file:
        file.add(shapes.submission(tmp_path / "mine"), ".")

    found = taken(archive)

    assert (tmp_path / "frozen" / "shapes.py").read_text() == shapes.REFERENCE
    assert found.digest == take_digest(tmp_path)


def take_digest(tmp_path: Path) -> str:
    from benchwright.sandbox import freeze

    return freeze(tmp_path / "mine", tmp_path / "again").digest


def test_a_patch_changes_the_tasks_workspace(taken, tmp_path: Path) -> None:
    (tmp_path / "mine.diff").write_text(PATCH)

    found = taken(tmp_path / "mine.diff")

    text = (tmp_path / "frozen" / "shapes.py").read_text()
    assert found.unusable == ""
    assert text == shapes.STUBS.replace(
        "    raise NotImplementedError\n    return width", "    return width"
    )


def test_a_patch_that_does_not_apply_is_unusable(taken, tmp_path: Path) -> None:
    (tmp_path / "mine.diff").write_text(PATCH.replace("-    raise Not", "-    raise No"))

    found = taken(tmp_path / "mine.diff")

    assert found.tree is None
    assert found.unusable.startswith("the patch doesn't apply: ")


def empty(path: Path) -> Path:
    path.mkdir()
    return path


def text(path: Path) -> Path:
    path.write_text("hello\n")
    return path


def damaged(path: Path) -> Path:
    path.write_bytes(b"\x1f\x8b\x08" + b"\0" * 7 + b"\xff" * 40)
    return path


def sparse(path: Path) -> Path:
    path.mkdir()
    with (path / "big").open("wb") as file:
        file.truncate(5 << 30)
    return path


@pytest.mark.parametrize("make", [empty, text, damaged, sparse], ids=lambda m: m.__name__)
def test_what_can_not_be_judged_scores_nothing_and_says_why(
    make, task: Task, environment: Environment, sandbox: Sandbox, tmp_path: Path
) -> None:
    verdict = judge(task, make(tmp_path / "mine"), environment=environment, sandbox=sandbox)

    assert (verdict.status, verdict.score, verdict.reward) == ("unusable", 0.0, 0.0)
    assert [finding.code for finding in verdict.findings] == ["unusable"]
    assert verdict.findings[0].message.startswith("the submission can't be judged: ")


def test_odd_files_are_left_out_and_named(
    task: Task, environment: Environment, sandbox: Sandbox, tmp_path: Path
) -> None:
    tree = shapes.submission(tmp_path / "mine")
    os.mkfifo(tree / "pipe")
    (tree / "out").symlink_to("/etc/passwd")
    (tree / "odd\nname\x1b[2J").write_text("")

    verdict = judge(task, tree, environment=environment, sandbox=sandbox, pairs=1)

    assert (verdict.status, verdict.score) == ("judged", 1.0)
    assert [finding.code for finding in verdict.findings] == ["left-out"]
    assert verdict.findings[0].message.isprintable()
    assert "pipe (special-file)" in verdict.findings[0].message


def test_what_is_no_file_and_no_folder_is_refused(taken, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(SubmissionError, match="not a folder or a file"):
        taken(tmp_path / "pipe")
