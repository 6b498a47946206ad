"""What the gateway must know of a provider's wire format.

A dialect never changes bytes by itself: it says what is in them. Adding one is a module with one
class, one line in `DIALECTS`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from benchwright.formats import Tokens

Json = dict[str, Any]


@dataclass(slots=True)
class Reading:
    """What has been seen of an answer so far."""

    counts: Json = field(default_factory=dict)
    """The provider's own usage object, later statements over earlier ones."""
    model: str = ""
    finished: bool = False
    """The provider said that the answer is whole."""
    error: str = ""


class Dialect(Protocol):
    """One provider's wire format."""

    name: ClassVar[str]
    provider: ClassVar[str]
    """Whose prices and whose key."""
    paths: ClassVar[tuple[str, ...]]
    """Below `/v1`."""

    def key(self, secret: str) -> dict[str, str]:
        """The header that carries a key."""

    def strip(self, body: Json) -> list[str]:
        """Take out of a request whatever would run at the provider's; says what it was."""

    def prepare(self, body: Json) -> bool:
        """Make sure that the answer will state its usage; whether the request had to change."""

    def output(self, body: Json) -> int:
        """The most tokens that the request allows in the answer; 0 where it doesn't say."""

    def read(self, reading: Reading, event: Json) -> None:
        """Take note of one event of a stream, or of a whole answer."""

    def tokens(self, counts: Json) -> Tokens | None:
        """The provider's counts, normalised; None where it gave none."""

    def error(self, status: int, message: str) -> Json:
        """An error as this provider would word it."""


def count(counts: Json, *path: str) -> int:
    """The whole number at a path of an untrusted object; 0 where there is none."""
    value: Any = counts
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, int) and value > 0 else 0


def keep_tools(tools: object, allowed: tuple[str, ...], removed: list[str]) -> list[Any]:
    """The tools that run in the sandbox; names of the others are added to `removed`.

    A list of what is allowed, not of what isn't: a hosted tool that a provider adds tomorrow must
    not be a way out.
    """
    kept = []
    for tool in tools if isinstance(tools, list) else []:
        kind = str(tool.get("type") or "custom") if isinstance(tool, dict) else "?"
        if kind in allowed or any(a.endswith("*") and kind.startswith(a[:-1]) for a in allowed):
            if isinstance(tool, dict) and isinstance(tool.get("tools"), list):
                tool["tools"] = keep_tools(tool["tools"], allowed, removed)
            kept.append(tool)
        else:
            removed.append(kind)
    return kept


def drop(body: Json, names: tuple[str, ...], removed: list[str]) -> None:
    """Take fields out of a request."""
    removed.extend(name for name in names if body.pop(name, None))


def replace_tools(body: Json, allowed: tuple[str, ...], removed: list[str]) -> None:
    """Filter `tools`, and a `tool_choice` that could name what went."""
    if "tools" not in body:
        return
    before = len(removed)
    body["tools"] = keep_tools(body["tools"], allowed, removed)
    if len(removed) > before:
        body.pop("tool_choice", None)
        if not body["tools"]:
            del body["tools"]


def remote(body: Json) -> str:
    """The first reference by which the provider would fetch something itself, or "".

    Media must come as data. What the agent's own tools are called with isn't looked at.
    """
    return _remote([body.get(name) for name in ("system", "messages", "input")], 0)


def _remote(value: object, depth: int) -> str:
    if depth > 16:
        return "content nested deeper than 16"
    if isinstance(value, list):
        return next((found for item in value if (found := _remote(item, depth + 1))), "")
    if not isinstance(value, dict):
        return ""
    url = value.get("image_url")
    url = url.get("url") if isinstance(url, dict) else url
    if isinstance(url, str) and not url.startswith("data:"):
        return "image_url"
    if value.get("type") == "url":
        return "url"
    for name in ("file_url", "file_id"):
        if value.get(name):
            return name
    below = [value.get(name) for name in ("content", "source", "output", "file")]
    return _remote(below, depth + 1)
