"""OpenAI Responses, as the provider speaks it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import ClassVar

from benchwright.gateway.dialects import Json

from .actions import CODE, ToolCall, Tools
from .voice import Reply, frame, listed


class ResponsesVoice:
    """A response; its output is a list of items."""

    dialect: ClassVar[str] = "responses"

    def tools(self, body: Json) -> Tools:
        """`tools`, also those inside namespaces and inside the input."""
        found: dict[str, Json] = {}
        lists = [body.get("tools"), *(i.get("tools") for i in listed(body.get("input")))]
        for tool in [t for tools in lists for t in listed(tools)]:
            for each in listed(tool.get("tools")) or [tool]:
                found[str(each.get("name"))] = each.get("parameters") or {}
        return found

    def results(self, body: Json) -> int:
        """Items that are the output of a call."""
        items = listed(body.get("input"))
        return sum(str(item.get("type")).endswith("_call_output") for item in items)

    def whole(self, reply: Reply) -> Json:
        """A response."""
        items = [item for item, _ in self._items(reply)]
        return {**self._response(reply, "completed"), "output": items, "usage": self._usage(reply)}

    def events(self, reply: Reply) -> Iterator[bytes]:
        """`response.created` to `response.completed`, numbered."""
        for number, (kind, data) in enumerate(self._events(reply)):
            yield frame({"type": kind, "sequence_number": number, **data}, kind)

    def _events(self, reply: Reply) -> Iterator[tuple[str, Json]]:
        started = {**self._response(reply, "in_progress"), "output": []}
        yield "response.created", {"response": started}
        for index, (item, empty) in enumerate(self._items(reply)):
            at = {"output_index": index, "item_id": item["id"]}
            yield "response.output_item.added", {"output_index": index, "item": empty}
            yield from self._deltas(reply, item, at)
            yield "response.output_item.done", {"output_index": index, "item": item}
        yield "response.completed", {"response": self.whole(reply)}

    def _deltas(self, reply: Reply, item: Json, at: Json) -> Iterator[tuple[str, Json]]:
        if item["type"] == "message":
            at = {**at, "content_index": 0}
            part = {"type": "output_text", "text": "", "annotations": []}
            yield "response.content_part.added", {**at, "part": part}
            for piece in reply.pieces:
                yield "response.output_text.delta", {**at, "delta": piece}
            yield "response.output_text.done", {**at, "text": reply.text}
            yield "response.content_part.done", {**at, "part": {**part, "text": reply.text}}
        elif item["type"] == "function_call":
            arguments = item["arguments"]
            yield "response.function_call_arguments.delta", {**at, "delta": arguments}
            yield "response.function_call_arguments.done", {**at, "arguments": arguments}
        else:
            yield "response.custom_tool_call_input.delta", {**at, "delta": item["input"]}
            yield "response.custom_tool_call_input.done", {**at, "input": item["input"]}

    def _items(self, reply: Reply) -> list[tuple[Json, Json]]:
        """Each item of the output, and how it begins."""
        items = []
        if reply.text:
            head = {"id": f"msg_{reply.id}", "type": "message", "role": "assistant"}
            part = {"type": "output_text", "text": reply.text, "annotations": []}
            items.append(
                (
                    {**head, "status": "completed", "content": [part]},
                    {**head, "status": "in_progress", "content": []},
                )
            )
        if reply.call:
            items.append(self._call(reply.id, reply.call))
        return items

    def _call(self, number: str, call: ToolCall) -> tuple[Json, Json]:
        head = {"id": f"fc_{number}", "call_id": f"call_{number}", "name": call.name}
        head["status"] = "completed"
        if call.name == CODE:
            head |= {"type": "custom_tool_call", "namespace": "functions"}
            return {**head, "input": call.code}, {**head, "input": ""}
        head["type"] = "function_call"
        return {**head, "arguments": json.dumps(call.arguments)}, {**head, "arguments": ""}

    def _response(self, reply: Reply, status: str) -> Json:
        return {
            "id": f"resp_{reply.id}",
            "object": "response",
            "created_at": 0,
            "status": status,
            "model": reply.model,
            "error": None,
            "incomplete_details": None,
        }

    def _usage(self, reply: Reply) -> Json:
        tokens = reply.tokens
        given = tokens.input + tokens.cache_read + tokens.cache_write
        details = {"cached_tokens": tokens.cache_read}
        if tokens.cache_write:
            details["cache_write_tokens"] = tokens.cache_write
        return {
            "input_tokens": given,
            "input_tokens_details": details,
            "output_tokens": tokens.output,
            "output_tokens_details": {"reasoning_tokens": tokens.reasoning},
            "total_tokens": given + tokens.output,
        }
