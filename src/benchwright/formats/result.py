"""`result.json`: what became of one trial.

`OUTCOMES` is the whole policy: which statuses are part of the score, and which are tried again.
Nothing else decides that anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Literal, NamedTuple

from .base import Document, Record
from .task import Kind
from .verdict import Status

AgentEnd = Literal["submitted", "exited", "failed", "timeout", "budget", "provider"]
"""How an agent's work ended: it submitted; its program ended without; its program failed; its time
or its budget was spent; the provider of its model failed."""

TrialStatus = Literal[
    "judged",
    "no_submission",
    "agent_error",
    "agent_timeout",
    "budget",
    "provider_error",
    "infra",
]


class Outcome(NamedTuple):
    """What a status means for the numbers."""

    counted: bool
    """Part of the valid trials. A counted trial without a verdict scores 0."""
    retried: bool
    """Tried again: a bounded number of times in one run, and whenever the job is started again."""
    meaning: str


OUTCOMES: Mapping[TrialStatus, Outcome] = MappingProxyType(
    {
        "judged": Outcome(True, False, "the submission was judged"),
        "no_submission": Outcome(True, False, "the agent ended without submitting"),
        "agent_error": Outcome(True, False, "the agent failed without submitting"),
        "agent_timeout": Outcome(True, False, "the agent's time ran out before it submitted"),
        "budget": Outcome(True, False, "the agent's budget ran out before it submitted"),
        "provider_error": Outcome(False, True, "the provider of the model failed"),
        "infra": Outcome(False, True, "this machine failed"),
    }
)


class AgentInfo(Record):
    """Which agent it was, exactly."""

    spec: str
    """As given, such as `command:./solve.sh`."""
    name: str
    version: str = ""
    model: str = ""
    digest: str = ""
    """Of everything else that decides what it does: script, options, installed layer."""


class Usage(Record):
    """Model calls of one trial, summed over its ledger."""

    calls: int = 0
    input_tokens: int = 0
    """All input, the cached part included."""
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    output_tokens: int = 0
    """All output, the reasoning part included."""
    reasoning_tokens: int = 0
    cost: float | None = None
    """US dollars; none where a price isn't known."""


class PhaseTime(Record):
    """One phase: waiting in a queue is in none of them."""

    name: Literal["prepare", "agent", "freeze", "judge"]
    started: datetime
    seconds: float


class Peaks(Record):
    """The most that the agent's work used."""

    memory: int = 0
    """Bytes, 0 where it can't be measured."""
    cpu_seconds: float = 0.0
    files: int = 0
    """Files in the submission."""
    size: int = 0
    """Bytes in the submission."""


class VerdictSummary(Record):
    """The verdict at a glance; the whole is `verdict.json` beside the submission."""

    status: Status
    counts: dict[str, int]
    findings: tuple[str, ...] = ()
    """Codes and messages, one line each."""
    failing: tuple[str, ...] = ()
    """The first counted ids that didn't score, each with its reason."""


class Try(Record):
    """An earlier attempt at the same trial that didn't count."""

    attempt: str
    status: TrialStatus
    error: str


class TrialResult(Document):
    """The result of one trial."""

    format: Literal["benchwright.result/1"] = "benchwright.result/1"
    trial: str
    """Its folder below `trials`."""
    attempt: str
    """Folder of the attempt that this is the result of, below the trial's."""
    spec: str
    """Digest of everything that decides the trial: the same spec may be run again anywhere."""
    task: str
    kind: Kind
    agent: AgentInfo
    index: int
    """Which repetition of this agent on this task, from 1."""
    status: TrialStatus
    score: float | None
    reward: float | None
    end: AgentEnd | Literal[""] = ""
    """How the agent's work ended; empty when it never began."""
    exit_code: int = 0
    error: str = ""
    """Why there is no verdict, in one line."""
    unverified: bool = False
    """The task had no valid evidence when this ran."""
    verdict: VerdictSummary | None = None
    digests: dict[str, str] = {}
    """`sha256:…` of everything that came in and went out: `task`, `instruction`, `environment`,
    `evidence`, `start`, `submission`, `verdict`."""
    phases: tuple[PhaseTime, ...] = ()
    peaks: Peaks = Peaks()
    usage: Usage | None = None
    tries: tuple[Try, ...] = ()
    started: datetime
    finished: datetime
    sandbox: str = ""
    """Backend and the protections that really held."""
    version: str = ""
    """Of Benchwright."""

    @property
    def counted(self) -> bool:
        """Whether it is one of the valid trials."""
        return OUTCOMES[self.status].counted

    @property
    def seconds(self) -> float:
        """Working time of all phases."""
        return sum(phase.seconds for phase in self.phases)
