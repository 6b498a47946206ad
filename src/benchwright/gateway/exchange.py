"""One call: sent on, its answer passed back byte by byte, its usage read, its line written.

It runs to its end whether or not the agent still listens, so that hanging up doesn't hide what it
cost, and its line is written before the agent sees the end of the answer. It is sent again only
while the agent has seen nothing of an answer.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

import httpx2
from starlette.responses import JSONResponse, Response, StreamingResponse

from benchwright.formats import CallEnd
from benchwright.formats.redact import Redactor

from .dialects import Events, Reading
from .request import Outgoing, account_for
from .trial import Trial

AGAIN = {429, 502, 503, 504, 529}
"""Answers after which the same call may be made again."""
PATIENCE = 20.0
"""The longest pause, in seconds, before it is; a longer wish is passed on to the agent."""
ERROR_LIMIT = 1 << 20
ANSWER_LIMIT = 256 << 20
BUFFERED = 64
HIDDEN = {
    "connection", "keep-alive", "transfer-encoding", "content-length", "content-encoding",
    "set-cookie", "openai-organization", "openai-project", "anthropic-organization-id", "server",
    "date", "upgrade", "alt-svc",
}  # fmt: skip
"""Headers of an answer that stay here: the connection's own, and who pays."""


class CutError(Exception):
    """The answer stopped half way; the agent's connection ends just so."""


class Exchange:
    """One call under way."""

    def __init__(self, trial: Trial, call: Outgoing, client: httpx2.AsyncClient) -> None:
        self._trial = trial
        self._call = call
        self._client = client
        self._started = time.monotonic()
        self._first_byte = 0.0
        self._attempts = 0
        self._head: asyncio.Future[Response] = asyncio.get_running_loop().create_future()
        self._chunks: asyncio.Queue[bytes | Exception | None] = asyncio.Queue()
        self._heard = True

    async def response(self) -> Response:
        """The head of the answer; its body follows as it comes."""
        return await asyncio.shield(self._head)

    async def run(self) -> None:
        """From the first byte sent to the ledger's line."""
        reading, status = Reading(), 0
        end: CallEnd = "cut"
        error, whole = "broken off at the end of the trial", False
        try:
            async with asyncio.timeout(max(1.0, self._trial.left)):
                answer = await self._send()
                try:
                    status = answer.status_code
                    end, error = await self._pass_on(answer, reading)
                    whole = True
                finally:
                    await answer.aclose()
        except TimeoutError:
            error = "the time is over"
        except (httpx2.HTTPError, CutError) as problem:
            error = f"{type(problem).__name__}: {problem}"
        finally:
            try:
                self._settle(status, end if self._head.done() else "error", error, reading)
            finally:
                self._finish(error, whole)

    async def _send(self) -> httpx2.Response:
        call = self._call
        headers = {
            **call.headers,
            **call.dialect.key(call.upstream.key),
            "accept-encoding": "identity",
        }
        while True:
            self._attempts += 1
            last = self._attempts > self._trial.retries
            request = self._client.build_request(
                "POST",
                f"{call.upstream.url}/v1{call.path}",
                headers=headers,
                content=call.body,
                timeout=httpx2.Timeout(self._trial.idle_seconds, connect=15.0, pool=None),
            )
            try:
                answer = await self._client.send(request, stream=True)
            except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.RemoteProtocolError):
                if last:
                    raise
                pause = 0.2 * 4**self._attempts
            else:
                pause = asked_pause(answer, 0.5 * 2**self._attempts)
                if last or answer.status_code not in AGAIN or pause > PATIENCE:
                    return answer
                await answer.aclose()
            await asyncio.sleep(pause)

    async def _pass_on(self, answer: httpx2.Response, reading: Reading) -> tuple[CallEnd, str]:
        self._first_byte = time.monotonic() - self._started
        headers = {k: v for k, v in answer.headers.items() if k.lower() not in HIDDEN}
        if answer.status_code >= 400:
            return await self._pass_error(answer, headers)
        stream = "event-stream" in answer.headers.get("content-type", "")
        events, size = Events(stream), 0
        self._head.set_result(StreamingResponse(self._body(), answer.status_code, headers))
        async for chunk in answer.aiter_bytes():
            size += len(chunk)
            if size > ANSWER_LIMIT:
                raise CutError("the answer is too large")
            for event in events.feed(chunk):
                self._call.dialect.read(reading, event)
            await self._say(chunk)
        for event in events.close():
            self._call.dialect.read(reading, event)
        if reading.error:
            return "error", reading.error
        return ("ok", "") if reading.finished else ("cut", "it ended without its last event")

    async def _pass_error(
        self, answer: httpx2.Response, headers: dict[str, str]
    ) -> tuple[CallEnd, str]:
        """Errors are small; some repeat the key that they were sent."""
        body = bytearray()
        async for chunk in answer.aiter_bytes():
            body += chunk[: ERROR_LIMIT - len(body)]
        data = Redactor([self._call.upstream.key]).data(bytes(body))
        self._first_byte = time.monotonic() - self._started
        self._head.set_result(StreamingResponse(self._body(), answer.status_code, headers))
        await self._say(data)
        return "error", data[:500].decode(errors="replace")

    async def _say(self, chunk: bytes) -> None:
        if not self._heard:
            return
        self._chunks.put_nowait(chunk)
        while self._heard and self._chunks.qsize() > BUFFERED:
            await asyncio.sleep(0.01)

    async def _body(self) -> AsyncIterator[bytes]:
        try:
            while (chunk := await self._chunks.get()) is not None:
                if isinstance(chunk, Exception):
                    raise chunk
                yield chunk
        finally:
            self._heard = False

    def _settle(self, status: int, end: CallEnd, error: str, reading: Reading) -> None:
        sums = account_for(self._trial, self._call, reading, status, end)
        self._trial.settle(
            self._call.line(
                status,
                end,
                answered=reading.model,
                attempts=self._attempts,
                seconds=round(time.monotonic() - self._started, 6),
                first_byte=round(self._first_byte, 6),
                error=Redactor([self._call.upstream.key]).text(error),
                **sums,
            )
        )

    def _finish(self, error: str, whole: bool) -> None:
        if self._head.done():
            self._chunks.put_nowait(None if whole else CutError(error))
            return
        body = self._call.dialect.error(502, f"the model can't be reached: {error}")
        self._head.set_result(JSONResponse(body, 502))


def asked_pause(answer: httpx2.Response, otherwise: float) -> float:
    """Seconds that the provider asks to wait; without end where it forbids another try."""
    if answer.headers.get("x-should-retry") == "false":
        return float("inf")
    try:
        return max(0.0, float(answer.headers["retry-after"]))
    except (KeyError, ValueError):
        return otherwise
