"""What a call cost. A price that isn't known is said to be unknown; it is never zero."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path

from genai_prices import Usage, calc_price
from pydantic import TypeAdapter, ValidationError

from benchwright.formats import FormatError, Record, Tokens, read_bytes


class Price(Record):
    """Dollars for a million tokens."""

    input: float
    output: float
    cache_read: float | None = None
    """None: as `input`."""
    cache_write: float | None = None

    def of(self, tokens: Tokens) -> float:
        """What `tokens` costs."""
        read = self.input if self.cache_read is None else self.cache_read
        write = self.input if self.cache_write is None else self.cache_write
        parts = (
            tokens.input * self.input,
            tokens.cache_read * read,
            tokens.cache_write * write,
            tokens.output * self.output,
        )
        return sum(parts) / 1e6


class Prices:
    """A user's own prices first, then those of genai-prices."""

    def __init__(self, own: Mapping[str, Price] | None = None) -> None:
        self._own = dict(own or {})

    @classmethod
    def read(cls, path: Path) -> Prices:
        """A TOML file: a table for each model, named as it is sent to the provider.

        Raises:
            FormatError: it isn't one.
        """
        try:
            data = tomllib.loads(read_bytes(path).decode())
            return cls(TypeAdapter(dict[str, Price]).validate_python(data))
        except (ValidationError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            line = str(error).splitlines()[0]
            raise FormatError(
                f"{path}: not a price file: {line}",
                hint='expected tables such as ["gpt-x"] with input and output, dollars a million',
            ) from None

    def cost(self, model: str, provider: str, tokens: Tokens) -> tuple[float | None, str]:
        """Dollars, or None, and where the price is from."""
        if model in self._own:
            return self._own[model].of(tokens), "price file"
        counts = Usage(
            input_tokens=tokens.input + tokens.cache_read + tokens.cache_write,
            cache_read_tokens=tokens.cache_read,
            cache_write_tokens=tokens.cache_write,
            output_tokens=tokens.output,
        )
        try:
            price = calc_price(counts, model, provider_id=provider)
        except LookupError:
            return None, f"no price is known for {model}"
        return float(price.total_price), published()


@cache
def published() -> str:
    """Where published prices are from."""
    return f"genai-prices {version('genai-prices')}"
