"""OpenAI Chat Completions, as the provider speaks it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import ClassVar

from benchwright.gateway.dialects import Json

from .actions import Tools
from .voice import Reply, frame, listed


class ChatVoice:
    """A completion with one choice."""

    dialect: ClassVar[str] = "chat"

    def tools(self, body: Json) -> Tools:
        """`tools[].function.parameters`."""
        found = [t.get("function") or {} for t in listed(body.get("tools"))]
        return {str(f.get("name")): f.get("parameters") or {} for f in found}

    def results(self, body: Json) -> int:
        """Messages whose role is `tool`."""
        return sum(m.get("role") == "tool" for m in listed(body.get("messages")))

    def whole(self, reply: Reply) -> Json:
        """A completion."""
        message: Json = {"role": "assistant", "content": reply.text or None, **self._calls(reply)}
        choice = {"index": 0, "message": message, "finish_reason": self._reason(reply)}
        head = self._head(reply, "chat.completion")
        return {**head, "choices": [choice], "usage": self._usage(reply)}

    def events(self, reply: Reply) -> Iterator[bytes]:
        """Chunks, the usage in the last one."""
        head = self._head(reply, "chat.completion.chunk")

        def chunk(delta: Json, reason: str | None = None) -> bytes:
            return frame(
                {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}
            )

        yield chunk({"role": "assistant", "content": ""})
        for piece in reply.pieces:
            yield chunk({"content": piece})
        if reply.call:
            yield chunk({"tool_calls": [{"index": 0, **self._calls(reply)["tool_calls"][0]}]})
        yield chunk({}, self._reason(reply))
        yield frame({**head, "choices": [], "usage": self._usage(reply)})
        yield b"data: [DONE]\n\n"

    def _head(self, reply: Reply, kind: str) -> Json:
        return {"id": f"chatcmpl-{reply.id}", "object": kind, "created": 0, "model": reply.model}

    def _reason(self, reply: Reply) -> str:
        return "tool_calls" if reply.call else "stop"

    def _calls(self, reply: Reply) -> Json:
        if not reply.call:
            return {}
        function = {"name": reply.call.name, "arguments": json.dumps(reply.call.arguments)}
        return {
            "tool_calls": [{"id": f"call_{reply.id}", "type": "function", "function": function}]
        }

    def _usage(self, reply: Reply) -> Json:
        tokens = reply.tokens
        prompt = tokens.input + tokens.cache_read + tokens.cache_write
        details = {"cached_tokens": tokens.cache_read}
        if tokens.cache_write:
            details["cache_write_tokens"] = tokens.cache_write
        return {
            "prompt_tokens": prompt,
            "completion_tokens": tokens.output,
            "total_tokens": prompt + tokens.output,
            "prompt_tokens_details": details,
            "completion_tokens_details": {"reasoning_tokens": tokens.reasoning},
        }
