"""`run`: a job from its tasks and agents to its results, as often as it is started."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from benchwright import __version__, sandbox
from benchwright.agents import Agent, Service
from benchwright.agents import get as get_agent
from benchwright.formats import (
    AgentLimits,
    Budget,
    InputError,
    JobConfig,
    JobError,
    OnTimeout,
    TaskError,
    TaskInput,
    TrialResult,
)
from benchwright.sandbox import Sandbox
from benchwright.tasks import Task, find

from .engines import Engine, Local, Moment, Watch
from .plan import Trial, plan
from .record import sha256
from .stop import Stoppable
from .store import Store, finished
from .trial import Tools

if TYPE_CHECKING:
    from benchwright.environments import Environment
    from benchwright.gateway import Prices


@dataclass(frozen=True, slots=True)
class JobResult:
    """A job's inputs, and the results it has so far."""

    root: Path
    config: JobConfig
    results: tuple[TrialResult, ...]

    @property
    def planned(self) -> int:
        """How many trials it consists of."""
        return len(self.config.tasks) * len(self.config.agents) * self.config.attempts

    @property
    def lost(self) -> int:
        """Trials that have no valid result: the machine or a provider failed, or none yet."""
        return self.planned - sum(result.counted for result in self.results)


def _ignore(moment: Moment) -> None:
    """Nobody watches."""


def load(root: Path) -> JobResult:
    """A job as it stands.

    Raises:
        JobError: there is none.
    """
    store = Store.open(root)
    return JobResult(store.root, store.config, tuple(store.results().values()))


def run(
    tasks: Sequence[Task | Path | str],
    agents: Sequence[Agent | str],
    out: Path | str,
    *,
    attempts: int = 1,
    concurrency: int = 1,
    judges: int | None = None,
    retries: int = 2,
    limits: AgentLimits = AgentLimits(),  # noqa: B008 - frozen
    on_timeout: OnTimeout = "kind",
    pairs: int | None = None,
    models: Sequence[str] = (),
    budget: Budget = Budget(),  # noqa: B008 - frozen
    job_budget: Budget = Budget(),  # noqa: B008
    prices: Prices | None = None,
    unguarded: bool = False,
    unvalidated: bool = False,
    box: Sandbox | None = None,
    service: Callable[[Trial, Path], Service] | None = None,
    engine: Engine | None = None,
    watch: Watch = _ignore,
    progress: Callable[[str], None] | None = None,
) -> JobResult:
    """Run every agent on every task and judge what comes back; go on where it was left.

    Args:
        tasks: tasks, their folders, or folders of tasks.
        agents: agents or their specs, such as `oracle` or `command:./my-agent.sh`.
        out: the job's folder: new, or of a job with the same inputs.
        attempts: how often each agent tries each task.
        concurrency: agents at work at the same time.
        judges: submissions judged at the same time; by default as many, up to the cores.
        retries: how often a trial that the machine lost is tried again in this run.
        limits: what an agent's work may use.
        on_timeout: whether a workspace is judged whose agent ran out of time.
        pairs: pairs of rounds the judge runs; by default each task's own.
        models: what agents may ask for that aren't made for a model, such as `command`.
        budget: what each trial may spend on model calls.
        job_budget: what all trials together may spend.
        prices: of tokens; by default the published ones.
        unguarded: give a reward also where no wrong test guards what decides it.
        unvalidated: also run tasks without valid evidence, and mark their results.
        box: the sandbox; by default the best of this machine.
        service: makes what answers behind the door of an agent's box.
        engine: what carries out the trials; by default this machine.
        watch: told what happens to each trial.
        progress: told about what takes long besides trials.

    Raises:
        InputError: a task, an agent or the folder can't be used.
        StorageError: a result couldn't be written; nothing is half written.
    """
    loaded = _tasks(tasks)
    chosen = _agents(agents)
    if attempts < 1 or concurrency < 1:
        raise InputError("attempts and concurrency are at least 1")
    config = JobConfig(
        created=datetime.now(UTC),
        version=__version__,
        tasks=tuple(_lock(task, unvalidated) for task in loaded),
        agents=tuple(agent.info for agent in chosen),
        attempts=attempts,
        on_timeout=on_timeout,
        limits=limits,
        pairs=pairs,
        models=tuple(models),
        budget=budget,
        unguarded=unguarded,
    )
    store = Store.create(Path(out), config)
    found = store.results()
    trials = list(plan(config, loaded, chosen))
    missing = []
    for trial in trials:
        if finished(result := found.get(trial.name), trial.spec):
            watch(Moment("kept", trial.name, result))
        else:
            missing.append(trial)
    if missing:
        tools = Tools(Stoppable(box or sandbox.choose()), _Environments(progress), service)
        cores = os.cpu_count() or 1
        local = Local(concurrency, judges or min(concurrency, cores), retries)
        with _served(tools, store, chosen, job_budget, prices) as served:
            (engine or local).run(missing, store, served, watch)
        found = store.results()
    results = tuple(found[trial.name] for trial in trials if trial.name in found)
    return JobResult(store.root, store.config, results)


