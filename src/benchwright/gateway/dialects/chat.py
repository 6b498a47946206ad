"""OpenAI Chat Completions. Usage: in the last chunk, if it was asked for."""

from __future__ import annotations

from typing import ClassVar

from benchwright.formats import Tokens

from .base import Json, Reading, count, drop, replace_tools

LOCAL = ("function", "custom")
ERRORS = {401: "invalid_api_key", 404: "model_not_found", 429: "rate_limit_exceeded"}


class Chat:
    """`POST /v1/chat/completions`."""

    name: ClassVar[str] = "chat"
    provider: ClassVar[str] = "openai"
    paths: ClassVar[tuple[str, ...]] = ("/chat/completions",)

    def key(self, secret: str) -> dict[str, str]:
        """As a bearer token."""
        return {"authorization": f"Bearer {secret}"}

    def strip(self, body: Json) -> list[str]:
        """Hosted tools, web search, routers' plugins."""
        removed: list[str] = []
        replace_tools(body, LOCAL, removed)
        drop(body, ("web_search_options", "plugins"), removed)
        return removed

    def prepare(self, body: Json) -> bool:
        """Ask a stream for its usage."""
        options = body.get("stream_options")
        if not body.get("stream") or (isinstance(options, dict) and options.get("include_usage")):
            return False
        body["stream_options"] = {**(options or {}), "include_usage": True}
        return True

    def output(self, body: Json) -> int:
        """`max_completion_tokens`, or as it was called before."""
        return count(body, "max_completion_tokens") or count(body, "max_tokens")

    def read(self, reading: Reading, event: Json) -> None:
        """A chunk, or a whole completion."""
        if isinstance(event.get("usage"), dict):
            reading.counts.update(event["usage"])
        reading.model = str(event.get("model") or reading.model)
        choices = event.get("choices")
        for choice in choices if isinstance(choices, list) else []:
            if isinstance(choice, dict) and choice.get("finish_reason"):
                reading.finished = True
        if isinstance(event.get("error"), dict):
            reading.error = str(event["error"].get("message", "error"))

    def tokens(self, counts: Json) -> Tokens | None:
        """`prompt_tokens` includes what was cached."""
        if not counts:
            return None
        read = count(counts, "prompt_tokens_details", "cached_tokens")
        write = count(counts, "prompt_tokens_details", "cache_write_tokens")
        return Tokens(
            input=max(0, count(counts, "prompt_tokens") - read - write),
            cache_read=read,
            cache_write=write,
            output=count(counts, "completion_tokens"),
            reasoning=count(counts, "completion_tokens_details", "reasoning_tokens"),
        )

    def error(self, status: int, message: str) -> Json:
        """`{"error": {…}}`."""
        kind = "invalid_request_error" if status < 500 else "server_error"
        code = ERRORS.get(status)
        return {"error": {"message": message, "type": kind, "param": None, "code": code}}
