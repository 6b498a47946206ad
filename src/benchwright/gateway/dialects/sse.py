"""Reading events out of a byte stream without touching it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

LIMIT = 32 << 20


class Events:
    """Finds the JSON objects in a body: server-sent events, or one whole document."""

    def __init__(self, stream: bool) -> None:
        self._stream = stream
        self._rest = bytearray()

    def feed(self, data: bytes) -> Iterator[dict[str, Any]]:
        """The events that `data` completes. Past the limit nothing is read any more."""
        if len(self._rest) + len(data) > LIMIT:
            self._rest.clear()
            return
        self._rest += data
        if not self._stream:
            return
        *lines, rest = self._rest.split(b"\n")
        self._rest = bytearray(rest)
        for line in lines:
            yield from self._line(bytes(line))

    def close(self) -> Iterator[dict[str, Any]]:
        """What the end of the body completes."""
        rest = bytes(self._rest)
        yield from self._line(rest) if self._stream else parsed(rest)

    def _line(self, line: bytes) -> Iterator[dict[str, Any]]:
        if line.startswith(b"data:"):
            yield from parsed(line[5:])


def parsed(data: bytes) -> Iterator[dict[str, Any]]:
    """The object in some bytes, if they hold one."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return
    if isinstance(value, dict):
        yield value
