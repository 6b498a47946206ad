"""OpenAI Responses. Usage: in the event that ends the response."""

from __future__ import annotations

from typing import ClassVar

from benchwright.formats import Tokens

from .base import Json, Reading, count, drop, keep_tools, replace_tools
from .chat import Chat

LOCAL = ("function", "custom", "local_shell", "apply_patch", "namespace")
ENDS = {"response.completed", "response.incomplete", "response.failed"}


class Responses(Chat):
    """`POST /v1/responses`."""

    name: ClassVar[str] = "responses"
    paths: ClassVar[tuple[str, ...]] = ("/responses",)

    def strip(self, body: Json) -> list[str]:
        """Every hosted tool, also those that come in the input, and what is kept elsewhere."""
        removed: list[str] = []
        replace_tools(body, LOCAL, removed)
        drop(body, ("prompt", "conversation", "background", "previous_response_id"), removed)
        items = body.get("input")
        for item in items if isinstance(items, list) else []:
            if isinstance(item, dict) and isinstance(item.get("tools"), list):
                item["tools"] = keep_tools(item["tools"], LOCAL, removed)
        return removed

    def prepare(self, body: Json) -> bool:  # noqa: ARG002 - usage is always stated
        """Nothing to do."""
        return False

    def output(self, body: Json) -> int:
        """`max_output_tokens`."""
        return count(body, "max_output_tokens")

    def read(self, reading: Reading, event: Json) -> None:
        """The last event, or a whole response."""
        kind = event.get("type")
        response = event.get("response") if kind in ENDS else event
        if kind in ENDS or event.get("object") == "response":
            response = response if isinstance(response, dict) else {}
            reading.counts.update(response.get("usage") or {})
            reading.model = str(response.get("model") or reading.model)
            reading.finished = True
            reading.error = str((response.get("error") or {}).get("message", ""))
        if kind == "error":
            reading.error = str(event.get("message", "error"))

    def tokens(self, counts: Json) -> Tokens | None:
        """`input_tokens` includes what was cached."""
        if not counts:
            return None
        read = count(counts, "input_tokens_details", "cached_tokens")
        write = count(counts, "input_tokens_details", "cache_write_tokens")
        return Tokens(
            input=max(0, count(counts, "input_tokens") - read - write),
            cache_read=read,
            cache_write=write,
            output=count(counts, "output_tokens"),
            reasoning=count(counts, "output_tokens_details", "reasoning_tokens"),
        )
