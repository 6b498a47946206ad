"""`ledger.jsonl`: one line for every model call, whoever made it and however it ended.

Token counts are normalised: `input` is what was neither read from nor written to a cache, and
`output` includes `reasoning`. A cost that isn't known is null, never zero.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from .base import Record
from .result import Usage

CallEnd = Literal["ok", "error", "cut", "refused"]
"""`ok`: the provider finished its answer; `error`: it (or the way to it) failed; `cut`: the answer
stopped half way; `refused`: the gateway answered itself and nothing was sent."""


class Tokens(Record):
    """Tokens of one call, or a sum of them."""

    input: int = 0
    cache_read: int = 0
    cache_write: int = 0
    output: int = 0
    reasoning: int = 0

    @property
    def total(self) -> int:
        """All tokens that were processed."""
        return self.input + self.cache_read + self.cache_write + self.output

    def __add__(self, other: Tokens) -> Tokens:
        """The sum, field by field."""
        mine, theirs = self.model_dump(), other.model_dump()
        return Tokens(**{name: mine[name] + theirs[name] for name in mine})


class Call(Record):
    """One line of the ledger."""

    id: str
    trial: str
    at: str
    """When it came in, UTC, ISO 8601."""
    dialect: str
    path: str
    asked: str
    """The model's name as the agent gave it."""
    model: str
    """The model's name as it was sent."""
    answered: str = ""
    """The model's name in the answer."""
    status: int
    end: CallEnd
    attempts: int = 0
    """How often it was sent: more than once only where the agent had seen nothing yet."""
    seconds: float = 0.0
    first_byte: float = 0.0
    tokens: Tokens | None = None
    """As the provider states it; null where it didn't."""
    cost: float | None = None
    """Dollars; null where the price isn't known."""
    price: str = ""
    """Where the price is from, or why there is none."""
    counted: int = 0
    """Tokens held against the budget: those of `tokens`, else the estimate."""
    removed: tuple[str, ...] = ()
    """What was taken out of the request: tools that run at the provider's."""
    request: str = ""
    """`sha256:…` of the request's body as sent."""
    error: str = ""


class Budget(Record):
    """What may be spent. None: no limit."""

    money: float | None = Field(default=None, ge=0)
    """Dollars."""
    tokens: int | None = Field(default=None, ge=0)
    calls: int | None = Field(default=None, ge=0)
    seconds: float | None = Field(default=None, ge=0)
    """Wall time, from the moment the door opens."""


class Spent(Record):
    """What was spent."""

    calls: int = 0
    counted: int = 0
    """Tokens held against the budget (see `Call.counted`)."""
    money: float = 0.0
    """Dollars of the calls whose price is known."""
    unpriced: int = 0
    """Calls that used tokens whose price isn't known."""
    tokens: Tokens = Tokens()

    def plus(self, call: Call) -> Spent:
        """With one more call; one that was refused costs nothing."""
        if call.end == "refused":
            return self
        return Spent(
            calls=self.calls + 1,
            counted=self.counted + call.counted,
            money=self.money + (call.cost or 0.0),
            unpriced=self.unpriced + (call.cost is None and call.counted > 0),
            tokens=self.tokens + (call.tokens or Tokens()),
        )

    @property
    def usage(self) -> Usage:
        """As results have it: no cost where a part of it isn't known."""
        tokens = self.tokens
        return Usage(
            calls=self.calls,
            input_tokens=tokens.input + tokens.cache_read + tokens.cache_write,
            cached_tokens=tokens.cache_read,
            cache_write_tokens=tokens.cache_write,
            output_tokens=tokens.output,
            reasoning_tokens=tokens.reasoning,
            cost=None if self.unpriced else self.money,
        )
