"""Two archives: what anybody may have, and what only the judge may have."""

import tarfile
from pathlib import Path

import pytest

from benchwright.formats import (
    ExpectedTest,
    Manifest,
    Product,
    Settings,
    SourcePin,
    StorageError,
    TaskConfig,
)
from benchwright.tasks import Task, pack, save_config

CANARY = "benchwright-canary-0123"


def task(root: Path) -> Task:
    for name in ("environment/workspace", "tests/files", "solution/files", "validation"):
        (root / name).mkdir(parents=True)
    (root / "instruction.md").write_text("Do it.\n")
    (root / "tests" / "files" / "test_näme.py").write_text("def test(): pass\n")
    (root / "tests" / "test.sh").write_text("#!/bin/sh\n")
    (root / "tests" / "test.sh").chmod(0o755)
    (root / "solution" / "files" / "link").symlink_to("m.py")
    Manifest(tests=(ExpectedTest(id="t", file="test_näme.py"),)).write(
        root / "tests" / "manifest.json"
    )
    settings = Settings(
        kind="construction",
        language="python",
        source=SourcePin(spec="path:x"),
        product=Product(paths=("m.py",)),
        canary=CANARY,
    )
    save_config(root, TaskConfig(task={"name": "org/small"}, benchwright=settings))
    return Task.load(root)


def members(path: Path) -> dict[str, tarfile.TarInfo]:
    with tarfile.open(path) as archive:
        return {info.name: info for info in archive.getmembers()}


def test_the_halves_share_nothing_but_the_configuration(tmp_path: Path) -> None:
    public, sealed = pack(task(tmp_path / "t"), tmp_path / "out")

    assert [public.name, sealed.name] == ["org-small.public.tar.gz", "org-small.sealed.tar.gz"]
    assert [*members(public)] == [
        "task.toml",
        "instruction.md",
        "environment",
        "environment/workspace",
    ]
    assert [*members(sealed)] == [
        "task.toml",
        "tests",
        "tests/files",
        "tests/files/test_näme.py",
        "tests/manifest.json",
        "tests/test.sh",
        "solution",
        "solution/files",
        "solution/files/link",
        "validation",
    ]


def test_every_sealed_member_carries_the_canary_and_no_public_byte_does(tmp_path: Path) -> None:
    public, sealed = pack(task(tmp_path / "t"), tmp_path / "out")

    assert {m.pax_headers.get("comment") for m in members(sealed).values()} == {CANARY}
    with tarfile.open(public) as archive:
        texts = [archive.extractfile(m).read() for m in archive if m.isfile()]
    assert [CANARY.encode() in text for text in texts] == [False] * 2


def test_modes_and_links_survive(tmp_path: Path) -> None:
    _, sealed = pack(task(tmp_path / "t"), tmp_path / "out")

    found = members(sealed)
    assert found["tests/test.sh"].mode == 0o755
    assert found["tests/manifest.json"].mode == 0o644
    assert found["solution/files/link"].linkname == "m.py"


def test_the_same_task_gives_the_same_bytes(tmp_path: Path) -> None:
    first = pack(task(tmp_path / "one" / "t"), tmp_path / "one")
    second = pack(task(tmp_path / "two" / "t"), tmp_path / "two")

    assert [p.read_bytes() for p in first] == [p.read_bytes() for p in second]


def test_a_place_that_cant_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")

    with pytest.raises(StorageError, match="out: can't be written"):
        pack(task(tmp_path / "t"), tmp_path / "out")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", "t"]
