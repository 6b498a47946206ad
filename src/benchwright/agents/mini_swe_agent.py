"""mini-swe-agent: a small agent in Python whose only tool is a shell."""

from collections.abc import Iterable
from shlex import quote

from .atif import Json, at, chat, text
from .layers import Pypi
from .program import Adapter

START = """
import json, runpy, sys, types
sys.path.insert(0, "/agent/site")  # not PYTHONPATH: what it starts must not see its packages
from minisweagent.agents.default import DefaultAgent
class Told(DefaultAgent):
    def add_messages(self, *messages):
        for message in messages:
            print("\\n" + json.dumps(message, default=str), flush=True)
        return super().add_messages(*messages)
sys.modules["told"] = types.SimpleNamespace(Told=Told)
config = {"agent": {"agent_class": "told.Told", "cost_limit": 0}, "run": {"task": sys.stdin.read()},
    "model": {"model_class": "litellm", "model_name": "openai/{model}",
              "cost_tracking": "ignore_errors"}}
with open("/tmp/task.yaml", "w") as file:
    json.dump(config, file)
sys.argv[1:] = ["-c", "mini.yaml", "-c", file.name, "-o", "/dev/null"]
runpy.run_module("minisweagent.run.mini", run_name="__main__")
"""


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
    command=f"/agent/python/bin/python3 -I -c {quote(START)}",
    env={
        "MSWEA_CONFIGURED": "true",
        "MSWEA_SILENT_STARTUP": "1",
        "MSWEA_MODEL_RETRY_STOP_AFTER_ATTEMPT": "2",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    },
    steps=chat,
    problem=problem,
)
