"""What is known about an attempt while it runs; in the end it becomes its result."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from benchwright import __version__
from benchwright.agents import AgentRun
from benchwright.formats import (
    OUTCOMES,
    Peaks,
    PhaseTime,
    TrialResult,
    TrialStatus,
    Verdict,
    VerdictSummary,
    printable,
)

from .plan import Trial

FAILING = 20
"""How many failing ids a summary names."""

PhaseName = Literal["prepare", "agent", "freeze", "judge"]


@dataclass(slots=True)
class Record:
    """An attempt at a trial, from its start to its result."""

    trial: Trial
    folder: Path
    started: datetime = field(default_factory=lambda: datetime.now(UTC))
    phases: list[PhaseTime] = field(default_factory=list)
    digests: dict[str, str] = field(default_factory=dict)
    run: AgentRun | None = None
    files: int = 0
    size: int = 0
    sandbox: str = ""

    @property
    def workspace(self) -> Path:
        """Where the agent works."""
        return self.folder / "workspace"

    @property
    def submission(self) -> Path:
        """The frozen bytes."""
        return self.folder / "submission"

    @contextmanager
    def phase(self, name: PhaseName) -> Iterator[None]:
        """Time a phase, also one that fails."""
        started, clock = datetime.now(UTC), time.monotonic()
        try:
            yield
        finally:
            seconds = round(time.monotonic() - clock, 3)
            self.phases.append(PhaseTime(name=name, started=started, seconds=seconds))

    def result(
        self, status: TrialStatus, *, error: str = "", verdict: Verdict | None = None
    ) -> TrialResult:
        """The result; without a verdict a counted trial scores 0, and a lost one nothing."""
        zero = 0.0 if OUTCOMES[status].counted else None
        run, trial = self.run, self.trial
        return TrialResult(
            trial=trial.name,
            attempt=self.folder.name,
            spec=trial.spec,
            task=trial.task.name,
            kind=trial.task.settings.kind,
            agent=trial.agent.info,
            index=trial.index,
            status=status,
            score=verdict.score if verdict else zero,
            reward=verdict.reward if verdict else zero,
            end=run.end if run else "",
            exit_code=run.exit_code if run else 0,
            error=printable(error or (run.message if run else ""), 2000),
            unverified=not trial.evidence,
            verdict=summary(verdict) if verdict else None,
            digests=self.digests,
            phases=tuple(self.phases),
            peaks=Peaks(
                memory=run.peak_memory if run else 0,
                cpu_seconds=round(run.cpu_seconds, 3) if run else 0.0,
                files=self.files,
                size=self.size,
            ),
            usage=run.usage if run else None,
            started=self.started,
            finished=datetime.now(UTC),
            sandbox=self.sandbox,
            version=__version__,
        )


def summary(verdict: Verdict) -> VerdictSummary:
    """The verdict at a glance."""
    failing = [
        f"{printable(test.id, 300)}: {_why(test.reason, test.exception)}"
        for test in verdict.tests
        if test.reason
    ]
    findings = [f"{item.code}: {printable(item.message, 500)}" for item in verdict.findings]
    return VerdictSummary(
        status=verdict.status,
        counts=verdict.counts,
        findings=tuple(findings[:FAILING]),
        failing=tuple(failing[:FAILING]),
    )


def sha256(data: bytes) -> str:
    """The digest of a file's bytes."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def _why(reason: str, exception: str) -> str:
    return f"{reason} ({printable(exception, 100)})" if exception else reason
