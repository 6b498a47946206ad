"""Hostile archives: each gives a snapshot or one clear refusal, never a hang or a leak."""

import bz2
import contextlib
import copy
import gzip
import io
import lzma
import os
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from benchwright.formats import Snapshot, SubmissionError
from benchwright.sandbox import FreezeLimits, freeze, unpack_tar


@pytest.fixture
def dest(tmp_path: Path) -> Path:
    return tmp_path / "dest"


def member(name: str, kind: bytes = tarfile.REGTYPE, **parts: object) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type = kind
    for key, value in parts.items():
        setattr(info, key, value)
    return info


def archive(path: Path, *members: tarfile.TarInfo, mode: str = "w", **options: object) -> Path:
    """A tar archive with these members; files hold their own name."""
    with tarfile.open(path, mode, **options) as tar:  # type: ignore[call-overload]
        for info in map(copy.copy, members):
            body = os.fsencode(info.name) if info.isreg() and not info.size else b""
            info.size = info.size or len(body)
            tar.addfile(info, io.BytesIO(body) if body else None)
    return path


def codes(snapshot: Snapshot) -> list[str]:
    return sorted(note.code for note in snapshot.notes)


def kept(snapshot: Snapshot) -> list[str]:
    return [entry.path for entry in snapshot.entries]


def on_disk(dest: Path) -> list[str]:
    return [p.relative_to(dest).as_posix() for p in dest.rglob("*") if not p.is_dir()]


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_an_archive_is_what_its_folder_is(tmp_path: Path, mode: str, form: int) -> None:
    source = tmp_path / "source"
    long = source / ("d" * 70) / ("e" * 70)
    long.mkdir(parents=True)
    (long / ("f" * 90)).write_bytes(b"x" * 100_000)
    (source / "run").write_text("")
    (source / "run").chmod(0o755)
    (source / "link").symlink_to("run")
    with tarfile.open(tmp_path / "a.tar", mode, format=form) as tar:  # type: ignore[call-overload]
        tar.add(source, ".")

    unpacked = unpack_tar(tmp_path / "a.tar", tmp_path / "one")

    assert unpacked == freeze(source, tmp_path / "two")
    assert len(unpacked.entries) == 3


