import subprocess
from pathlib import Path

import pytest

from benchwright.formats import SourceError
from benchwright.sources import fetch
from benchwright.sources.git import open_repository, version_of


def git(repo: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    done = subprocess.run(
        ["git", "-C", str(repo), *identity, *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    root.mkdir()
    git(root, "init", "-q")
    (root / "café.txt").write_text("one\n")
    (root / ".gitattributes").write_text("*.txt export-ignore\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    git(root, "tag", "v1.0")
    (root / "café.txt").write_text("two\n")
    git(root, "commit", "-qam", "second")
    return root


def test_the_tree_at_a_tag_without_its_history(repo: Path) -> None:
    fetched = fetch(f"git+{repo}@v1.0")

    assert (fetched.tree / "café.txt").read_text() == "one\n"
    assert not (fetched.tree / ".git").exists()
    assert fetched.pin.archive == git(repo, "rev-parse", "v1.0")


def test_the_repository_s_own_configuration_runs_nothing(repo: Path, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    git(repo, "config", "core.fsmonitor", f"touch {mark}; false")
    git(repo, "config", "core.sshCommand", f"touch {mark}")

    fetch(f"git+{repo}@HEAD")

    assert not mark.exists()


def test_the_nearest_release(repo: Path) -> None:
    repository = open_repository(str(repo), print)

    head = repository.commit("HEAD")

    assert repository.version(head) == version_of(git(repo, "describe", "--tags", "--long"))


@pytest.mark.parametrize(
    ("rest", "said"),
    [
        ("@nowhere", "has no commit, tag or branch nowhere"),
        ("@--upload-pack=x", "not a name of a commit"),
        ("", "which commit"),
    ],
)
def test_refs_that_are_none(repo: Path, rest: str, said: str) -> None:
    with pytest.raises(SourceError, match=said):
        fetch(f"git+{repo}{rest}")


def test_a_folder_that_is_no_repository(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="not a git repository"):
        fetch(f"git+{tmp_path}@HEAD")


def test_a_submodule_is_named(repo: Path) -> None:
    commit = git(repo, "rev-parse", "HEAD")
    git(repo, "update-index", "--add", "--cacheinfo", f"160000,{commit},vendored")
    git(repo, "commit", "-qm", "a submodule")

    assert fetch(f"git+{repo}@HEAD").notes == ("'vendored': a submodule, left empty",)


def test_a_pointer_to_a_large_file_is_named(repo: Path) -> None:
    (repo / "model.bin").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "a large file")

    (note,) = fetch(f"git+{repo}@HEAD").notes

    assert note == "'model.bin': only a pointer to a large file that is kept elsewhere"


@pytest.mark.parametrize(
    ("described", "version"),
    [
        ("v1.2-0-gabc", "1.2"),
        ("4.5.0-3-g58e6a09db", "4.5.1.dev3+g58e6a09db"),
        ("7.2.0.dev0-173-gda9a2b584", "7.2.0.dev173+gda9a2b584"),
        ("sympy-1.0-2955-g479939f8c6", "1.1.dev2955+g479939f8c6"),
        ("", ""),
        ("nightly-4-gabc", ""),
    ],
)
def test_the_version_of_a_commit(described: str, version: str) -> None:
    assert version_of(described) == version


def test_a_fetched_commit_is_called_what_its_tags_call_it(repo: Path) -> None:
    assert fetch(f"git+{repo}@v1.0").pin.version == "1.0"
    assert fetch(f"git+{repo}@HEAD").pin.version.startswith("1.1.dev1+g")
