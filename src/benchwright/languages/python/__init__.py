"""Python."""

from .plugin import Python

PYTHON = Python()

__all__ = ["PYTHON", "Python"]
