"""The agent that does nothing: what a task must never reward."""

from __future__ import annotations

from dataclasses import dataclass

from benchwright.formats import AgentInfo

from .protocol import AgentRun, Context


@dataclass(frozen=True, slots=True)
class Nop:
    """Submits the workspace as it found it."""

    @property
    def info(self) -> AgentInfo:
        """Its name says it all."""
        return AgentInfo(spec="nop", name="nop")

    def run(self, context: Context) -> AgentRun:  # noqa: ARG002 - the protocol's signature
        """Nothing."""
        return AgentRun(end="submitted")
