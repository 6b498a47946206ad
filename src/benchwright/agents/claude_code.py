"""Claude Code: Anthropic's agent, a native program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .atif import Json, Seen, at, mapping, objects, text
from .layers import Npm
from .program import Adapter, Setup


def command(setup: Setup) -> tuple[str, ...]:
    """Headless, all tools allowed but those that need a network."""
    return (
        "/agent/claude", "-p", "--verbose", "--output-format", "stream-json", "--model",
        setup.model, "--dangerously-skip-permissions", "--no-session-persistence",
        "--disallowedTools", "WebSearch,WebFetch", "--strict-mcp-config", "--setting-sources", "",
    )  # fmt: skip


def env(setup: Setup) -> dict[str, str]:
    """Its address and token are in the box already."""
    models = {
        f"ANTHROPIC_DEFAULT_{size}_MODEL": setup.model for size in ("OPUS", "SONNET", "HAIKU")
    }
    return models | {
        "CLAUDE_CODE_SUBAGENT_MODEL": setup.model,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "CLAUDE_CODE_MAX_RETRIES": "3",
        "DISABLE_AUTOUPDATER": "1",
    }


def steps(lines: Iterable[Json]) -> Iterator[Seen]:
    """Messages come block by block; tool results follow in messages of the user."""
    step, last = Seen(), None
    for line in lines:
        blocks = objects(at(line, "message", "content"))
        if line.get("type") == "assistant" and at(line, "message", "id") != last:
            if last is not None:
                yield step
            step, last = Seen(), at(line, "message", "id")
        for block in blocks:
            match block.get("type"):
                case "text" if line.get("type") == "assistant":
                    step.text += text(block.get("text"))
                case "thinking":
                    step.reasoning += text(block.get("thinking"))
                case "tool_use":
                    step.calls.append(
                        (
                            text(block.get("id")),
                            text(block.get("name")),
                            mapping(block.get("input")),
                        )
                    )
                case "tool_result":
                    result = (text(block.get("tool_use_id")), text(block.get("content")))
                    step.results.append(result)
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
    command=command,
    env=env,
    steps=steps,
    problem=problem,
)
