"""Wrong implementations of Python products: operators, missing subsystems, duplicates dropped."""

from .generate import Generated, fingerprint, generate, sources
from .missing import missing
from .source import Source

__all__ = ["Generated", "Source", "fingerprint", "generate", "missing", "sources"]
