"""What a job consists of: its trials, each a value that decides its own outcome."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchwright.agents import Agent
from benchwright.formats import AgentLimits, JobConfig, OnTimeout, TaskInput, canonical
from benchwright.formats.job import OPTIONS
from benchwright.tasks import Task

HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class Trial:
    """One agent, one task, one repetition. Equal `spec`s are the same experiment anywhere."""

    name: str
    """Its folder below `trials`."""
    spec: str
    task: Task
    task_digest: str
    evidence: str
    """Digest of the task's evidence; empty when it runs unverified."""
    agent: Agent
    index: int
    limits: AgentLimits
    on_timeout: OnTimeout
    pairs: int | None
    unguarded: bool


def plan(config: JobConfig, tasks: Sequence[Task], agents: Sequence[Agent]) -> Iterator[Trial]:
    """Every trial of a job: all tasks and agents once, then again, so that early results are broad.

    Args:
        config: the locked inputs.
        tasks: loaded, in the order of `config.tasks`.
        agents: in the order of `config.agents`.
    """
    shared = [
        (task, locked, agent, _resolve(config.limits, task))
        for task, locked in zip(tasks, config.tasks, strict=True)
        for agent in agents
    ]
    bases = [_base(config, locked, agent, limits) for _, locked, agent, limits in shared]
    names = [_name(task, agent) for task, _, agent, _ in shared]
    for index in range(1, config.attempts + 1):
        for (task, locked, agent, limits), base, name in zip(shared, bases, names, strict=True):
            yield Trial(
                name=f"{name}--{index}",
                spec=_digest([base, index]),
                task=task,
                task_digest=locked.digest,
                evidence=locked.evidence,
                agent=agent,
                index=index,
                limits=limits,
                on_timeout=config.on_timeout,
                pairs=config.pairs,
                unguarded=config.unguarded,
            )


def _base(config: JobConfig, locked: TaskInput, agent: Agent, limits: AgentLimits) -> str:
    """Digest of what all attempts of an agent at a task have in common."""
    options = config.model_dump(mode="json", include=set(OPTIONS - {"attempts", "limits"}))
    return _digest(
        {
            **options,
            "task": locked.digest,
            "agent": agent.info.model_dump(mode="json"),
            "limits": limits.model_dump(mode="json"),
        }
    )


def _resolve(limits: AgentLimits, task: Task) -> AgentLimits:
    """The limits with the task's own time (Harbor's `agent.timeout_sec`) where none is given."""
    seconds = limits.seconds or float(task.config.agent.get("timeout_sec") or HOUR)
    return limits.model_copy(update={"seconds": seconds})


def _name(task: Task, agent: Agent) -> str:
    """Readable, and different for different tasks and agents, whatever their names are."""
    unique = _digest([task.name, agent.info.spec]).removeprefix("sha256:")[:8]
    return f"{_slug(task.name)}--{_slug(agent.info.name)}--{unique}"


def _slug(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._]+", "-", name.rpartition("/")[2]).strip("-.")[:40] or "x"


def _digest(value: object) -> str:
    return "sha256:" + hashlib.sha256(canonical(value)).hexdigest()
