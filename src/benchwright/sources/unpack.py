"""Archives of strangers, unpacked by our own writer.

Only folders, regular files and links that stay inside are made; links come last, so that nothing
is ever written through one. Everything is bounded. What is left out is named.
"""

from __future__ import annotations

import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Literal

from benchwright.formats import SourceError

ENTRIES = 100_000
BYTES = 2 << 30
DEPTH = 64
NAME = 255


@dataclass(frozen=True, slots=True)
class Member:
    """One entry of an archive."""

    name: str
    kind: Literal["file", "link", "folder", "other"]
    data: IO[bytes] | None = None
    executable: bool = False
    link: str = ""


def unpack(archive: Path, dest: Path) -> list[str]:
    """Unpack a `.zip` or a `.tar` of any compression into the new folder `dest`.

    A single folder around everything is taken off. Gives what was left out, in plain words.

    Raises:
        SourceError: not an archive, damaged, too large, or a member leads outside.
    """
    members = _zip(archive) if archive.name.endswith(".zip") else _tar(archive)
    work = dest.with_name(dest.name + ".unpacking")
    work.mkdir()
    try:
        notes = _write(archive.name, members, work)
    except (
        tarfile.TarError,
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        ValueError,
        OSError,
    ) as error:
        raise SourceError(f"{archive.name}: can't be unpacked: {error!s:.200}") from None
    inside = list(work.iterdir())
    if len(inside) == 1 and inside[0].is_dir() and not inside[0].is_symlink():
        inside[0].rename(dest)
        work.rmdir()
    else:
        work.rename(dest)
    return notes


def _write(archive: str, members: Iterator[Member], root: Path) -> list[str]:
    notes: list[str] = []
    links: list[tuple[Path, str]] = []
    total = 0
    for count, member in enumerate(members):
        if count >= ENTRIES:
            raise SourceError(f"{archive}: more than {ENTRIES} entries")
        path = root / _inside(archive, member.name)
        if member.kind == "folder":
            path.mkdir(parents=True, exist_ok=True)
        elif member.kind == "file" and member.data is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            total += _copy(archive, member.data, path, BYTES - total)
            path.chmod(0o755 if member.executable else 0o644)
        elif member.kind == "link" and _stays(member):
            links.append((path, member.link))
        else:
            notes.append(f"{member.name!a}: left out: not a file, or a link that leads outside")
    for path, text in links:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.symlink_to(text)
    return notes


def _inside(archive: str, name: str) -> PurePosixPath:
    path = PurePosixPath(name)
    bad = path.is_absolute() or ".." in path.parts or "\0" in name or "\\" in name
    if bad or len(path.parts) > DEPTH or any(len(part.encode()) > NAME for part in path.parts):
        raise SourceError(f"{archive}: a member has an unsafe name: {name[:120]!a}")
    return path


def _stays(member: Member) -> bool:
    """Whether a relative link, taken as text, stays below the archive's root."""
    if not member.link or member.link.startswith("/") or "\0" in member.link:
        return False
    depth = len(PurePosixPath(member.name).parts) - 1
    for part in PurePosixPath(member.link).parts:
        depth += -1 if part == ".." else 1
        if depth < 1:
            return False
    return True


def _copy(archive: str, data: IO[bytes], path: Path, room: int) -> int:
    size = 0
    with path.open("xb") as file:
        while block := data.read(1 << 20):
            size += len(block)
            if size > room:
                raise SourceError(f"{archive}: unpacks to more than {BYTES >> 20} MiB")
            file.write(block)
    return size


def _tar(archive: Path) -> Iterator[Member]:
    with tarfile.open(archive, "r|*") as tar:
        for item in tar:
            if item.isreg():
                yield Member(item.name, "file", tar.extractfile(item), bool(item.mode & 0o100))
            elif item.isdir():
                yield Member(item.name, "folder")
            elif item.issym():
                yield Member(item.name, "link", link=item.linkname)
            else:
                yield Member(item.name, "other")


def _zip(archive: Path) -> Iterator[Member]:
    with zipfile.ZipFile(archive) as zipped:
        for item in zipped.infolist():
            if item.is_dir():
                yield Member(item.filename, "folder")
            elif (item.external_attr >> 28) & 0xF not in (0, 8):
                yield Member(item.filename, "other")
            else:
                with zipped.open(item) as data:
                    yield Member(
                        item.filename, "file", data, bool((item.external_attr >> 16) & 0o100)
                    )
