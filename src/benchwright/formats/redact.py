"""Taking secrets out of whatever is kept."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping

MARK = "[redacted]"
SHAPES = re.compile(
    r"\b(sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{30,}|AKIA[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{30,}"
    r"|xox[abpr]-[0-9A-Za-z-]{10,}|hf_[A-Za-z0-9]{30,}|glpat-[\w-]{20,}"
    r"|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,})"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----.*?-----END [A-Z ]*PRIVATE KEY-----",
    re.DOTALL,
)


NAMES = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$")
"""Names of variables that hold secrets."""


class Redactor:
    """Replaces the secrets it was told of, and whatever has the shape of a well-known one."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._secrets = sorted({s for s in secrets if len(s) >= 6}, key=len, reverse=True)

    @classmethod
    def of(cls, environ: Mapping[str, str] = os.environ) -> Redactor:
        """For the secrets that variables hold, going by their names."""
        return cls(v for k, v in environ.items() if NAMES.search(k.upper()) and len(v) >= 8)

    def text(self, text: str) -> str:
        """`text` without secrets."""
        for secret in self._secrets:
            text = text.replace(secret, MARK)
        return SHAPES.sub(MARK, text)

    def data(self, data: bytes) -> bytes:
        """Bytes without secrets; nothing else in them changes."""
        return self.text(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
