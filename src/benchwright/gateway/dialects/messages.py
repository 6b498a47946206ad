"""Anthropic Messages. Usage: in `message_start`, brought up to date by `message_delta`."""

from __future__ import annotations

from typing import ClassVar

from benchwright.formats import Tokens

from .base import Json, Reading, count, drop, replace_tools

LOCAL = ("custom", "bash_*", "text_editor_*", "memory_*", "tool_search_tool_*")
ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
}


class Messages:
    """`POST /v1/messages`."""

    name: ClassVar[str] = "messages"
    provider: ClassVar[str] = "anthropic"
    paths: ClassVar[tuple[str, ...]] = ("/messages", "/messages/count_tokens")

    def key(self, secret: str) -> dict[str, str]:
        """As `x-api-key`."""
        return {"x-api-key": secret}

    def strip(self, body: Json) -> list[str]:
        """Web search, web fetch, code execution, remote MCP servers, containers."""
        removed: list[str] = []
        replace_tools(body, LOCAL, removed)
        drop(body, ("mcp_servers", "container"), removed)
        return removed

    def prepare(self, body: Json) -> bool:  # noqa: ARG002 - usage is always stated
        """Nothing to do."""
        return False

    def output(self, body: Json) -> int:
        """`max_tokens`."""
        return count(body, "max_tokens")

    def read(self, reading: Reading, event: Json) -> None:
        """`message_start`, `message_delta`, `message_stop`, `error`, or a whole message."""
        kind = event.get("type")
        message = event.get("message") if kind == "message_start" else event
        if kind in {"message_start", "message", "message_delta"} and isinstance(message, dict):
            reading.counts.update(
                {k: v for k, v in (message.get("usage") or {}).items() if v is not None}
            )
            reading.model = str(message.get("model") or reading.model)
        if kind in {"message_stop", "message"} or "input_tokens" in event:
            reading.finished = True
        if kind == "error":
            reading.error = str((event.get("error") or {}).get("message", "error"))

    def tokens(self, counts: Json) -> Tokens | None:
        """`input_tokens` excludes what was cached; thinking is part of the output."""
        if not counts:
            return None
        return Tokens(
            input=count(counts, "input_tokens"),
            cache_read=count(counts, "cache_read_input_tokens"),
            cache_write=count(counts, "cache_creation_input_tokens"),
            output=count(counts, "output_tokens"),
            reasoning=count(counts, "output_tokens_details", "thinking_tokens"),
        )

    def error(self, status: int, message: str) -> Json:
        """`{"type": "error", "error": {…}}`."""
        kind = ERRORS.get(status, "api_error")
        return {"type": "error", "error": {"type": kind, "message": message}}
