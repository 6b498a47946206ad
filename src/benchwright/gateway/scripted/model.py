"""A model that plays a script: for tests of agents, tasks and set-ups, offline and for nothing."""

from __future__ import annotations

import asyncio
import json
import socket
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from threading import Thread

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from benchwright.formats import Tokens
from benchwright.gateway.dialects import DIALECTS, Dialect, Json
from benchwright.gateway.request import given_token

from .actions import FINISH, action, shell
from .chat import ChatVoice
from .messages import MessagesVoice
from .responses import ResponsesVoice
from .script import Fault, Script, Turn
from .voice import Reply, Voice

VOICES: tuple[Voice, ...] = (MessagesVoice(), ResponsesVoice(), ChatVoice())


@dataclass(frozen=True, slots=True)
class Played:
    """One request that was answered."""

    dialect: str
    key: str
    """The key that came with it."""
    model: str
    turn: int
    """-1 for an aside."""
    body: Json
    tokens: Tokens | None
    """As stated; None where the answer was a fault."""


class CutError(Exception):
    """The connection is to break off here."""


class ScriptedModel:
    """Plays a script in every dialect. `played` is what it did."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.played: list[Played] = []
        self._faults: Counter[tuple[str, int]] = Counter()
        self._numbers = count(1)

    @property
    def app(self) -> Starlette:
        """The server, as ASGI."""
        found = [
            Route(f"/v1{dialect.paths[0]}", self._endpoint(dialect, voice), methods=["POST"])
            for dialect in DIALECTS
            for voice in VOICES
            if voice.dialect == dialect.name
        ]
        found.append(Route("/v1/messages/count_tokens", _count_tokens, methods=["POST"]))
        return Starlette(routes=found)

    @contextmanager
    def serve(self, host: str = "127.0.0.1", port: int = 0) -> Iterator[str]:
        """Answer in a thread until the context is left; gives the address."""
        with socket.create_server((host, port)) as sock:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            server = uvicorn.Server(config(self.app))
            thread = Thread(target=server.run, args=([sock],), name="scripted-model", daemon=True)
            thread.start()
            try:
                yield f"http://{host}:{sock.getsockname()[1]}"
            finally:
                server.should_exit = server.force_exit = True
                thread.join()

    def _endpoint(self, dialect: Dialect, voice: Voice) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            body = json.loads(await request.body())
            return self._answer(dialect, voice, body, given_token(request.headers))

        return answer

    def _answer(self, dialect: Dialect, voice: Voice, body: Json, key: str) -> Response:
        tools, model = voice.tools(body), str(body.get("model"))
        number = min(voice.results(body), len(self.script.turns) - 1) if tools else -1
        turn = self.script.turns[number] if tools else Turn(say=self.script.aside)
        fault = turn.fault if self._misbehaves(turn.fault, (key, number)) else None
        tokens = turn.tokens or self.script.tokens
        stated = None if fault else tokens
        self.played.append(Played(dialect.name, key, model, number, body, stated))
        call = action(turn, tools)
        if call is None and tools and FINISH in json.dumps(body):
            call = shell(f"echo {FINISH}", tools)
        text = turn.say or ("" if call else "done")
        name = self.script.model or model
        reply = Reply(f"{next(self._numbers):06d}", name, text, call, tokens)
        return respond(dialect, voice, reply, fault, stream=bool(body.get("stream")))

    def _misbehaves(self, fault: Fault | None, where: tuple[str, int]) -> bool:
        self._faults[where] += 1
        return fault is not None and (fault.times == 0 or self._faults[where] <= fault.times)


def config(app: Starlette, port: int = 0) -> uvicorn.Config:
    """A quiet server."""
    return uvicorn.Config(
        app, port=port, log_config=None, log_level="critical", lifespan="off", access_log=False,
        ws="none", timeout_graceful_shutdown=1,
    )  # fmt: skip


def respond(
    dialect: Dialect, voice: Voice, reply: Reply, fault: Fault | None, stream: bool
) -> Response:
    """An answer, or what a fault makes of it."""
    if fault and fault.kind == "status":
        wait = {} if fault.retry_after is None else {"retry-after": f"{fault.retry_after:g}"}
        error = dialect.error(fault.status, f"scripted error {fault.status}")
        return JSONResponse(error, fault.status, wait)
    if fault and fault.kind == "nonsense" and not stream:
        return PlainTextResponse("%%% {", media_type="application/json")
    if not stream and fault is None:
        return JSONResponse(voice.whole(reply))
    kind = "text/event-stream" if stream else "application/json"
    frames = voice.events(reply) if stream else iter([json.dumps(voice.whole(reply)).encode()])
    return StreamingResponse(misbehave(list(frames), fault), media_type=kind)


async def misbehave(frames: list[bytes], fault: Fault | None) -> AsyncIterator[bytes]:
    """The frames of an answer, as a fault has them."""
    kind = fault.kind if fault else ""
    if kind == "hang":
        await asyncio.sleep(3600)
    if kind == "nonsense":
        yield b"data: %%% {\n\n\x00\xff\n"
        return
    for index, frame in enumerate(frames):
        if kind == "cut" and index == max(1, len(frames) // 2):
            raise CutError
        if kind == "slow" and fault:
            await asyncio.sleep(fault.seconds)
        while kind == "endless" and index == max(1, len(frames) // 3):
            yield frame
            await asyncio.sleep(0.001)
        yield frame[: len(frame) // 2] if kind == "cut" and len(frames) == 1 else frame
    if kind == "cut":
        raise CutError


async def _count_tokens(request: Request) -> Response:
    """About four bytes a token."""
    return JSONResponse({"input_tokens": len(await request.body()) // 4})
