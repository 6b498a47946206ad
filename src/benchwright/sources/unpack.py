"""Archives of strangers: read with bounds, and written by the same writer as submissions.

Only regular files and links that stay inside are made. What is left out is named.
"""

from __future__ import annotations

import stat
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from benchwright.formats import Snapshot, SourceError, SubmissionError
from benchwright.sandbox import FreezeLimits, unpack_tar
from benchwright.sandbox.keep import Keeper, Unusable

LIMITS = FreezeLimits(size=2 << 30, skip=(".git",))
CHUNK = 1 << 20


def unpack(archive: Path, dest: Path) -> list[str]:
    """Unpack a `.zip` or a `.tar` of any compression into the new folder `dest`.

    A single folder around everything is taken off. Gives what was left out, in plain words.

    Raises:
        SourceError: not an archive, damaged or too large.
        StorageError: `dest` can't be written.
    """
    work = dest.with_name(dest.name + ".unpacking")
    try:
        read = _unpack_zip if archive.name.endswith(".zip") else unpack_tar
        snapshot = read(archive, work, LIMITS)
    except (SubmissionError, zipfile.BadZipFile) as error:
        raise SourceError(f"{archive.name}: not an archive that can be read") from error
    if snapshot.unusable or not snapshot.entries:
        why = snapshot.unusable or "there is nothing in it"
        raise SourceError(f"{archive.name}: can't be unpacked: {why}")
    inside = list(work.iterdir())
    if len(inside) == 1 and inside[0].is_dir() and not inside[0].is_symlink():
        inside[0].rename(dest)
        work.rmdir()
    else:
        work.rename(dest)
    return left_out(snapshot)


def left_out(snapshot: Snapshot) -> list[str]:
    """What a snapshot doesn't hold, in plain words."""
    notes = [f"{note.path}: left out: {note.code.replace('-', ' ')}" for note in snapshot.notes]
    more = snapshot.dropped - len(notes)
    return [*notes, f"and {more} more left out"] if more > 0 else notes


def _unpack_zip(archive: Path, dest: Path, limits: FreezeLimits) -> Snapshot:
    with zipfile.ZipFile(archive) as zipped:
        keeper = Keeper(dest, limits)
        return keeper.keep(lambda: _members(zipped, keeper))


def _members(zipped: zipfile.ZipFile, keeper: Keeper) -> None:
    for item in zipped.infolist():
        keeper.look()
        mode, path = item.external_attr >> 16, item.filename.rstrip("/")
        if item.is_dir() or not keeper.accepts(path):
            continue
        if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            keeper.drop("special-file", path)
            continue
        keeper.check_size(item.file_size)
        try:
            with zipped.open(item) as data:
                keeper.file(path, _chunks(data), executable=bool(mode & 0o100))
        except (RuntimeError, NotImplementedError) as error:  # encrypted, or an odd compression
            raise Unusable(f"a member can't be read: {error}") from error


def _chunks(data: IO[bytes]) -> Iterator[bytes]:
    try:
        while block := data.read(CHUNK):
            yield block
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise Unusable(f"the archive is damaged: {error}") from error
