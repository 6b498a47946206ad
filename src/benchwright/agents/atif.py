"""From what an agent's program printed to a trajectory.

The programs print JSON, one object a line; what in it is a step differs. An adapter turns objects
into `Seen` steps, this makes a document of them. The lines are written by a process that ran
hostile code: they're bounded, anything else than what is expected is skipped, and token counts are
not taken from them (the ledger has those).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from benchwright.formats import (
    AgentInfo,
    AtifAgent,
    AtifObservation,
    AtifResult,
    AtifStep,
    AtifToolCall,
    AtifTotals,
    Trajectory,
    Usage,
)

Json = dict[str, Any]
STEPS = 10_000
TEXT = 200_000
"""Characters kept of one text."""


@dataclass(slots=True)
class Seen:
    """One step of the agent."""

    text: str = ""
    reasoning: str = ""
    calls: list[tuple[str, str, Json]] = field(default_factory=list)
    """Id, tool, arguments."""
    results: list[tuple[str, str]] = field(default_factory=list)
    """Id of the call, what it gave."""
    extra: Json = field(default_factory=dict)


def lines(data: bytes) -> Iterator[Json]:
    """The objects among the lines of an output."""
    for line in data.splitlines():
        if line.lstrip()[:1] == b"{":
            try:
                value = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(value, dict):
                yield value


def chat(lines: Iterable[Json]) -> Iterator[Seen]:
    """Steps among messages of Chat Completions: the assistant's, each with the tools' after it."""
    step = Seen()
    for line in lines:
        if line.get("role") == "assistant":
            if step != Seen():
                yield step
            step = Seen(text(line.get("content")), text(line.get("reasoning_content")))
            for call in objects(line.get("tool_calls")):
                name, arguments = at(call, "function", "name"), at(call, "function", "arguments")
                step.calls.append((text(call.get("id")), text(name), mapping(arguments)))
        elif line.get("role") == "tool":
            step.results.append((text(line.get("tool_call_id")), text(line.get("content"))))
    if step != Seen():
        yield step


def trajectory(
    info: AgentInfo, prompt: str, steps: Iterable[Seen], usage: Usage | None
) -> Trajectory:
    """The document: the prompt, then what the agent did."""
    made = [AtifStep(step_id=1, source="user", message=prompt)]
    notes = None
    for seen in steps:
        if len(made) >= STEPS:
            notes = f"only the first {STEPS} steps are kept"
            break
        made.append(_step(len(made) + 1, seen, info.model))
    return Trajectory(
        agent=AtifAgent(name=info.name, version=info.version, model_name=info.model or None),
        steps=made,
        notes=notes,
        final_metrics=_totals(usage, len(made)) if usage else None,
    )


def _step(number: int, seen: Seen, model: str) -> AtifStep:
    ids = {name for name, _, _ in seen.calls}
    calls = [
        AtifToolCall(tool_call_id=name, function_name=tool, arguments=arguments)
        for name, tool, arguments in seen.calls
    ]
    results = [
        AtifResult(source_call_id=name if name in ids else None, content=content[:TEXT])
        for name, content in seen.results
    ]
    return AtifStep(
        step_id=number,
        source="agent",
        message=seen.text[:TEXT],
        model_name=model or None,
        reasoning_content=seen.reasoning[:TEXT] or None,
        tool_calls=calls or None,
        observation=AtifObservation(results=results) if results else None,
        extra=seen.extra or None,
    )


def _totals(usage: Usage, steps: int) -> AtifTotals:
    return AtifTotals(
        total_prompt_tokens=usage.input_tokens,
        total_completion_tokens=usage.output_tokens,
        total_cached_tokens=usage.cached_tokens,
        total_cost_usd=usage.cost,
        total_steps=steps,
        extra={"calls": usage.calls, "reasoning_tokens": usage.reasoning_tokens},
    )


def at(value: object, *path: str | int) -> Any:
    """What is at a path of an untrusted value; None where there is nothing."""
    for name in path:
        if isinstance(value, dict) and isinstance(name, str):
            value = value.get(name)
        elif isinstance(value, list) and isinstance(name, int) and -len(value) <= name < len(value):
            value = value[name]
        else:
            return None
    return value


def objects(value: object) -> list[Json]:
    """The objects of a list, if it is one."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def mapping(value: object) -> Json:
    """Arguments of a call: an object, or the JSON text of one."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {"text": value}
    return value if isinstance(value, dict) else {}


def text(value: object) -> str:
    """Text, or the texts of a list of parts."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(filter(None, (text(at(part, "text")) for part in value)))
    return "" if value is None else json.dumps(value)
