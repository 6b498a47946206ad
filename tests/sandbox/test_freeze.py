"""Hostile folders: each gives a snapshot or one clear refusal, never a hang or a leak."""

import hashlib
import os
import resource
import socket
import stat
import time
from pathlib import Path

import pytest

from benchwright.formats import InputError, Snapshot, StorageError, SubmissionError
from benchwright.sandbox import FreezeLimits, freeze
from benchwright.tasks import tree


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "source"
    path.mkdir()
    return path


@pytest.fixture
def dest(tmp_path: Path) -> Path:
    return tmp_path / "dest"


def codes(snapshot: Snapshot) -> list[str]:
    return sorted(note.code for note in snapshot.notes)


def kept(snapshot: Snapshot) -> list[str]:
    return [entry.path for entry in snapshot.entries]


def on_disk(dest: Path) -> list[str]:
    return sorted(p.relative_to(dest).as_posix() for p in dest.rglob("*") if not p.is_dir())


def test_an_honest_tree(source: Path, dest: Path) -> None:
    (source / "pkg").mkdir()
    (source / "pkg" / "ünï.py").write_bytes(b"x = 1\n")
    (source / "run.sh").write_text("#!/bin/sh\n")
    (source / "run.sh").chmod(0o4750)
    (source / "link").symlink_to("pkg/ünï.py")
    (source / "-rf").write_text("a name that starts with a dash")

    snapshot = freeze(source, dest)

    assert kept(snapshot) == ["-rf", "link", "pkg/ünï.py", "run.sh"]
    assert (snapshot.dropped, snapshot.unusable) == (0, "")
    assert snapshot.entries[2].sha256 == hashlib.sha256(b"x = 1\n").hexdigest()
    assert (dest / "link").read_bytes() == b"x = 1\n"
    assert stat.S_IMODE((dest / "run.sh").stat().st_mode) == 0o755
    assert snapshot.digest == tree.digest(dest)


def test_the_digest_depends_on_content_alone(source: Path, tmp_path: Path) -> None:
    (source / "b").write_text("1")
    (source / "a").write_text("2")
    first = freeze(source, tmp_path / "one")
    os.utime(source / "a", (1, 1))
    (source / "a").chmod(0o600)

    again = freeze(source, tmp_path / "two")
    (source / "a").write_text("3")

    assert again.digest == first.digest
    assert freeze(source, tmp_path / "three").digest != first.digest
    assert (tmp_path / "one" / "a").stat().st_mtime == (tmp_path / "two" / "a").stat().st_mtime


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("/etc/passwd", "link-absolute"),
        ("../outside", "link-outside"),
        ("folder/../../outside", "link-outside"),
        ("up/../outside", "link-outside"),
        ("nowhere", "link-dangling"),
        (".", "link-loop"),
        ("folder/..", "link-loop"),
        ("hostile", "link-outside"),
        ("round", "link-outside"),
        ("folder/../" * 70 + "folder", "link-outside"),
        ("ghost/../folder/file", "link-dangling"),
        ("a\nb", "control-character"),
        ("/proc/self/environ", "link-absolute"),
    ],
)
def test_links_that_leave(source: Path, dest: Path, target: str, code: str) -> None:
    (source.parent / "outside").write_text("secret")
    (source / "folder").mkdir()
    (source / "folder" / "file").write_text("")
    (source / "folder" / "deep").mkdir()
    (source / "folder" / "deep" / "up").symlink_to("../..")  # a loop of its own
    (source / "up").symlink_to("folder/deep/up")
    (source / "ghost").symlink_to("nowhere")
    (source / "round").symlink_to("hostile")
    (source / "hostile").symlink_to(target)

    snapshot = freeze(source, dest)

    assert {n.code for n in snapshot.notes if n.path == "hostile"} == {code}
    assert on_disk(dest) == ["folder/file"]


def test_a_chain_of_links_is_followed_on_paper(source: Path, dest: Path) -> None:
    (source / "a" / "b" / "c").mkdir(parents=True)
    (source / "a" / "b" / "c" / "file").write_text("")
    (source / "short").symlink_to("a/b/c")
    (source / "good").symlink_to("short/../../b/c/file")
    (source / "a" / "leaves").symlink_to("../short/../../../../x")

    snapshot = freeze(source, dest)

    assert kept(snapshot) == ["a/b/c/file", "good", "short"]
    assert codes(snapshot) == ["link-outside"]


def test_a_long_chain_of_links_ends(source: Path, dest: Path) -> None:
    (source / "end").write_text("")
    for n in range(200):
        (source / f"l{n}").symlink_to(f"l{n + 1}" if n < 199 else "end")

    snapshot = freeze(source, dest)

    assert len(snapshot.entries) == 1 + 41  # as many hops as the kernel would follow
    assert set(codes(snapshot)) == {"link-outside"}


def test_special_files(source: Path, dest: Path) -> None:
    os.mkfifo(source / "fifo")
    (source / "file").write_text("")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(source / "socket"))
        snapshot = freeze(source, dest)

    assert (kept(snapshot), codes(snapshot)) == (["file"], ["special-file"] * 2)


def test_a_hard_link_to_something_outside(source: Path, dest: Path) -> None:
    secret = source.parent / "secret"
    secret.write_text("secret")
    os.link(secret, source / "stolen")
    (source / "one").write_text("mine")
    os.link(source / "one", source / "two")

    snapshot = freeze(source, dest)

    assert (kept(snapshot), codes(snapshot)) == (["one", "two"], ["hard-link-outside"])


