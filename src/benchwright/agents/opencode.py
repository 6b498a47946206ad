"""opencode: an open agent for any provider's models, a native program."""

import json
from collections.abc import Iterable, Iterator

from .atif import Json, Seen, at, mapping, text
from .layers import Npm
from .program import URL, Adapter

PROVIDER = {
    "npm": "@ai-sdk/openai-compatible",  # part of the program
    "options": {"baseURL": f"{URL}/v1", "apiKey": "{env:OPENAI_API_KEY}"},
    "models": {"{model}": {}},
}
CONFIG = {
    "provider": {"gw": PROVIDER}, "model": "gw/{model}", "small_model": "gw/{model}",
    "enabled_providers": ["gw"], "permission": "allow", "autoupdate": False, "share": "disabled",
    "tools": {"webfetch": False, "websearch": False},
}  # fmt: skip
OFF = ("MODELS_FETCH", "AUTOUPDATE", "DEFAULT_PLUGINS", "LSP_DOWNLOAD")


def steps(lines: Iterable[Json]) -> Iterator[Seen]:
    """Parts between the start and the finish of a step."""
    step = Seen()
    for line in lines:
        kind, part = line.get("type"), line.get("part")
        if kind == "text":
            step.text += text(at(part, "text"))
        elif kind == "reasoning":
            step.reasoning += text(at(part, "text"))
        elif kind == "tool_use":
            name, state = text(at(part, "callID")), at(part, "state")
            step.calls.append((name, text(at(part, "tool")), mapping(at(state, "input"))))
            step.results.append((name, text(at(state, "output") or at(state, "error"))))
        elif kind == "step_finish":
            yield step
            step = Seen()
    if step != Seen():
        yield step


def problem(lines: Iterable[Json]) -> str:
    """Its own last error."""
    found = [line.get("error") for line in lines if line.get("type") == "error"]
    return text(at(found[-1], "data", "message") or found[-1]) or "it failed" if found else ""


OPENCODE = Adapter(
    name="opencode",
    version="1.18.33",
    provider="openai",
    source=Npm("opencode-linux-{cpu}@{version}"),
    command="/agent/bin/opencode run --pure --format json --auto --title task",
    env={f"OPENCODE_DISABLE_{name}": "1" for name in OFF}
    | {"OPENCODE_CONFIG_CONTENT": json.dumps(CONFIG)},
    steps=steps,
    problem=problem,
)
