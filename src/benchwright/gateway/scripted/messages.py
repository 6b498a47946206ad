"""Anthropic Messages, as the provider speaks it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import ClassVar

from benchwright.gateway.dialects import Json

from .actions import Tools
from .voice import Reply, frame, listed


class MessagesVoice:
    """A message; a tool call is a block of it."""

    dialect: ClassVar[str] = "messages"

    def tools(self, body: Json) -> Tools:
        """`tools[].input_schema`."""
        return {str(t.get("name")): t.get("input_schema") or {} for t in listed(body.get("tools"))}

    def results(self, body: Json) -> int:
        """Blocks of type `tool_result`."""
        messages = listed(body.get("messages"))
        blocks = [block for m in messages for block in listed(m.get("content"))]
        return sum(block.get("type") == "tool_result" for block in blocks)

    def whole(self, reply: Reply) -> Json:
        """A message."""
        content: list[Json] = [{"type": "text", "text": reply.text}] if reply.text else []
        if reply.call:
            content.append({**self._tool(reply), "input": reply.call.arguments})
        return {**self._head(reply), "content": content, **self._end(reply)}

    def events(self, reply: Reply) -> Iterator[bytes]:
        """`message_start` to `message_stop`."""
        start = {**self._head(reply), "content": [], "stop_reason": None, "stop_sequence": None}
        start["usage"] = {**self._usage(reply), "output_tokens": 1}
        yield self._event("message_start", message=start)
        index = 0
        if reply.text:
            block: Json = {"type": "text", "text": ""}
            yield self._event("content_block_start", index=0, content_block=block)
            for piece in reply.pieces:
                delta = {"type": "text_delta", "text": piece}
                yield self._event("content_block_delta", index=0, delta=delta)
            yield self._event("content_block_stop", index=0)
            index = 1
        if reply.call:
            block = {**self._tool(reply), "input": {}}
            yield self._event("content_block_start", index=index, content_block=block)
            delta = {"type": "input_json_delta", "partial_json": json.dumps(reply.call.arguments)}
            yield self._event("content_block_delta", index=index, delta=delta)
            yield self._event("content_block_stop", index=index)
        end = self._end(reply)
        usage = {"output_tokens": reply.tokens.output}
        yield self._event("message_delta", delta={k: end[k] for k in STOPS}, usage=usage)
        yield self._event("message_stop")

    def _event(self, kind: str, **data: object) -> bytes:
        return frame({"type": kind, **data}, kind)

    def _head(self, reply: Reply) -> Json:
        return {
            "id": f"msg_{reply.id}",
            "type": "message",
            "role": "assistant",
            "model": reply.model,
        }

    def _tool(self, reply: Reply) -> Json:
        assert reply.call is not None
        return {"type": "tool_use", "id": f"toolu_{reply.id}", "name": reply.call.name}

    def _end(self, reply: Reply) -> Json:
        reason = "tool_use" if reply.call else "end_turn"
        return {"stop_reason": reason, "stop_sequence": None, "usage": self._usage(reply)}

    def _usage(self, reply: Reply) -> Json:
        tokens = reply.tokens
        return {
            "input_tokens": tokens.input,
            "cache_creation_input_tokens": tokens.cache_write,
            "cache_read_input_tokens": tokens.cache_read,
            "output_tokens": tokens.output,
        }


STOPS = ("stop_reason", "stop_sequence")
