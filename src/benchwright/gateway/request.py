"""From the bytes an agent sent to the bytes that may be sent on, or to a refusal."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from benchwright.formats import Call, CallEnd, Tokens, printable

from .account import OverBudgetError
from .dialects import Dialect, Json, Reading, remote
from .models import Upstream
from .trial import Trial

BODY_LIMIT = 32 << 20
TYPICAL_OUTPUT = 4096
"""Tokens of output held for a call under way; what an agent allows itself is far more than that."""
TEXT = 500
"""Characters of anything in a ledger line that an agent or a provider chose."""
DROPPED = {
    "host", "content-length", "content-encoding", "connection", "keep-alive", "transfer-encoding",
    "te", "trailer", "upgrade", "proxy-authorization", "proxy-connection", "expect", "cookie",
    "authorization", "x-api-key", "x-goog-api-key", "accept-encoding", "openai-organization",
    "openai-project", "forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto",
}  # fmt: skip
"""Headers that stay here: the connection's own, and who pays."""


class RefusedError(Exception):
    """The gateway answers this call itself."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A call that may be made, with all that its ledger line needs."""

    id: str
    at: str
    trial: str
    dialect: Dialect
    path: str
    asked: str
    model: str
    upstream: Upstream
    headers: Mapping[str, str]
    body: bytes
    removed: tuple[str, ...]
    tokens: int
    """The estimate that is held."""

    @property
    def free(self) -> bool:
        """Counting tokens uses none."""
        return self.path.partition("?")[0].endswith("/count_tokens")

    def line(self, status: int, end: CallEnd, **more: Any) -> Call:
        """A ledger line."""
        told: dict[str, Any] = {
            k: printable(v, TEXT) if isinstance(v, str) else v for k, v in more.items()
        }
        return Call(
            id=self.id, trial=self.trial, at=self.at, dialect=self.dialect.name,
            path=printable(self.path, TEXT), asked=printable(self.asked, TEXT), model=self.model,
            status=status, end=end, removed=tuple(printable(r, 60) for r in self.removed[:50]),
            request=f"sha256:{hashlib.sha256(self.body).hexdigest()}", **told,
        )  # fmt: skip


def refusal(trial: Trial, dialect: Dialect, path: str, error: RefusedError) -> Call:
    """The ledger line of a call that was refused."""
    return Call(
        id=uuid4().hex, trial=trial.name, at=now(), dialect=dialect.name,
        path=printable(path, TEXT), asked="", model="", status=error.status, end="refused",
        error=printable(str(error), TEXT),
    )  # fmt: skip


def now() -> str:
    """The time as ledger lines have it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def given_token(headers: Mapping[str, str]) -> str:
    """The token a client sent, in whichever header its provider wants keys."""
    bearer = headers.get("authorization", "")
    return headers.get("x-api-key") or bearer.removeprefix("Bearer ").strip()


def prepare(
    trial: Trial, dialect: Dialect, path: str, headers: Mapping[str, str], data: bytes
) -> Outgoing:
    """What is to be sent; the estimate is held in the trial's accounts.

    Raises:
        RefusedError: it may not be sent, or isn't a request at all.
    """
    body = decode(headers, data)
    asked = body.get("model")
    model = trial.models.sent(asked) if isinstance(asked, str) else None
    upstream = trial.models.upstreams.get(dialect.provider)
    if model is None or upstream is None:
        raise RefusedError(404, f"model {str(asked)[:100]!r} is not available here")
    if found := remote(body):
        raise RefusedError(400, f"content by reference is not available here ({found}): send data")
    removed = tuple(dialect.strip(body))
    changed = dialect.prepare(body) or bool(removed) or model != asked
    if changed or "content-encoding" in headers:
        data = json.dumps({**body, "model": model}).encode()
    output = min(dialect.output(body) or TYPICAL_OUTPUT, TYPICAL_OUTPUT)
    outgoing = Outgoing(
        id=uuid4().hex, at=now(), trial=trial.name, dialect=dialect, path=path,
        asked=str(asked), model=model, upstream=upstream,
        headers={k: v for k, v in headers.items() if k.lower() not in DROPPED},
        body=data, removed=removed, tokens=len(data) // 4 + output,
    )  # fmt: skip
    hold(trial, outgoing, output)
    return outgoing


def hold(trial: Trial, call: Outgoing, output: int) -> None:
    """Hold the estimate of a call.

    Raises:
        RefusedError: the budget is spent, or money is limited and the price isn't known.
    """
    guess = Tokens(input=call.tokens - output, output=output)
    money, why = trial.prices.cost(call.model, call.dialect.provider, guess)
    if money is None and trial.needs_prices:
        raise RefusedError(400, f"{why}, and money is limited")
    if call.free:
        return
    try:
        trial.reserve(call.id, call.tokens, money or 0.0)
    except OverBudgetError as error:
        trial.spend_out()
        raise RefusedError(400, f"{error}: stop here, the work so far is kept") from None


def decode(headers: Mapping[str, str], data: bytes) -> Json:
    """The JSON object of a request.

    Raises:
        RefusedError: there is none in it.
    """
    encoding = headers.get("content-encoding", "identity")
    if encoding in {"gzip", "deflate"}:
        unzip = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)
        try:
            data = unzip.decompress(data, BODY_LIMIT)
        except zlib.error:
            raise RefusedError(400, f"the body isn't {encoding}") from None
        if unzip.unconsumed_tail:
            raise RefusedError(413, "the body is too large")
    elif encoding != "identity":
        raise RefusedError(415, f"content-encoding {encoding[:20]} isn't supported")
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        raise RefusedError(400, "the body isn't JSON") from None
    if not isinstance(body, dict):
        raise RefusedError(400, "the body isn't a JSON object")
    return body


def account_for(
    trial: Trial, call: Outgoing, reading: Reading, status: int, end: CallEnd
) -> dict[str, Any]:
    """What a call comes to: the ledger's fields for it.

    An answer that states no usage, or not all of it, is held against the budget by its estimate.
    """
    tokens = Tokens() if call.free else call.dialect.tokens(reading.counts)
    if tokens is None and (status == 0 or status >= 400):
        return {"price": "no answer, not charged"}
    if tokens is None:
        return {"counted": call.tokens, "price": "the provider stated no usage"}
    cost, price = trial.prices.cost(call.model, call.dialect.provider, tokens)
    if tokens.total == 0:
        cost, price = 0.0, "no tokens"
    counted = max(tokens.total, call.tokens) if end == "cut" else tokens.total
    return {"tokens": tokens, "counted": counted, "cost": cost, "price": price}
