"""Codex: OpenAI's agent, a native program."""

from collections.abc import Iterable, Iterator
from shlex import quote

from .atif import Json, Seen, at, text
from .layers import Npm
from .program import URL, Adapter

SETTINGS = (
    "analytics.enabled=false",
    'web_search="disabled"',
    "model_provider=gw",  # one of its own: the built-in one would try another protocol first
    f'model_providers.gw={{name="gw",base_url="{URL}/v1",env_key="OPENAI_API_KEY",'
    'wire_api="responses",request_max_retries=2,stream_max_retries=2}',
)


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
    failed = [line for line in lines if line.get("type") == "turn.failed"]
    return text(at(failed[-1], "error", "message")) or "it failed" if failed else ""


CODEX = Adapter(
    name="codex",
    version="0.171.0",
    provider="openai",
    source=Npm("@openai/codex@{version}-linux-{cpu}"),
    command="/agent/vendor/{machine}-unknown-linux-musl/bin/codex exec --json -m {model}"
    " --ephemeral --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox"
    f" --disable unbounded_connection_retries {' '.join(f'-c {quote(s)}' for s in SETTINGS)} -",
    env={},
    steps=steps,
    problem=problem,
)
