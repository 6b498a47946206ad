"""Agents: adapters that work on a workspace inside a sandbox."""

from .box import work
from .command import Command
from .layers import Layer, installed
from .nop import Nop
from .oracle import Oracle
from .program import Adapter, Program
from .protocol import Agent, AgentRun, Context, Service
from .registry import ADAPTERS, adapter, get, install, names

__all__ = [
    "ADAPTERS",
    "Adapter",
    "Agent",
    "AgentRun",
    "Command",
    "Context",
    "Layer",
    "Nop",
    "Oracle",
    "Program",
    "Service",
    "adapter",
    "get",
    "install",
    "installed",
    "names",
    "work",
]
