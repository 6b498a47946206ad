"""mini-swe-agent: a small agent in Python whose only tool is a shell."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from benchwright.sandbox import Mount

from .atif import Json, Seen, at, mapping, objects, text
from .layers import Pypi
from .program import Adapter, Setup

RUN = "/run/agent"
START = f"""
import runpy, sys
sys.path[:0] = ["/agent/site", "{RUN}"]
sys.argv[1:] = ["-c", "mini.yaml", "-c", "{RUN}/task.yaml", "-o", "/dev/null"]
runpy.run_module("minisweagent.run.mini", run_name="__main__")
"""
"""Its packages are on its own path only, not on that of the programs it starts."""
LOG = b"""
import json
from minisweagent.agents.default import DefaultAgent

class Told(DefaultAgent):
    def add_messages(self, *messages):
        for message in messages:
            print("\\n" + json.dumps(message, default=str), flush=True)
        return super().add_messages(*messages)
"""
"""Its agent, that also prints every message."""


def files(setup: Setup) -> tuple[Mount, ...]:
    """The task and the model go into its configuration."""
    model = {
        "model_class": "litellm",
        "model_name": f"openai/{setup.model}",
        "cost_tracking": "ignore_errors",
    }
    agent = {"agent_class": "told.Told", "cost_limit": 0}
    config = {"agent": agent, "model": model, "run": {"task": setup.prompt}}
    return (
        Mount(f"{RUN}/told.py", "data", content=LOG),
        Mount(f"{RUN}/task.yaml", "data", content=json.dumps(config).encode()),
    )


def env(setup: Setup) -> dict[str, str]:  # noqa: ARG001 - the model is in its configuration
    """No questions, no price list from elsewhere, no stubborn retries."""
    return {
        "MSWEA_CONFIGURED": "true",
        "MSWEA_SILENT_STARTUP": "1",
        "MSWEA_MODEL_RETRY_STOP_AFTER_ATTEMPT": "2",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    }


def steps(lines: Iterable[Json]) -> Iterator[Seen]:
    """A message of the assistant, and the tool messages after it."""
    step: Seen | None = None
    for line in lines:
        if line.get("role") == "assistant":
            if step:
                yield step
            step = Seen(
                text=text(line.get("content")), reasoning=text(line.get("reasoning_content"))
            )
            for call in objects(line.get("tool_calls")):
                name, arguments = at(call, "function", "name"), at(call, "function", "arguments")
                step.calls.append((text(call.get("id")), text(name), mapping(arguments)))
        elif line.get("role") == "tool" and step:
            step.results.append((text(line.get("tool_call_id")), text(line.get("content"))))
    if step:
        yield step


def problem(lines: Iterable[Json]) -> str:
    """Any way to end but its own word that it is done."""
    ends = [line for line in lines if line.get("role") == "exit"]
    status = text(at(ends[-1], "extra", "exit_status")) if ends else ""
    return "" if status in ("", "Submitted") else f"{status}: {text(ends[-1].get('content'))}"


MINI_SWE_AGENT = Adapter(
    name="mini-swe-agent",
    version="2.4.6",
    provider="openai",
    source=Pypi("mini-swe-agent", ("litellm!=1.82.7,!=1.82.8",)),
    command=lambda _: ("/agent/python/bin/python3", "-I", "-c", START),
    env=env,
    steps=steps,
    problem=problem,
    files=files,
    on_stdin=False,
)
