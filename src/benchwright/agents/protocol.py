"""What an agent is: something that works on a workspace inside a sandbox.

An adapter is trusted code of ours (or of an installed plug); what it starts in the box is not. It
gets a `Context`, starts whatever it needs in boxes of `context.sandbox` only, and says how the work
ended. It never judges, never scores, and never raises for what its program did: a crash, a hang or
a flood is an `AgentRun`. `InfraError` is for what the machine did.

An adapter is a value that may be sent to another process: all that decides what it does is in
`info`, so that equal infos mean equal agents.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from benchwright.formats import AgentEnd, AgentInfo, AgentLimits, Usage
from benchwright.sandbox import Box, Mount, Sandbox
from benchwright.tasks import Task

if TYPE_CHECKING:
    from benchwright.environments import Environment


class Service(Protocol):
    """What answers behind the door of an agent's box: model calls, `check`, `submit`."""

    @property
    def mounts(self) -> tuple[Mount, ...]:
        """What the box needs to reach it, such as the programs `submit` and `check`."""

    @property
    def env(self) -> Mapping[str, str]:
        """Variables for the box, such as addresses and this trial's token; no real key."""

    def serve(self, box: Box) -> AbstractContextManager[None]:
        """Answer at `box.door` until the context is left. A submission kills the box."""

    @property
    def ended(self) -> AgentEnd | None:
        """`submitted`, `budget` or `provider` once the service ended the work; else None."""

    @property
    def usage(self) -> Usage | None:
        """What the model calls came to."""


@dataclass(frozen=True, slots=True)
class Context:
    """Everything an agent has to work with."""

    task: Task
    workspace: Path
    """Mounted at `/app`, writable."""
    log: Path
    """An existing folder for whatever the agent leaves to read: output, sessions, trajectory."""
    sandbox: Sandbox
    environment: Environment
    limits: AgentLimits
    """Resolved: `seconds` is never 0."""
    service: Service | None = None


@dataclass(frozen=True, slots=True)
class AgentRun:
    """How the work ended, and what it took."""

    end: AgentEnd
    exit_code: int = 0
    message: str = ""
    """Why, in one line, when it isn't plain from `end`."""
    cpu_seconds: float = 0.0
    peak_memory: int = 0
    usage: Usage | None = None


class Agent(Protocol):
    """One agent, with its version, model and options settled."""

    @property
    def info(self) -> AgentInfo:
        """Which agent this is, exactly."""

    def run(self, context: Context) -> AgentRun:
        """Work on the workspace until done, or until a limit ends it.

        Raises:
            AgentError: it isn't installed or its options can't work; no trial can succeed.
            InfraError: the machine failed.
        """
