"""Environments: a locked recipe, and what is built from it once and mounted into every box."""

from .complete import Missing, Prepared, complete
from .dockerfile import dockerfile
from .environment import Environment, build, digest, lock
from .metadata import generated, metadata

__all__ = [
    "Environment",
    "Missing",
    "Prepared",
    "build",
    "complete",
    "digest",
    "dockerfile",
    "generated",
    "lock",
    "metadata",
]
