"""Makes the service of each trial of a job: its models, its budget, its checks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from benchwright.formats import AgentError, Budget
from benchwright.gateway import (
    Account,
    DoorService,
    Gateway,
    Models,
    Prices,
    Services,
    Trial,
    Upstream,
)
from benchwright.gateway.checks import Checks
from benchwright.gateway.models import HOMES
from benchwright.sandbox import Sandbox
from benchwright.tasks import Task

from .program import Program
from .protocol import Agent


class Attempt(Protocol):
    """What must be known of a trial."""

    @property
    def name(self) -> str:
        """Unique in the job."""

    @property
    def task(self) -> Task:
        """Whose checks are allowed."""

    @property
    def agent(self) -> Agent:
        """Whose model is asked for."""


@dataclass(frozen=True, slots=True)
class Doors:
    """Called with a trial and its folder; gives what answers behind the door of its box."""

    gateway: Gateway
    sandbox: Sandbox
    job: Account | None = None
    """The job's ledger and budget, shared by all its trials."""
    budget: Budget | None = None
    """Of each trial."""
    prices: Prices = field(default_factory=Prices)
    upstreams: Mapping[str, Upstream] = field(default_factory=dict)
    """Provider -> where it is and with which key."""
    models: tuple[str, ...] = ()
    """What agents may ask for that aren't made for a model, such as `command`."""

    def __call__(self, trial: Attempt, folder: Path) -> DoorService:
        """The service of a trial. Whatever name its program asks for, its own model answers."""
        model = trial.agent.info.model
        names = {"*": model} if model else {name: name for name in self.models}
        check = trial.task.settings.check
        accounts = (Account(folder / "ledger.jsonl", self.budget),)
        services = Services(
            allow=check.allow,
            limit=check.limit,
            check=Checks(trial.task, folder / "workspace", self.sandbox),
        )
        behind = Trial(
            name=trial.name,
            models=Models(self.upstreams, names),
            accounts=(*accounts, self.job) if self.job else accounts,
            prices=self.prices,
            services=services,
        )
        return DoorService(self.gateway, behind, folder)


def upstreams(agents: Iterable[Agent], also: Iterable[str] = ()) -> dict[str, Upstream]:
    """The providers that these agents need, with their keys from the environment.

    Args:
        agents: all of a job.
        also: models for agents that aren't made for one; then every provider with a key will do.

    Raises:
        AgentError: a key is missing. Found out before anything is started.
    """
    found = {a.adapter.provider: Upstream.of(a.adapter.provider)
             for a in agents if isinstance(a, Program)}  # fmt: skip
    if list(also):
        for provider in HOMES:
            try:
                found.setdefault(provider, Upstream.of(provider))
            except AgentError:
                continue
        if not found:
            Upstream.of("openai")
    return found
