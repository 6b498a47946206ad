"""opencode: an open agent for any provider's models, a native program."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from .atif import Json, Seen, at, mapping, text
from .layers import Npm
from .program import URL, Adapter, Setup


def command(setup: Setup) -> tuple[str, ...]:  # noqa: ARG001 - the model is in its configuration
    """Headless; a title of ours saves a call for one."""
    return ("/agent/bin/opencode", "run", "--pure", "--format", "json", "--auto", "--title", "task")


def env(setup: Setup) -> dict[str, str]:
    """Its whole configuration; nothing is fetched."""
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": f"{URL}/v1", "apiKey": "{env:OPENAI_API_KEY}"},
        "models": {setup.model: {}},
    }
    model = f"gw/{setup.model}"
    settings = {
        "provider": {"gw": provider}, "model": model, "small_model": model,
        "enabled_providers": ["gw"], "permission": "allow", "autoupdate": False,
        "share": "disabled", "tools": {"webfetch": False, "websearch": False},
    }  # fmt: skip
    off = ("MODELS_FETCH", "AUTOUPDATE", "DEFAULT_PLUGINS", "LSP_DOWNLOAD")
    return {f"OPENCODE_DISABLE_{name}": "1" for name in off} | {
        "OPENCODE_CONFIG_CONTENT": json.dumps(settings)
    }


def steps(lines: Iterable[Json]) -> Iterator[Seen]:
    """Parts between the start and the finish of a step."""
    step = Seen()
    for line in lines:
        part = line.get("part")
        match line.get("type"):
            case "text":
                step.text += text(at(part, "text"))
            case "reasoning":
                step.reasoning += text(at(part, "text"))
            case "tool_use":
                name, state = text(at(part, "callID")), at(part, "state")
                step.calls.append((name, text(at(part, "tool")), mapping(at(state, "input"))))
                step.results.append((name, text(at(state, "output") or at(state, "error"))))
            case "step_finish":
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
    command=command,
    env=env,
    steps=steps,
    problem=problem,
)
