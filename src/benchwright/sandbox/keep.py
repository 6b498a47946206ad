"""The one writer of submitted bytes: names, bounds and links are judged here, for every reader.

Contract: what is written lies in `dest`, consists of regular files and links, has no special
mode, one time stamp and no link that leaves the tree. While files are written no link exists, so
no path can lead elsewhere; links come last, after all of them were resolved on paper. What can't
be kept is left out with a note; what breaks a bound makes the whole submission unusable.
"""

# ruff: noqa: PTH102, PTH108, PTH211
# (small calls on strings and descriptors, for each of many files)
from __future__ import annotations

import hashlib
import os
import shutil
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from benchwright.formats import (
    Entry,
    InputError,
    Note,
    Snapshot,
    StorageError,
    boundary,
    tree_digest,
)

TIME = 1_577_836_800
"""Time stamp of every frozen file: 2020-01-01, so that times tell nothing."""
NOTES = 100
HOPS = 40
STEPS = 128
"""Parts of names that one link may lead through, with those that it leads on to."""


@dataclass(frozen=True, slots=True)
class FreezeLimits:
    """Bounds of one submission."""

    files: int = 100_000
    """Everything that is looked at: files, folders, links and what is left out."""
    size: int = 512 << 20
    """Bytes of all files."""
    depth: int = 64
    path: int = 1024
    """Bytes of one path."""
    skip: tuple[str, ...] = (".git",)
    """Names left out wherever they stand. A repository's own data is never needed, and never safe
    to use."""


DEFAULTS = FreezeLimits()


class Unusable(Exception):  # noqa: N818 - it never leaves the room: it becomes a snapshot
    """A bound is broken; the text is the reason."""


def printable(name: str) -> str:
    """A name of a submission in a form that can be shown and stored."""
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    return shown if len(shown) <= 200 else shown[:197] + "..."


def name_complaint(name: str, longest: int) -> str:
    """Why the text of a path or link can't be kept (a note's code), or nothing."""
    try:
        size = len(name.encode())
    except UnicodeEncodeError:
        return "name-not-utf8"
    if size > longest:
        return "name-too-long"
    if any(unicodedata.category(c) in ("Cc", "Zl", "Zp") for c in name):
        return "control-character"
    return ""


def complaint(path: str, limits: FreezeLimits) -> str:
    """Why a path can't be kept (a note's code), or nothing."""
    code = name_complaint(path, limits.path)
    parts = path.split("/")
    if code or any(part in ("", ".", "..") for part in parts):
        return code or "path-outside"
    if any(len(part.encode()) > 255 for part in parts):
        return "name-too-long"
    return "too-deep" if len(parts) > limits.depth else ""


def _parents(path: str) -> list[str]:
    """Every folder above a path, outermost first."""
    parts = path.split("/")
    return ["/".join(parts[:n]) for n in range(1, len(parts))]


