"""A gateway in front of a scripted model, on real sockets."""

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from benchwright.formats import Call, Tokens
from benchwright.gateway import Gateway, Price, Prices, Trial
from benchwright.gateway.account import calls
from benchwright.gateway.scripted import ScriptedModel

KEY = "the-real-key-0123456789"
TOKENS = Tokens(input=1200, cache_read=4000, cache_write=300, output=55, reasoning=12)
PRICES = Prices({"m": Price(input=1.0, output=10.0, cache_read=0.1, cache_write=2.0)})
COST = (1200 * 1.0 + 4000 * 0.1 + 300 * 2.0 + 55 * 10.0) / 1e6


@dataclass
class Setting:
    """A door with a model behind it."""

    url: str
    trial: Trial
    model: ScriptedModel
    ledger: Path

    @property
    def lines(self) -> list[Call]:
        return list(calls(self.ledger.read_bytes())) if self.ledger.exists() else []

    def post(self, path: str, body: Any, **options: Any) -> httpx2.Response:
        headers = {"authorization": f"Bearer {self.trial.token}"} | options.pop("headers", {})
        with httpx2.Client(timeout=30) as client:
            return client.post(self.url + path, json=body, headers=headers, **options)


Make = Callable[..., Setting]


@contextmanager
def door(gateway: Gateway, trial: Trial) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as sock, gateway.open(sock, trial):
        yield f"http://127.0.0.1:{sock.getsockname()[1]}"


def messages(**more: Any) -> dict[str, Any]:
    """A request in Anthropic's dialect."""
    tool = {"name": "Bash", "input_schema": {"type": "object", "properties": {"command": {}}}}
    content = [{"role": "user", "content": "go"}]
    return {"model": "m", "max_tokens": 100, "messages": content, "tools": [tool], **more}


def responses(**more: Any) -> dict[str, Any]:
    """A request in OpenAI's newer dialect."""
    parameters = {"type": "object", "properties": {"cmd": {"type": "string"}}}
    tool = {"type": "function", "name": "exec_command", "parameters": parameters}
    item = {"type": "message", "role": "user", "content": "go"}
    return {"model": "m", "input": [item], "tools": [tool], **more}


def chat(**more: Any) -> dict[str, Any]:
    """A request in OpenAI's older dialect."""
    parameters = {"type": "object", "properties": {"command": {"type": "string"}}}
    tool = {"type": "function", "function": {"name": "bash", "parameters": parameters}}
    content = [{"role": "user", "content": "go"}]
    return {"model": "m", "messages": content, "tools": [tool], **more}


REQUESTS = {
    "messages": ("/v1/messages", messages),
    "responses": ("/v1/responses", responses),
    "chat": ("/v1/chat/completions", chat),
}
