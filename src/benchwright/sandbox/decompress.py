"""A packed file's bytes, in bounded memory and of bounded number.

Contract: what comes out is never more than was allowed, whatever the file claims; a file that is
damaged, cut short or unpacks to more is unusable.
"""

from __future__ import annotations

import bz2
import lzma
import zlib
from dataclasses import dataclass, field
from typing import IO, Protocol

from .keep import Unusable

CHUNK = 1 << 16
MEMORY = 256 << 20
"""Bytes a decompressor may use."""
MAGICS = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz"}


class _Decompressor(Protocol):
    """What bz2 and lzma offer, and `_Gzip` too."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    @property
    def needs_input(self) -> bool: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Gzip:
    """zlib's decompressor with the others' manners."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(31)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, max_length)


def _decompressor(kind: str) -> _Decompressor:
    if kind == "gzip":
        return _Gzip()
    if kind == "bzip2":
        return bz2.BZ2Decompressor()
    return lzma.LZMADecompressor(memlimit=MEMORY)


@dataclass(slots=True)
class Stream:
    """The archive's bytes, decompressed; `read` gives exactly what was asked for."""

    file: IO[bytes]
    kind: str
    left: int
    """How many bytes may still come out."""
    tool: _Decompressor | None = None
    ready: bytearray = field(default_factory=bytearray)

    @classmethod
    def open(cls, file: IO[bytes], most: int) -> Stream:
        """A file's bytes, of which at most `most` may come out; its first bytes say how it is
        packed.
        """
        head = file.read(6)
        file.seek(0)
        kind = next((kind for magic, kind in MAGICS.items() if head.startswith(magic)), "plain")
        return cls(file, kind, most)

    def read(self, size: int) -> bytes:
        """Exactly `size` bytes, or fewer at the end."""
        while len(self.ready) < size and self._more():
            pass
        data = bytes(self.ready[:size])
        del self.ready[:size]
        return data

    def _more(self) -> bool:
        """Get some more bytes ready; false at the end."""
        if self.kind == "plain":
            data = self.file.read(CHUNK)
            found = bool(data)
        else:
            data, found = self._inflate()
        self.ready += data
        self.left -= len(data)
        if self.left < 0:
            raise Unusable("the archive unpacks to too much")
        return found

    def _inflate(self) -> tuple[bytes, bool]:
        """Some bytes, and whether there may be more."""
        tool = self.tool
        rest = tool.unused_data if tool is not None and tool.eof else b""
        if tool is None or tool.eof:
            rest = rest or (self.file.read(CHUNK))
            if not rest.strip(b"\0"):
                return b"", bool(rest)
            tool = self.tool = _decompressor(self.kind)
        elif tool.needs_input:
            rest = self.file.read(CHUNK)
            if not rest:
                raise Unusable("the archive is cut short")
        try:
            return tool.decompress(rest, CHUNK), True
        except (zlib.error, lzma.LZMAError, OSError, EOFError) as error:
            raise Unusable(f"the archive is damaged: {error}") from error
