"""`job.toml`: the inputs of a job, locked when it is first started."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import Literal

from .base import Document, Record, canonical
from .ledger import Budget
from .result import AgentInfo
from .task import Kind

OnTimeout = Literal["kind", "submit", "zero"]
"""What happens to a workspace whose agent ran out of time or budget: `kind` judges it, unless the
task is a construction; `submit` always judges it; `zero` never does."""


OPTIONS = frozenset({"attempts", "on_timeout", "limits", "pairs", "unguarded", "budget", "models"})
"""Fields that decide what a trial is, beside its task and agent."""


class TaskInput(Record):
    """A task of a job."""

    name: str
    kind: Kind
    path: str
    """Where it was; informative, the digest is what counts."""
    digest: str
    evidence: str = ""
    """Digest of the evidence it was accepted with; empty when it ran unverified."""


class AgentLimits(Record):
    """What an agent's work may use."""

    seconds: float = 0.0
    """Wall clock from the start of the agent's process; 0 takes the task's own, or an hour."""
    memory: int = 4 << 30
    """Bytes."""
    disk: int = 4 << 30
    """Bytes of disk that the workspace may take."""
    processes: int = 512
    cores: float = 0.0
    """0 for no limit."""


class JobConfig(Document):
    """The whole `job.toml`."""

    format: Literal["benchwright.job/1"] = "benchwright.job/1"
    created: datetime
    version: str
    """Of Benchwright, when it was first started."""
    tasks: tuple[TaskInput, ...]
    agents: tuple[AgentInfo, ...]
    attempts: int = 1
    on_timeout: OnTimeout = "kind"
    limits: AgentLimits = AgentLimits()
    pairs: int | None = None
    """Pairs of rounds the judge runs; none takes each task's own."""
    budget: Budget = Budget()
    """What each trial may spend on model calls."""
    models: tuple[str, ...] = ()
    """Models that agents may ask for which aren't made for one, such as `command`."""
    unguarded: bool = False
    """Whether a reward is given also where no control guards what decides it."""

    def inputs(self) -> dict[str, str]:
        """Name and digest of everything that decides what its trials are."""
        found = {f"task {task.name}": task.digest for task in self.tasks}
        found |= {f"agent {agent.spec}": _digest(agent) for agent in self.agents}
        rest = self.model_dump(mode="json", include=set(OPTIONS))
        return found | {name: str(value) for name, value in rest.items()}


def _digest(record: Record) -> str:
    return hashlib.sha256(canonical(record.model_dump(mode="json"))).hexdigest()
