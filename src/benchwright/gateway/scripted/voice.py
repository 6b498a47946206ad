"""What a scripted model says, in each provider's wire format."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from benchwright.formats import Tokens
from benchwright.gateway.dialects import Json

from .actions import ToolCall, Tools


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer."""

    id: str
    model: str
    text: str
    call: ToolCall | None
    tokens: Tokens

    @property
    def pieces(self) -> Iterator[str]:
        """The text as it is streamed."""
        return (self.text[i : i + 24] for i in range(0, len(self.text), 24))


class Voice(Protocol):
    """A provider's side of a dialect."""

    dialect: ClassVar[str]

    def tools(self, body: Json) -> Tools:
        """The tools that a request offers."""

    def results(self, body: Json) -> int:
        """How many tool results a request holds."""

    def whole(self, reply: Reply) -> Json:
        """The answer as one document."""

    def events(self, reply: Reply) -> Iterator[bytes]:
        """The answer as a stream."""


def frame(data: Json, event: str = "") -> bytes:
    """One server-sent event."""
    head = f"event: {event}\n" if event else ""
    return f"{head}data: {json.dumps(data)}\n\n".encode()


def listed(value: object) -> list[dict[str, Any]]:
    """The objects in a list, if it is one."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
