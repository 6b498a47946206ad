"""What `benchwright report --json` prints: a job in numbers."""

from __future__ import annotations

from typing import Literal

from .base import Document, Record
from .result import TrialStatus


class Estimate(Record):
    """A mean with its 95 % confidence interval."""

    value: float | None
    """None where there is nothing to average."""
    low: float
    high: float


class Cell(Record):
    """Trials of one agent: on one task, or on all."""

    task: str = ""
    """Empty for all tasks."""
    planned: int
    """All trials of the job, whatever became of them."""
    valid: int
    """Trials that count: not lost to the machine or a provider, and not missing."""
    solved: int
    """Valid trials with a reward of 1."""
    solved_valid: Estimate
    """Solved share of the valid trials."""
    solved_all: float
    """Solved share of all trials: what is lost or missing isn't solved."""
    score_valid: Estimate
    """Mean score of the valid trials."""
    score_all: float
    """Mean score of all trials: what is lost or missing scores 0."""
    agent_seconds: float
    """Mean time of the agent's work."""
    judge_seconds: float
    """Mean time of judging."""
    cost: float | None = None
    """US dollars of all its trials, where prices are known."""
    unverified: int = 0
    """Trials on tasks without valid evidence."""


class AgentSummary(Record):
    """One agent's row."""

    agent: str
    version: str = ""
    model: str = ""
    total: Cell
    tasks: tuple[Cell, ...]
    pass_at: dict[int, float] = {}
    """For each number of attempts, the estimated share of tasks solved in at least one of them; of
    the tasks with so many valid trials.
    """


class Failed(Record):
    """A trial without its reward, and why."""

    trial: str
    task: str
    agent: str
    index: int
    status: TrialStatus
    counted: bool
    score: float | None
    reason: str
    findings: tuple[str, ...] = ()
    failing: tuple[str, ...] = ()


class JobSummary(Document):
    """The whole report."""

    format: Literal["benchwright.summary/1"] = "benchwright.summary/1"
    job: str
    version: str
    planned: int
    finished: int
    valid: int
    agents: tuple[AgentSummary, ...]
    unsolved: int
    """Trials without their reward."""
    failed: tuple[Failed, ...] = ()
    """Those trials, and why."""
