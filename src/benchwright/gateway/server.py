"""The gateway: a server in a thread of its own that answers at the doors of any number of trials.

What an agent can reach is this and nothing else: the model calls of `DIALECTS`, a list of models,
`submit` and `check`. A door is a listening socket, made by whoever made the sandbox; nobody but
that sandbox can reach it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Thread
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx2
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from .dialects import DIALECTS, Dialect
from .relay import Relay, read
from .request import RefusedError, given_token
from .services import DeclinedError
from .trial import Trial

CONNECTIONS = 128
"""At one door at a time."""
WORKERS = 64
"""Threads that requests are prepared and checks are run in; one trial gets few at a time."""
T = TypeVar("T")
Answer = Callable[[Request], Awaitable[Response]]


class Gateway:
    """Answers at doors until it is closed. A context manager."""

    def __init__(self) -> None:
        logging.getLogger("asyncio").addFilter(news)
        self._loop = asyncio.new_event_loop()
        self._loop.set_default_executor(ThreadPoolExecutor(WORKERS, "gateway"))
        self._thread = Thread(target=self._loop.run_forever, name="gateway", daemon=True)
        self._thread.start()
        self._servers: dict[asyncio.Task[None], uvicorn.Server] = {}
        self._client = self._do(_client())

    @contextmanager
    def open(self, door: socket.socket, trial: Trial) -> Iterator[None]:
        """Answer at a listening socket, which stays its owner's to close.

        When the context is left, calls under way are broken off, and every call has its line.
        """
        relay = Relay(trial, self._client)
        server = self._do(self._serve(own(door), relay))
        try:
            yield
        finally:
            self._do(relay.close())
            server.should_exit = True

    def close(self) -> None:
        """Stop the thread, with the doors that are still open."""
        self._do(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _serve(self, sock: socket.socket, relay: Relay) -> uvicorn.Server:
        config = uvicorn.Config(
            Starlette(routes=routes(relay)), log_config=None, log_level="critical", lifespan="off",
            access_log=False, ws="none", proxy_headers=False, server_header=False,
            limit_concurrency=CONNECTIONS, timeout_graceful_shutdown=2,
        )  # fmt: skip
        server = uvicorn.Server(config)
        task = self._loop.create_task(server.serve([sock]))
        self._servers[task] = server
        task.add_done_callback(self._servers.pop)
        return server

    async def _stop(self) -> None:
        for server in self._servers.values():
            server.should_exit = True
        await asyncio.gather(*self._servers, return_exceptions=True)
        await self._client.aclose()
        await self._loop.shutdown_default_executor()

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def own(door: socket.socket) -> socket.socket:
    """A descriptor of our own. Made from the number, the socket knows that it is TCP, and asyncio
    sends each piece of an answer at once instead of waiting 40 ms for the last one's receipt.
    """
    return socket.socket(fileno=os.dup(door.fileno()))


def news(record: logging.LogRecord) -> bool:
    """That an agent was ended while an answer came is none, and would go to the terminal."""
    return "socket.send() raised" not in record.getMessage()


async def _client() -> httpx2.AsyncClient:
    """One pool of connections to the providers. Redirects aren't followed: they could lead away."""
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=64)
    return httpx2.AsyncClient(limits=limits, follow_redirects=False)


def routes(relay: Relay) -> list[Route]:
    """Everything that a door answers."""
    found = [
        Route(prefix + path, calls(relay, dialect), methods=["POST"])
        for dialect in DIALECTS
        for path in dialect.paths
        for prefix in ("/v1", "")
    ]
    found += [Route(path, listing(relay), methods=["GET"]) for path in ("/v1/models", "/models")]
    found += [Route("/submit", submit(relay), methods=["POST"])]
    found += [Route("/check", check(relay), methods=["POST"])]
    return [*found, Route("/{rest:path}", hello, methods=["GET", "HEAD"])]


def calls(relay: Relay, dialect: Dialect) -> Answer:
    """Model calls of one dialect."""

    async def answer(request: Request) -> Response:
        return await relay.answer(request, dialect)

    return answer


def listing(relay: Relay) -> Answer:
    """The models that may be asked for, as OpenAI and Anthropic both list them."""

    async def answer(request: Request) -> Response:  # noqa: ARG001 - Starlette's signature
        models = [
            {"id": name, "object": "model", "type": "model", "display_name": name, "created": 0}
            for name in relay.trial.models.names
            if name != "*"
        ]
        return JSONResponse({"object": "list", "data": models, "has_more": False})

    return answer


async def hello(request: Request) -> Response:
    """Some clients ask whether anybody is there before they ask anything else."""
    return Response(status_code=200 if request.url.path in {"/", "/api/hello"} else 404)


def submit(relay: Relay) -> Answer:
    """`POST /submit`."""
    return _service(relay, lambda text: relay.trial.services.run_submit(text))


def check(relay: Relay) -> Answer:
    """`POST /check`."""
    return _service(relay, lambda text: relay.trial.services.run_check(text))


def _service(relay: Relay, work: Callable[[str], str]) -> Answer:
    one = asyncio.Lock()  # at a time: an agent must not hold more than a thread with this

    async def answer(request: Request) -> Response:
        if given_token(request.headers) != relay.trial.token:
            return PlainTextResponse("wrong token\n", 401)
        try:
            text = (await read(request, 4096)).decode(errors="replace").strip()
            async with one:
                return PlainTextResponse(await asyncio.to_thread(work, text))
        except DeclinedError as error:
            return PlainTextResponse(f"{error}\n", 409)
        except RefusedError as error:
            return PlainTextResponse(f"{error}\n", error.status)

    return answer