@dataclass(slots=True)
class Keeper:
    """Writes one snapshot."""

    dest: Path
    limits: FreezeLimits
    entries: dict[str, Entry] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    folders: set[str] = field(default_factory=lambda: {""})
    notes: list[Note] = field(default_factory=list)
    dropped: int = 0
    looked: int = 0
    size: int = 0
    _places: set[str] = field(default_factory=set)
    """Every folder that there will be, those that hold only links included."""
    _cased: dict[str, str] = field(default_factory=dict)

    def keep(self, read: Callable[[], None]) -> Snapshot:
        """Make `dest`, let `read` fill it, and give the account; never half a `dest`.

        Raises:
            InputError: `dest` holds something already.
            StorageError: it can't be written.
        """
        with boundary(StorageError, f"{self.dest}: can't be made"):
            if self.dest.is_symlink() or (self.dest.exists() and any(self.dest.iterdir())):
                raise InputError(f"{self.dest}: exists already")
            self.dest.mkdir(parents=True, exist_ok=True)
        try:
            read()
            return self._finish()
        except Unusable as reason:
            shutil.rmtree(self.dest)
            return Snapshot(
                digest=tree_digest(()),
                notes=tuple(self.notes),
                dropped=self.dropped,
                unusable=str(reason),
            )
        except BaseException:
            shutil.rmtree(self.dest, ignore_errors=True)
            raise

    def look(self) -> None:
        """Count one thing that was found."""
        self.looked += 1
        if self.looked > self.limits.files:
            raise Unusable(f"more than {self.limits.files} files")

    def drop(self, code: str, path: str, message: str = "") -> None:
        """Leave something out."""
        self.dropped += 1
        if len(self.notes) < NOTES:
            self.notes.append(Note(code=code, path=printable(path), message=message))

    def accepts(self, path: str) -> bool:
        """Whether something may be kept at `path`; if not, it is noted."""
        if any(part in self.limits.skip for part in path.split("/")):
            self.drop("skipped", path)
            return False
        code = complaint(path, self.limits) or self._conflict(path)
        if code:
            self.drop(code, path)
        return not code

    def file(self, path: str, chunks: Iterable[bytes], *, executable: bool) -> None:
        """Keep a file, and hash every byte of it. The path was accepted."""
        with boundary(StorageError, "a submission can't be stored"):
            self._write(path, chunks, executable=executable)

    def _write(self, path: str, chunks: Iterable[bytes], *, executable: bool) -> None:
        self._make_folders(path)
        target = f"{self.dest}/{path}"
        if path in self.entries:  # an archive may hold a later version of the same file
            self.size -= self.entries.pop(path).size
            os.unlink(target)
        digest, size = hashlib.sha256(), 0
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open(target, flags, 0o600), "wb") as file:
            for chunk in chunks:
                size += len(chunk)
                self.size += len(chunk)
                self.check_size(0)
                digest.update(chunk)
                file.write(chunk)
            file.flush()
            os.fchmod(file.fileno(), 0o755 if executable else 0o644)
            os.utime(file.fileno(), (TIME, TIME))
        self.links.pop(path, None)
        self.entries[path] = Entry(
            path=path, kind="file", size=size, sha256=digest.hexdigest(), executable=executable
        )

    def check_size(self, more: int) -> None:
        """Refuse a submission that is, or is about to be, too large."""
        if self.size + more > self.limits.size:
            raise Unusable(f"more than {self.limits.size} bytes")

    def link(self, path: str, text: str) -> None:
        """Remember a link; the end decides on it."""
        if path not in self.entries:
            self.links[path] = text

    def _finish(self) -> Snapshot:
        """Make the links that are safe, and give the account."""
        with boundary(StorageError, "a submission can't be stored"):
            self._places = self.folders.union(*(_parents(path) for path in self.links))
            for path, text in sorted(self.links.items()):
                code = self._unsafe(path, text)
                if code:
                    self.drop(code, path)
                    continue
                self.entries[path] = Entry(path=path, kind="link", target=text)
            for entry in self.entries.values():
                if entry.kind == "link":
                    self._make_folders(entry.path)
                    os.symlink(entry.target, f"{self.dest}/{entry.path}")
                    place = f"{self.dest}/{entry.path}"
                    os.utime(place, (TIME, TIME), follow_symlinks=False)
            for folder in sorted(self.folders, reverse=True):
                os.utime(f"{self.dest}/{folder}", (TIME, TIME))
        entries = tuple(self.entries[path] for path in sorted(self.entries))
        return Snapshot(
            digest=tree_digest(entries),
            entries=entries,
            size=self.size,
            notes=tuple(self.notes),
            dropped=self.dropped,
        )

    def _conflict(self, path: str) -> str:
        """A file where a folder is needed or the other way round, or names that differ in case."""
        if path in self.folders:
            return "file-and-folder"
        place = ""
        for part in path.split("/"):
            if place in self.entries or place in self.links:
                return "file-and-folder"
            place = f"{place}/{part}" if place else part
            key = unicodedata.normalize("NFC", place).casefold()
            if self._cased.setdefault(key, place) != place:
                return "case-collision"
        return ""

    def _make_folders(self, path: str) -> None:
        for place in _parents(path):
            if place not in self.folders:
                os.mkdir(f"{self.dest}/{place}", 0o755)
                self.folders.add(place)

    def _unsafe(self, path: str, text: str) -> str:
        """Why a link can't be kept (a note's code), or nothing."""
        if text.startswith("/") or (code := name_complaint(text, self.limits.path)):
            return "link-absolute" if text.startswith("/") else code
        found = self._resolve(path.split("/")[:-1], text)
        if found is None:
            return "link-outside"
        place = "/".join(found)
        if f"{path}/".startswith(f"{place}/") or not place:
            return "link-loop"
        if place not in self.entries and place not in self._places:
            return "link-dangling"
        return ""

    def _resolve(self, base: list[str], text: str) -> list[str] | None:
        """Where a link leads, with all other links followed on paper; none if it leaves, or goes
        too far round.
        """
        place, todo, hops, steps = list(base), text.split("/"), 0, 0
        while todo:
            part, steps = todo.pop(0), steps + 1
            if steps > STEPS:
                return None
            if part == "..":
                if not place:
                    return None
                if "/".join(place) not in self._places:
                    return [*place, part]  # what isn't there has no parent: it dangles
                place.pop()
            elif part not in ("", "."):
                place.append(part)
                text = self.links.get("/".join(place), "")
                if text:
                    hops += 1
                    if hops > HOPS or text.startswith("/"):
                        return None
                    place.pop()
                    todo[:0] = text.split("/")
        return place
