"""Reading a submitted tar archive, without `tarfile`.

Contract: as `freeze`, for a `.tar`, `.tar.gz`, `.tar.bz2` or `.tar.xz`. Members are read in one
pass; nothing is held in memory but the member at hand; what a header claims is believed only
within bounds. A member that can't be kept is left out with a note; an archive that breaks a bound
or is damaged is unusable.

`tarfile` isn't used: it reads a header's extension of any size into memory, and its `data` filter
can be left by a long chain of links.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchwright.formats import Snapshot, SubmissionError

from .decompress import CHUNK, Stream
from .keep import DEFAULTS, FreezeLimits, Keeper, Unusable

BLOCK = 512
EXTENSION = 1 << 16
"""Bytes of one extended header."""


def unpack_tar(archive: Path, dest: Path, limits: FreezeLimits = DEFAULTS) -> Snapshot:
    """Unpack what can be judged of `archive` into `dest` (new or empty).

    Raises:
        SubmissionError: it can't be read, or isn't a tar archive at all.
        InputError: `dest` holds something.
        StorageError: `dest` can't be written.
    """
    try:
        if not archive.is_file():
            raise SubmissionError(f"{archive}: not a file")
        with archive.open("rb") as file:
            stream = Stream.open(file, limits.size + limits.files * 4 * BLOCK)
            reader = _Members(Keeper(dest, limits), stream, str(archive))
            reader.begin()
            return reader.keeper.keep(reader.run)
    except OSError as error:
        raise SubmissionError(f"{archive}: can't be read: {error.strerror}") from error


@dataclass(frozen=True, slots=True)
class Header:
    """One member's header, as far as it is used."""

    name: str
    kind: bytes
    size: int
    mode: int
    link: str


@dataclass(slots=True)
class _Members:
    """The members of one archive."""

    keeper: Keeper
    source: Stream
    label: str
    first: bytes = b""

    def begin(self) -> None:
        """Look at the first block: is this a tar archive at all?"""
        try:
            self.first = self.source.read(BLOCK)
            whole = len(self.first) == BLOCK
            good = whole and (not self.first.strip(b"\0") or parse_header(self.first) is not None)
        except Unusable:
            good = False
        if not good:
            raise SubmissionError(
                f"{self.label}: not a tar archive",
                hint="a submission is a folder, a .tar (also .gz, .bz2, .xz) or a patch",
            )

    def run(self) -> None:
        """Keep every member that can be kept."""
        extra: dict[str, str] = {}
        while (header := self._next()) is not None:
            if header.kind in (b"x", b"g", b"L", b"K"):
                extra |= self._extension(header)
                continue
            if any(key.startswith("GNU.sparse") for key in extra) or header.kind == b"S":
                raise Unusable("the archive holds sparse members, which aren't read")
            self.keeper.look()
            self._member(_extended(header, extra))
            extra = {}

    def _next(self) -> Header | None:
        block = self.first or self.source.read(BLOCK)
        self.first = b""
        if not block.strip(b"\0"):
            return None
        header = parse_header(block) if len(block) == BLOCK else None
        if header is None:
            raise Unusable("the archive is damaged: a header is broken")
        return header

    def _extension(self, header: Header) -> dict[str, str]:
        """What an extended header says about the next member; global ones say nothing to us."""
        if header.size > EXTENSION:
            raise Unusable("the archive holds an extended header that is too large")
        data = b"".join(self._body(header.size))
        self.keeper.look()
        if header.kind == b"g":
            return {}
        if header.kind == b"x":
            return pax(data)
        text = data.split(b"\0", 1)[0].decode("utf-8", "surrogateescape")
        return {"path" if header.kind == b"L" else "linkpath": text}

    def _member(self, header: Header) -> None:
        path = header.name
        while path.startswith("./"):
            path = path[2:].lstrip("/")
        path = path.rstrip("/") if header.kind == b"5" else path
        body = self._body(header.size)
        if path not in ("", ".") and self.keeper.accepts(path):
            self._place(path, header, body)
        for _ in body:  # what wasn't wanted is passed over
            pass

    def _place(self, path: str, header: Header, body: Iterator[bytes]) -> None:
        keeper = self.keeper
        if header.kind in (b"0", b"\0", b"7"):
            keeper.check_size(header.size)
            keeper.file(path, body, executable=bool(header.mode & 0o100))
        elif header.kind == b"1":
            self._same(path, header)
        elif header.kind == b"2":
            keeper.link(path, header.link)
        elif header.kind != b"5":
            keeper.drop("special-file", path)

    def _same(self, path: str, header: Header) -> None:
        """A hard link: another copy of a member that came before, or nothing."""
        entry = self.keeper.entries.get(header.link.removeprefix("./"))
        if entry is None or entry.path == path:
            self.keeper.drop("hard-link-outside", path)
            return
        self.keeper.check_size(entry.size)
        with (self.keeper.dest / entry.path).open("rb") as file:
            chunks = iter(lambda: file.read(CHUNK), b"")
            self.keeper.file(path, chunks, executable=entry.executable)

    def _body(self, size: int) -> Iterator[bytes]:
        """A member's bytes; its padding is read too."""
        left = size
        while left:
            data = self.source.read(min(left, CHUNK))
            if not data:
                raise Unusable("the archive is cut short")
            left -= len(data)
            yield data
        self.source.read(-size % BLOCK)


