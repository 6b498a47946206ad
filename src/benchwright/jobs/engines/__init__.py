"""Engines: ways to carry out trials."""

from .local import Local
from .protocol import Engine, Moment, Watch

__all__ = ["Engine", "Local", "Moment", "Watch"]
