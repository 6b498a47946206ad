"""What a Python source tree says about itself: parsed, never run."""

from .pool import named
from .project import detect
from .wants import missing

__all__ = ["detect", "missing", "named"]
