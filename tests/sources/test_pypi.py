import hashlib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchwright.formats import BuildError, SourceError
from benchwright.sources import fetch
from local_index import Index, sdist, tarred, wheel, zipped


def test_a_source_distribution_is_pinned_and_unpacked(index: Index, cache: Path) -> None:
    name, data = sdist("tiny", "1.2")
    index.add(name, data, "2021-05-06T07:08:09Z")

    fetched = fetch("pypi:Tiny==1.2")

    assert fetched.pin.spec == "pypi:tiny==1.2"
    assert fetched.pin.archive == hashlib.sha256(data).hexdigest()
    assert fetched.pin.released == datetime(2021, 5, 6, 7, 8, 9, tzinfo=UTC)
    assert sorted(p.name for p in fetched.tree.iterdir()) == [
        "PKG-INFO", "backend.py", "pyproject.toml", "tiny.py",
    ]  # fmt: skip
    assert fetched.tree.is_relative_to(cache)


def test_the_second_time_nothing_is_asked(index: Index) -> None:
    index.add(*sdist("tiny", "1.2"))
    first = fetch("pypi:tiny==1.2")
    index.asked.clear()

    again = fetch("pypi:tiny==1.2.0")

    assert (again, index.asked) == (first, [])


def test_without_a_version_the_newest_that_has_a_source(index: Index) -> None:
    index.add(*sdist("tiny", "1.2"))
    index.add(*sdist("tiny", "1.10"))
    index.add(*sdist("tiny", "2.0b1"))
    index.add(*wheel("tiny", "3.0", {"tiny.py": ""}))

    assert fetch("pypi:tiny").pin.spec == "pypi:tiny==1.10"


def test_a_zip_is_unpacked_too(index: Index) -> None:
    index.add("tiny-1.zip", zipped({"tiny-1/a/b.py": "x = 1\n", "tiny-1/PKG-INFO": "Name: t\n"}))

    assert (fetch("pypi:tiny==1").tree / "a" / "b.py").read_text() == "x = 1\n"


def test_the_tree_is_read_only(index: Index) -> None:
    index.add(*sdist("tiny", "1.2"))

    tree = fetch("pypi:tiny==1.2").tree

    assert {p.stat().st_mode & 0o222 for p in (tree, *tree.rglob("*"))} == {0}


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("pypi:gone==1", "gone: the package index has no such project"),
        ("pypi:tiny==9", "tiny: there is no version 9 (nearest: 1.2, 3.0)"),
        ("pypi:tiny==one", "tiny: there is no version one"),
        ("pypi:tiny==3.0", "tiny 3.0 has no source distribution"),
        ("pypi:naïve==1", "not a project and version"),
        ("pypi:", "not a project and version"),
        ("pypi:tiny>=1", "not a project and version"),
        ("pypi:tiny\x1b[31m", r"pypi:'tiny\x1b[31m'"),
        ("tiny==1", "'tiny==1': not a source"),
        ("ftp:tiny", "'ftp:tiny': not a source"),
    ],
)
def test_what_can_t_be_fetched_is_said(index: Index, spec: str, message: str) -> None:
    index.add(*sdist("tiny", "1.2"))
    index.add(*wheel("tiny", "3.0", {"tiny.py": ""}))

    with pytest.raises(SourceError) as caught:
        fetch(spec)

    assert message in str(caught.value)


def test_other_bytes_than_promised_are_refused_and_not_kept(index: Index, cache: Path) -> None:
    name, data = sdist("tiny", "1.2")
    index.add(name, data)
    index.promised[name] = "0" * 64

    with pytest.raises(BuildError, match="didn't answer as it should: DigestMismatchError"):
        fetch("pypi:tiny==1.2")

    assert list(cache.rglob("*.gz")) == []


def test_no_network_is_said_without_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://user:secret@127.0.0.1:9/simple")

    with pytest.raises(BuildError) as caught:
        fetch("pypi:tiny==1")

    assert "secret" not in str(caught.value)
    assert "the package index didn't answer" in str(caught.value)


@pytest.mark.parametrize(
    "files",
    [{}, {"../../outside.py": "x"}, {"/etc/outside.py": "x"}],
    ids=["empty", "dots", "absolute"],
)
def test_nothing_leaves_an_archive(index: Index, cache: Path, files: dict[str, str]) -> None:
    index.add("tiny-1.tar.gz", tarred(files))

    with pytest.raises(SourceError, match=r"tiny-1\.tar\.gz: can't be unpacked"):
        fetch("pypi:tiny==1")

    assert list(cache.parent.rglob("outside.py")) == []


def test_bytes_that_are_no_archive(index: Index) -> None:
    index.add("tiny-1.tar.gz", b"not an archive at all")

    with pytest.raises(SourceError, match=r"tiny-1\.tar\.gz: not an archive"):
        fetch("pypi:tiny==1")


def test_what_is_left_out_is_noted(index: Index) -> None:
    index.add("tiny-1.zip", zipped({"tiny-1/a.py": "", "tiny-1/bad\nname.py": ""}))

    fetched = fetch("pypi:tiny==1")

    assert fetched.notes == ("tiny-1/bad\\nname.py: left out: control character",)
    assert [p.name for p in fetched.tree.iterdir()] == ["a.py"]