def test_what_gnu_tar_writes(tmp_path: Path, dest: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "ünï").write_text("x")
    os.link(source / "ünï", source / "twin")
    subprocess.run(["tar", "-cf", tmp_path / "a.tar", "-C", source, "."], check=True)

    snapshot = unpack_tar(tmp_path / "a.tar", dest)

    assert (kept(snapshot), snapshot.dropped) == (["twin", "ünï"], 0)
    assert (dest / "twin").stat().st_nlink == 1


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (member("/etc/cron.d/x"), "path-outside"),
        (member("../x"), "path-outside"),
        (member("a/../../x"), "path-outside"),
        (member("a//b"), "path-outside"),
        (member("new\nline"), "control-character"),
        (member("esc\x1b[2J"), "control-character"),
        (member("n" * 300), "name-too-long"),
        (member("/".join("d" * 100)), "too-deep"),
        (member("bad\udcff"), "name-not-utf8"),
        (member("link", tarfile.SYMTYPE, linkname="/etc/passwd"), "link-absolute"),
        (member("link", tarfile.SYMTYPE, linkname="../../etc/passwd"), "link-outside"),
        (member("hard", tarfile.LNKTYPE, linkname="/etc/passwd"), "hard-link-outside"),
        (member("hard", tarfile.LNKTYPE, linkname="../good"), "hard-link-outside"),
        (member("fifo", tarfile.FIFOTYPE), "special-file"),
        (member("device", tarfile.CHRTYPE, devmajor=1, devminor=8), "special-file"),
        (member("disk", tarfile.BLKTYPE, devmajor=254, devminor=0), "special-file"),
        (member("GOOD"), "case-collision"),
        (member("good/below"), "file-and-folder"),
        (member(".git/config"), "skipped"),
    ],
)
@pytest.mark.parametrize("form", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_members_that_are_left_out(
    tmp_path: Path, dest: Path, form: int, bad: tarfile.TarInfo, code: str
) -> None:
    path = archive(tmp_path / "a.tar", member("good"), bad, member("last"), format=form)

    snapshot = unpack_tar(path, dest)

    assert (kept(snapshot), codes(snapshot)) == (["good", "last"], [code])
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["a.tar", "dest", "good", "last"]


def test_nothing_is_written_through_a_link(tmp_path: Path, dest: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    path = archive(
        tmp_path / "a.tar",
        member("x", tarfile.SYMTYPE, linkname=str(outside)),
        member("x/planted"),
        member("y", tarfile.SYMTYPE, linkname="../outside"),
        member("y/planted"),
    )

    snapshot = unpack_tar(path, dest)

    assert list(outside.iterdir()) == []
    assert set(codes(snapshot)) == {"file-and-folder", "link-absolute", "link-outside"}


def test_the_long_chain_that_leaves_tarfiles_filter(tmp_path: Path, dest: Path) -> None:
    part, steps, members, place = "d" * 55, "abcdefghijklmnop", [], ""
    for step in steps:
        members.append(member(place + part, tarfile.DIRTYPE))
        members.append(member(place + step, tarfile.SYMTYPE, linkname=part))
        place += part + "/"
    chain = "/".join(steps) + "/" + "l" * 254
    members.append(member(chain, tarfile.SYMTYPE, linkname="../" * len(steps)))
    members.append(member("escape", tarfile.SYMTYPE, linkname=chain + "/../../outside"))
    members.append(member("flaglink", tarfile.LNKTYPE, linkname="escape"))
    members.append(member("flaglink"))
    (tmp_path / "outside").write_text("untouched")
    path = archive(tmp_path / "a.tar", *members)

    snapshot = unpack_tar(path, dest)

    assert {e.path for e in snapshot.entries if e.kind == "file"} == {"flaglink"}
    assert "escape" not in kept(snapshot)
    assert all(p.resolve().is_relative_to(dest) for p in dest.rglob("*"))
    assert (tmp_path / "outside").read_text() == "untouched"


def test_a_later_member_replaces_an_earlier_one(tmp_path: Path, dest: Path) -> None:
    with tarfile.open(tmp_path / "a.tar", "w") as tar:
        for body in (b"first version", b"second"):
            tar.addfile(member("file", size=len(body)), io.BytesIO(body))

    snapshot = unpack_tar(tmp_path / "a.tar", dest)

    assert ((dest / "file").read_bytes(), snapshot.size) == (b"second", 6)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_bomb(tmp_path: Path, dest: Path, pack: Callable[[bytes], bytes]) -> None:
    head = member("bomb", size=600 << 20).tobuf()
    (tmp_path / "a.tar").write_bytes(pack(head + bytes(30 << 20)))

    snapshot = unpack_tar(tmp_path / "a.tar", dest)

    assert snapshot.unusable == f"more than {512 << 20} bytes"
    assert not dest.exists()


def test_a_bomb_in_a_member_that_is_left_out(tmp_path: Path, dest: Path) -> None:
    head = member("../bomb", size=60 << 20).tobuf()
    (tmp_path / "a.tar").write_bytes(gzip.compress(head + bytes(60 << 20)))

    snapshot = unpack_tar(tmp_path / "a.tar", dest, FreezeLimits(size=1 << 20, files=100))

    assert snapshot.unusable == "the archive unpacks to too much"


def test_a_bomb_in_an_extended_header(tmp_path: Path, dest: Path) -> None:
    head = member("x", tarfile.XHDTYPE, size=1 << 30).tobuf()
    (tmp_path / "a.tar").write_bytes(gzip.compress(head + bytes(30 << 20)))

    snapshot = unpack_tar(tmp_path / "a.tar", dest)

    assert snapshot.unusable == "the archive holds an extended header that is too large"


def test_a_decompressor_that_wants_all_memory(tmp_path: Path, dest: Path) -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 30}]
    with lzma.open(tmp_path / "a.tar", "wb", filters=filters) as file:
        file.write(b"x")
    with pytest.raises(SubmissionError, match="not a tar archive"):
        unpack_tar(tmp_path / "a.tar", dest)