def test_names(source: Path, dest: Path) -> None:
    root = os.fsencode(source)
    for name in (b"new\nline", b"esc\x1b[31m", b"\xff\xfe", b"good", b"del\x7f", b"\xc2\x85"):
        Path(os.fsdecode(root + b"/" + name)).write_text("")
    (source / "\u2028").write_text("")

    snapshot = freeze(source, dest)

    assert kept(snapshot) == ["good"]
    assert codes(snapshot) == ["control-character"] * 5 + ["name-not-utf8"]
    assert all(note.path.isprintable() for note in snapshot.notes)
    assert Snapshot.model_validate_json(snapshot.dumps()) == snapshot


def test_names_that_differ_in_case(source: Path, dest: Path) -> None:
    for name in ("File", "file", "FILE"):
        (source / name).write_text(name)
    (source / "Folder").mkdir()
    (source / "folder").mkdir()
    (source / "folder" / "x").write_text("")
    (source / "Folder" / "x").write_text("")

    snapshot = freeze(source, dest)

    assert (kept(snapshot), codes(snapshot)) == (["FILE", "Folder/x"], ["case-collision"] * 3)


def test_a_repository_is_left_out(source: Path, dest: Path) -> None:
    (source / ".git").mkdir()
    (source / ".git" / "config").write_text("[core]\nfsmonitor = touch /tmp/pwned\n")
    (source / "sub").mkdir()
    (source / "sub" / ".git").write_text("gitdir: /elsewhere")
    (source / "file").write_text("")

    assert kept(freeze(source, dest)) == ["file"]


def test_a_deep_tree(source: Path, dest: Path) -> None:
    handle = os.open(source, os.O_RDONLY)
    for _ in range(3000):
        os.mkdir("d", dir_fd=handle)
        below = os.open("d", os.O_RDONLY, dir_fd=handle)
        os.close(handle)
        handle = below
    os.close(handle)
    (source / "file").write_text("")

    snapshot = freeze(source, dest)
    _remove_deep(source)

    assert (kept(snapshot), codes(snapshot)) == (["file"], ["too-deep"])


def _remove_deep(source: Path) -> None:
    """Move the inner half up until nothing is deep: pytest couldn't clean up otherwise."""
    while (source / "d").is_dir():
        inner = source / "/".join(["d"] * 500)
        if inner.is_dir():
            inner.rename(source / "moved")
        os.removedirs(source / "/".join(["d"] * _depth(source)))
        source.mkdir(exist_ok=True)
        if (source / "moved").is_dir():
            (source / "moved").rename(source / "d")


def _depth(source: Path) -> int:
    depth, place = 0, source
    while (place / "d").is_dir():
        depth, place = depth + 1, place / "d"
    return depth


def test_too_many_files(source: Path, dest: Path) -> None:
    for n in range(300):
        (source / f"{n}").touch()

    snapshot = freeze(source, dest, FreezeLimits(files=200))

    assert (snapshot.unusable, snapshot.entries, dest.exists()) == (
        "more than 200 files",
        (),
        False,
    )


def test_more_files_than_the_default_bound(source: Path, dest: Path) -> None:
    handle = os.open(source, os.O_RDONLY)
    for n in range(100_001):
        os.close(os.open(str(n), os.O_CREAT, dir_fd=handle))
    started = time.monotonic()

    snapshot = freeze(source, dest)

    assert (snapshot.unusable, dest.exists()) == ("more than 100000 files", False)
    assert time.monotonic() - started < 20
    for n in range(100_001):
        os.unlink(str(n), dir_fd=handle)
    os.close(handle)


def test_a_sparse_file(source: Path, dest: Path) -> None:
    with (source / "sparse").open("wb") as file:
        file.truncate(5 << 30)

    snapshot = freeze(source, dest)

    assert snapshot.unusable == f"more than {512 << 20} bytes"
    assert not dest.exists()


def test_many_files_of_a_size_below_the_bound(source: Path, dest: Path) -> None:
    for n in range(4):
        (source / f"{n}").write_bytes(b"x" * 400)

    assert freeze(source, dest, FreezeLimits(size=1000)).unusable == "more than 1000 bytes"


def test_another_file_system_is_not_entered(source: Path, dest: Path) -> None:
    other = Path("/dev/shm/bw-freeze")
    other.mkdir(exist_ok=True)
    (source / "link").symlink_to(other)

    snapshot = freeze(source, dest)
    other.rmdir()

    assert (kept(snapshot), codes(snapshot)) == ([], ["link-absolute"])


@pytest.mark.parametrize("kind", ["missing", "file", "fifo"])
def test_what_is_no_folder(tmp_path: Path, dest: Path, kind: str) -> None:
    place = tmp_path / kind
    if kind == "file":
        place.touch()
    if kind == "fifo":
        os.mkfifo(place)

    with pytest.raises(SubmissionError, match="not a readable folder"):
        freeze(place, dest)

    assert not dest.exists()


def test_a_full_destination_is_not_touched(source: Path, dest: Path) -> None:
    dest.mkdir()
    (dest / "precious").write_text("mine")

    with pytest.raises(InputError, match="exists already"):
        freeze(source, dest)

    assert (dest / "precious").read_text() == "mine"


def test_notes_are_bounded(source: Path, dest: Path) -> None:
    for n in range(300):
        (source / f"{n}").symlink_to("/etc/passwd")

    snapshot = freeze(source, dest)

    assert (snapshot.dropped, len(snapshot.notes)) == (300, 100)


def test_a_disk_that_takes_no_more(source: Path, dest: Path) -> None:
    (source / "file").write_bytes(b"x" * 100_000)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(StorageError, match="can't be stored"):
            freeze(source, dest)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert not dest.exists()


def test_an_empty_folder(source: Path, dest: Path) -> None:
    snapshot = freeze(source, dest)

    assert (snapshot.entries, snapshot.unusable, dest.is_dir()) == ((), "", True)
