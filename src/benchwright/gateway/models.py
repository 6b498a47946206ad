"""Which models an agent may ask for, where they are, and with whose key."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchwright.formats import AgentError

HOMES = {
    "anthropic": ("ANTHROPIC", "https://api.anthropic.com"),
    "openai": ("OPENAI", "https://api.openai.com"),
}


@dataclass(frozen=True, slots=True)
class Upstream:
    """A provider's server and the key for it. The key is in no `repr`."""

    url: str
    """Without `/v1`."""
    key: str = field(repr=False)

    @classmethod
    def of(cls, provider: str, environ: Mapping[str, str] = os.environ) -> Upstream:
        """As the environment says: `X_API_KEY` or `X_API_KEY_FILE`, and `X_BASE_URL`.

        Raises:
            AgentError: there is no key.
        """
        prefix, home = HOMES[provider]
        key, file = environ.get(f"{prefix}_API_KEY", ""), environ.get(f"{prefix}_API_KEY_FILE")
        if not key and file:
            try:
                key = Path(file).read_text().strip()
            except (OSError, UnicodeDecodeError) as error:
                raise AgentError(f"{file}: the key can't be read: {error}") from None
        if not key:
            raise AgentError(
                f"no key for {provider}",
                hint=f"set {prefix}_API_KEY, or {prefix}_API_KEY_FILE to a file that holds it",
            )
        url = environ.get(f"{prefix}_BASE_URL") or home
        return cls(url.rstrip("/").removesuffix("/v1"), key)


@dataclass(frozen=True, slots=True)
class Models:
    """The models of one trial."""

    upstreams: Mapping[str, Upstream]
    """Provider (`anthropic`, `openai`) -> where it is."""
    names: Mapping[str, str]
    """Name that an agent may ask for -> name that is sent. `*` stands for any other name."""

    def sent(self, asked: str) -> str | None:
        """The name to send, or None where the agent may not use this model."""
        if asked in self.names:
            return self.names[asked]
        other = self.names.get("*")
        return asked if other == "*" else other