def test_too_many_members(tmp_path: Path, dest: Path) -> None:
    path = archive(tmp_path / "a.tar", *[member(f"d{n}", tarfile.DIRTYPE) for n in range(300)])

    assert unpack_tar(path, dest, FreezeLimits(files=200)).unusable == "more than 200 files"


def test_endless_headers_without_a_member(tmp_path: Path, dest: Path) -> None:
    head = member("x", tarfile.XHDTYPE).tobuf()
    (tmp_path / "a.tar").write_bytes(gzip.compress(head * 200_000))

    assert unpack_tar(tmp_path / "a.tar", dest).unusable == "more than 100000 files"


def test_a_sparse_archive(tmp_path: Path, dest: Path) -> None:
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(5 << 30)
    path = tmp_path / "a.tar"
    subprocess.run(["tar", "-cSf", path, "-C", tmp_path, "sparse"], check=True)
    assert path.stat().st_size < 1 << 20

    assert unpack_tar(path, dest).unusable == (
        "the archive holds sparse members, which aren't read"
    )


@pytest.mark.parametrize("size", ["-1", "1e9", "٣", "9" * 25])
def test_a_size_that_is_no_number(tmp_path: Path, dest: Path, size: str) -> None:
    path = archive(
        tmp_path / "a.tar", member("x", pax_headers={"size": size}), format=tarfile.PAX_FORMAT
    )

    snapshot = unpack_tar(path, dest)

    assert snapshot.unusable == "the archive is damaged: a size isn't a number"


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_every_cut_is_a_judged_failure(tmp_path: Path, mode: str) -> None:
    path = archive(tmp_path / "a.tar", member("a"), member("b" * 150), member("c"), mode=mode)
    data, refused, unusable, usable = path.read_bytes(), 0, 0, 0
    for n, cut in enumerate(range(0, len(data), max(1, len(data) // 40))):
        (tmp_path / "cut").write_bytes(data[:cut])
        try:
            snapshot = unpack_tar(tmp_path / "cut", tmp_path / f"dest{n}")
        except SubmissionError:
            refused += 1
            continue
        unusable += bool(snapshot.unusable)
        usable += not snapshot.unusable

    assert (refused > 0, refused + unusable + usable >= 40) == (True, True)


@pytest.mark.parametrize("content", [b"", b"hello", b"PK\3\4" + b"x" * 1000, b"\x1f\x8bnonsense"])
def test_what_is_no_archive(tmp_path: Path, dest: Path, content: bytes) -> None:
    (tmp_path / "a.tar").write_bytes(content)

    with pytest.raises(SubmissionError, match="not a tar archive"):
        unpack_tar(tmp_path / "a.tar", dest)

    assert not dest.exists()


def test_a_folder_or_a_fifo_is_no_archive(tmp_path: Path, dest: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    for path in (tmp_path, tmp_path / "fifo", tmp_path / "missing"):
        with pytest.raises(SubmissionError, match="not a file"):
            unpack_tar(path, dest)


def test_flipped_bits_never_give_a_traceback(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.tar", member("a"), member("b" * 150), format=tarfile.PAX_FORMAT)
    data = path.read_bytes()[:4096]
    for n, place in enumerate(range(0, len(data), 13)):
        changed = bytearray(data)
        changed[place] ^= 0x81
        (tmp_path / "flip").write_bytes(changed)
        with contextlib.suppress(SubmissionError):  # anything else would fail the test
            snapshot = unpack_tar(tmp_path / "flip", tmp_path / f"dest{n}")
            assert set(kept(snapshot)) == set(on_disk(tmp_path / f"dest{n}"))