@contextmanager
def _served(
    tools: Tools, store: Store, agents: Sequence[Agent], total: Budget, prices: Prices | None
) -> Iterator[Tools]:
    """The tools with a gateway behind every door, where the caller brought nothing else.

    Raises:
        AgentError: an agent's model needs a key that isn't there.
    """
    if tools.service is not None:
        yield tools
        return
    from benchwright.agents.doors import Doors, upstreams
    from benchwright.gateway import Account, Gateway, Prices

    models = store.config.models
    keys = upstreams(agents, models)
    with Gateway() as gateway:
        doors = Doors(
            gateway,
            tools.sandbox,
            job=Account(store.root / "ledger.jsonl", total),
            budget=store.config.budget,
            prices=prices or Prices(),
            upstreams=keys,
            models=models,
        )
        yield replace(tools, service=doors)


class _Environments:
    """Each task's environment, built when it is first needed."""

    def __init__(self, progress: Callable[[str], None] | None) -> None:
        self._progress = progress
        self._lock = threading.Lock()
        self._built: dict[str, Environment] = {}

    def __call__(self, trial: Trial) -> Environment:
        with self._lock:
            if trial.task_digest not in self._built:
                from benchwright.environments import build  # only what runs needs languages

                self._built[trial.task_digest] = build(
                    trial.task.recipe, trial.task.lock, progress=self._progress
                )
            return self._built[trial.task_digest]


def _tasks(given: Sequence[Task | Path | str]) -> list[Task]:
    """The tasks, each once."""
    found: dict[str, Task] = {}
    for item in given:
        for task in [item] if isinstance(item, Task) else find([Path(item)]):
            other = found.setdefault(task.name, task)
            if other.root != task.root:
                raise TaskError(f"{task.root}: has the same name as {other.root}: {task.name}")
    if not found:
        raise JobError("no task to run", hint="name task folders")
    return list(found.values())


def _agents(given: Sequence[Agent | str]) -> list[Agent]:
    """The agents, each once."""
    agents = [get_agent(item) if isinstance(item, str) else item for item in given]
    if not agents:
        raise JobError("no agent to run", hint="name one with -a, such as -a oracle")
    return list({agent.info.spec: agent for agent in agents}.values())


def _lock(task: Task, unvalidated: bool) -> TaskInput:
    """The task with its digest, and its evidence if that is valid.

    Raises:
        TaskError: it has no valid evidence, and that was asked for.
    """
    from benchwright.validation import verify

    evidence = ""
    try:
        evidence = sha256(verify(task).dumps().encode())
    except TaskError as error:
        if not unvalidated:
            raise TaskError(
                error.message, hint=f"{error.hint or 'validate it'}, or run it with --unvalidated"
            ) from None
    return TaskInput(
        name=task.name,
        kind=task.settings.kind,
        path=str(task.root),
        digest=task.digest(),
        evidence=evidence,
    )
