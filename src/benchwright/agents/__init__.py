"""Agents: adapters that work on a workspace inside a sandbox."""

from .box import work
from .command import Command
from .nop import Nop
from .oracle import Oracle
from .protocol import Agent, AgentRun, Context, Service
from .registry import get, names

__all__ = [
    "Agent",
    "AgentRun",
    "Command",
    "Context",
    "Nop",
    "Oracle",
    "Service",
    "get",
    "names",
    "work",
]
