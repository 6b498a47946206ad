"""Environments: a locked recipe, and what is built from it once and mounted into every box."""

from .environment import Environment, build, digest, lock

__all__ = ["Environment", "build", "digest", "lock"]
