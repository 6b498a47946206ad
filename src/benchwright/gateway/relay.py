"""The calls of one trial: refused here, or sent on and passed back as the answer comes."""

from __future__ import annotations

import asyncio

import httpx2
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from .dialects import Dialect
from .exchange import Exchange
from .request import BODY_LIMIT, RefusedError, given_token, prepare, refusal
from .trial import Trial

READERS = 4
"""Requests of one trial that are read at the same time: they are in memory as a whole."""


class Relay:
    """What answers model calls at one trial's door."""

    def __init__(self, trial: Trial, client: httpx2.AsyncClient) -> None:
        self.trial = trial
        self._client = client
        self._closed = False
        self._reading = asyncio.Semaphore(READERS)
        self._running: set[asyncio.Task[None]] = set()

    async def answer(self, request: Request, dialect: Dialect) -> Response:
        """The answer to one call."""
        path = request.url.path.removeprefix("/v1")
        path += f"?{request.url.query}" if request.url.query else ""
        try:
            self._admit(request)
            async with self._reading:
                data = await read(request)
                call = await asyncio.to_thread(
                    prepare, self.trial, dialect, path, request.headers, data
                )
        except RefusedError as error:
            self.trial.settle(refusal(self.trial, dialect, path, error))
            return JSONResponse(dialect.error(error.status, str(error)), error.status)
        exchange = Exchange(self.trial, call, self._client)
        task = asyncio.get_running_loop().create_task(exchange.run())
        self._running.add(task)
        task.add_done_callback(self._forget)
        return await exchange.response()

    def _forget(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # a ledger that can't be written shows when it is read

    def _admit(self, request: Request) -> None:
        if given_token(request.headers) != self.trial.token:
            raise RefusedError(401, "wrong key")
        if self._closed:
            raise RefusedError(400, "the trial is over")

    async def close(self) -> None:
        """Refuse what comes from now on, and break off what still runs; each call gets its line."""
        self._closed = True
        for task in list(self._running):
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)


async def read(request: Request, limit: int = BODY_LIMIT) -> bytes:
    """The body of a request.

    Raises:
        RefusedError: it is too large, or the agent hung up.
    """
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > limit:
                raise RefusedError(413, f"the body is larger than {limit} bytes")
    except ClientDisconnect:
        raise RefusedError(400, "the body ended early") from None
    return bytes(body)
