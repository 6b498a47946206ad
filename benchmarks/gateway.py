"""What the gateway adds to a model call: the same calls to a scripted model, direct and through it.

    .venv/bin/python benchmarks/gateway.py [CALLS]

Prints one JSON object: milliseconds a call, medians, by dialect, streamed or not. The two ways
take turns, on one kept connection each.
"""

from __future__ import annotations

import json
import socket
import statistics
import sys
import tempfile
import time
from pathlib import Path

import httpx2

from benchwright.gateway import Account, Gateway, Models, Trial, Upstream
from benchwright.gateway.scripted import Script, ScriptedModel

PATHS = {
    "messages": "/v1/messages",
    "responses": "/v1/responses",
    "chat": "/v1/chat/completions",
}
PADDING = "x" * 50_000
"""What agents send is tens of kilobytes."""


def body(dialect: str, stream: bool) -> dict[str, object]:
    """A request of the usual size."""
    content = [{"role": "user", "content": PADDING}]
    where = "input" if dialect == "responses" else "messages"
    request: dict[str, object] = {"model": "claude-sonnet-4-5", where: content, "stream": stream}
    return request | ({"stream_options": {"include_usage": True}} if dialect == "chat" else {})


def measure(calls: int = 200) -> list[dict[str, object]]:
    """One row a dialect and way of answering."""
    script = Script.model_validate({"aside": "a few words of an answer " * 10, "turns": [{}]})
    with (
        ScriptedModel(script).serve() as url,
        tempfile.TemporaryDirectory() as folder,
        Gateway() as gateway,
        socket.create_server(("127.0.0.1", 0)) as door,
        httpx2.Client() as client,
    ):
        upstream = Upstream(url, "key")
        models = Models({"anthropic": upstream, "openai": upstream}, {"*": "*"})
        trial = Trial("benchmark", models, (Account(Path(folder) / "ledger.jsonl"),))
        headers = {"x-api-key": trial.token, "content-type": "application/json"}
        through = f"http://127.0.0.1:{door.getsockname()[1]}"

        def timed(base: str, dialect: str, stream: bool) -> float:
            data = json.dumps(body(dialect, stream)).encode()
            started = time.perf_counter()
            client.post(base + PATHS[dialect], content=data, headers=headers).raise_for_status()
            return (time.perf_counter() - started) * 1000

        rows = []
        with gateway.open(door, trial):
            for dialect in PATHS:
                for stream in (False, True):
                    pairs = [
                        (timed(url, dialect, stream), timed(through, dialect, stream))
                        for _ in range(calls + 5)
                    ][5:]
                    direct, relayed = (statistics.median(p[i] for p in pairs) for i in (0, 1))
                    rows.append(
                        {
                            "dialect": dialect,
                            "streamed": stream,
                            "direct_ms": round(direct, 2),
                            "through_ms": round(relayed, 2),
                            "added_ms": round(relayed - direct, 2),
                        }
                    )
    return rows


if __name__ == "__main__":
    print(json.dumps(measure(*(int(n) for n in sys.argv[1:])), indent=2))
