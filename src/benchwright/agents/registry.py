"""Agents by name: `oracle`, `nop`, `command:LINE`, coding agents, and whatever is installed.

More agents come through the entry points `benchwright.agents`: a name, and a function that takes
what stands behind the name (`@VERSION:MODEL`, or nothing) and gives an `Agent`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.metadata import entry_points

from benchwright.formats import AgentError

from . import layers
from .claude_code import CLAUDE_CODE
from .codex import CODEX
from .command import Command
from .layers import Layer
from .mini_swe_agent import MINI_SWE_AGENT
from .nop import Nop
from .opencode import OPENCODE
from .oracle import Oracle
from .program import Adapter
from .protocol import Agent

Factory = Callable[[str], Agent]


def _plain(agent: Agent) -> Factory:
    def make(rest: str) -> Agent:
        if rest:
            raise AgentError(f"{agent.info.name}: takes no version, model or options: {rest}")
        return agent

    return make


ADAPTERS: tuple[Adapter, ...] = (CLAUDE_CODE, CODEX, OPENCODE, MINI_SWE_AGENT)
BUILT_IN: dict[str, Factory] = {
    "oracle": _plain(Oracle()),
    "nop": _plain(Nop()),
    "command": lambda rest: Command.parse(rest.removeprefix(":")),
    **{adapter.name: adapter for adapter in ADAPTERS},
}


def get(spec: str) -> Agent:
    """The agent that a spec names.

    Raises:
        AgentError: there is no such agent, or what follows its name is wrong.
    """
    name = re.split("[@:]", spec, maxsplit=1)[0]
    factory = BUILT_IN.get(name) or _installed(name)
    return factory(spec[len(name) :])


def names() -> tuple[str, ...]:
    """Every agent that can be asked for."""
    found = {point.name for point in entry_points(group="benchwright.agents")}
    return (*BUILT_IN, *sorted(found - set(BUILT_IN)))


def adapter(name: str) -> Adapter:
    """The adapter of a coding agent.

    Raises:
        AgentError: there is none.
    """
    for found in ADAPTERS:
        if found.name == name:
            return found
    known = ", ".join(found.name for found in ADAPTERS)
    raise AgentError(f"{name or 'an empty name'}: can't be installed", hint=f"known: {known}")


def install(spec: str, progress: Callable[[str], None]) -> Layer:
    """Install `NAME` or `NAME@VERSION`, once.

    Raises:
        AgentError: there is no such agent or version.
        BuildError: it can't be fetched.
    """
    name, _, version = spec.partition("@")
    found = adapter(name)
    layers.install(name, version or found.version, found.source, progress)
    return layers.find(name, version or found.version)[0]


def _installed(name: str) -> Factory:
    for point in entry_points(group="benchwright.agents", name=name):
        factory: Factory = point.load()
        return factory
    raise AgentError(
        f"{name or 'an empty name'}: no such agent", hint=f"known: {', '.join(names())}"
    )
