"""Codex: OpenAI's agent, a native program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .atif import Json, Seen, at, text
from .layers import Npm
from .program import URL, Adapter, Setup

PROVIDER = (
    f'model_providers.gw={{name="gw",base_url="{URL}/v1",env_key="OPENAI_API_KEY",'
    'wire_api="responses",request_max_retries=2,stream_max_retries=2}'
)
"""A provider of its own, since the built-in one would try another protocol first."""


def command(setup: Setup) -> tuple[str, ...]:
    """Headless, without its own sandbox, searches and statistics."""
    settings = ("analytics.enabled=false", 'web_search="disabled"', "model_provider=gw", PROVIDER)
    return (
        "/agent/vendor/x86_64-unknown-linux-musl/bin/codex".replace("x86_64", _machine()), "exec",
        "--json", "--skip-git-repo-check", "--ephemeral",
        "--dangerously-bypass-approvals-and-sandbox", "--disable", "unbounded_connection_retries",
        *(word for setting in settings for word in ("-c", setting)), "-m", setup.model, "-",
    )  # fmt: skip


def _machine() -> str:
    import platform

    return {"arm64": "aarch64"}.get(platform.machine(), platform.machine())


def steps(lines: Iterable[Json]) -> Iterator[Seen]:
    """Each finished item is a step: something said, or something done with its result."""
    for line in lines:
        item = line.get("item")
        if line.get("type") != "item.completed" or not isinstance(item, dict):
            continue
        kind, name = text(item.get("type")), text(item.get("id"))
        if kind == "agent_message":
            yield Seen(text=text(item.get("text")))
        elif kind == "reasoning":
            yield Seen(reasoning=text(item.get("text")))
        elif kind != "error":
            given = {k: v for k, v in item.items() if k not in ("id", "type", "aggregated_output")}
            output = text(item.get("aggregated_output"))
            yield Seen(calls=[(name, kind, given)], results=[(name, output)])


def problem(lines: Iterable[Json]) -> str:
    """The error of a failed turn."""
    found = [
        text(at(line, "error", "message")) for line in lines if line.get("type") == "turn.failed"
    ]
    return found[-1] or "it failed" if found else ""


CODEX = Adapter(
    name="codex",
    version="0.171.0",
    provider="openai",
    source=Npm("@openai/codex@{version}-linux-{cpu}"),
    command=command,
    env=lambda _: {},
    steps=steps,
    problem=problem,
)
