"""Claude Code: Anthropic's agent, a native program."""

from collections.abc import Iterable, Iterator

from .atif import Json, Seen, at, mapping, objects, text
from .layers import Npm
from .program import Adapter


def steps(lines: Iterable[Json]) -> Iterator[Seen]:
    """Messages come block by block; tool results follow in messages of the user."""
    step, last = Seen(), None
    for line in lines:
        if line.get("type") == "assistant" and at(line, "message", "id") != last:
            if last is not None:
                yield step
            step, last = Seen(), at(line, "message", "id")
        for block in objects(at(line, "message", "content")):
            kind, name = block.get("type"), text(block.get("id") or block.get("tool_use_id"))
            if kind == "text" and line.get("type") == "assistant":
                step.text += text(block.get("text"))
            elif kind == "thinking":
                step.reasoning += text(block.get("thinking"))
            elif kind == "tool_use":
                step.calls.append((name, text(block.get("name")), mapping(block.get("input"))))
            elif kind == "tool_result":
                step.results.append((name, text(block.get("content"))))
    if last is not None:
        yield step


def problem(lines: Iterable[Json]) -> str:
    """`is_error` of the result counts; its `subtype` says "success" even then."""
    found = [line for line in lines if line.get("type") == "result" and line.get("is_error")]
    return text(found[-1].get("result")) or "it failed" if found else ""


CLAUDE_CODE = Adapter(
    name="claude-code",
    version="2.1.332",
    provider="anthropic",
    source=Npm("@anthropic-ai/claude-code-linux-{cpu}@{version}"),
    command="/agent/claude -p --verbose --output-format stream-json --model {model} "
    "--dangerously-skip-permissions --no-session-persistence --strict-mcp-config "
    "--disallowedTools WebSearch,WebFetch --setting-sources ''",
    env={f"ANTHROPIC_DEFAULT_{size}_MODEL": "{model}" for size in ("OPUS", "SONNET", "HAIKU")}
    | {
        "CLAUDE_CODE_SUBAGENT_MODEL": "{model}",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "CLAUDE_CODE_MAX_RETRIES": "3",
        "DISABLE_AUTOUPDATER": "1",
    },
    steps=steps,
    problem=problem,
)