def parse_header(block: bytes) -> Header | None:
    """The header in a block; none if its checksum or a number is wrong."""
    plain = block[:148] + b" " * 8 + block[156:]
    size, mode, check = (_number(block[a:b]) for a, b in ((124, 136), (100, 108), (148, 156)))
    if size is None or mode is None or check != sum(plain):
        return None
    name = _text(block[:100])
    if block[257:263] == b"ustar\0" and (prefix := _text(block[345:500])):
        name = f"{prefix}/{name}"
    kind = block[156:157]
    if kind in (b"1", b"2", b"3", b"4", b"5", b"6"):
        size = 0
    return Header(name, kind, size, mode, _text(block[157:257]))


def _text(data: bytes) -> str:
    return data.split(b"\0", 1)[0].decode("utf-8", "surrogateescape")


def _number(data: bytes) -> int | None:
    """An octal number, or GNU's base-256 form; none if it is neither."""
    if data[0] == 0x80:
        return int.from_bytes(data[1:], "big")
    text = data.split(b"\0", 1)[0].strip()
    if not text:
        return 0
    return int(text, 8) if all(c in b"01234567" for c in text) else None


def pax(data: bytes) -> dict[str, str]:
    """The records of an extended header.

    Raises:
        Unusable: they are malformed.
    """
    found: dict[str, str] = {}
    while data:
        digits, space, _ = data.partition(b" ")
        size = int(digits) if space and digits.isdigit() and len(digits) < 7 else 0
        record = data[len(digits) + 1 : size]
        key, equals, value = record.partition(b"=")
        if not size or size > len(data) or not equals or not value.endswith(b"\n"):
            raise Unusable("the archive is damaged: an extended header is broken")
        text = value[:-1].decode("utf-8", "surrogateescape")
        found[key.decode("utf-8", "replace")] = text
        data = data[size:]
    return found


def _extended(header: Header, extra: dict[str, str]) -> Header:
    size = extra.get("size", "")
    if size and not (size.isascii() and size.isdigit() and len(size) < 20):
        raise Unusable("the archive is damaged: a size isn't a number")
    name, kind = extra.get("path", header.name), header.kind
    if name.endswith("/") and kind in (b"0", b"\0"):
        kind = b"5"  # what old writers said for a folder; a shortened name may end so by chance
    return Header(
        name=name,
        kind=kind,
        size=int(size) if size and header.size else header.size,
        mode=header.mode,
        link=extra.get("linkpath", header.link),
    )
