"""`benchwright run`."""

from __future__ import annotations

import signal
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

if TYPE_CHECKING:
    from benchwright.gateway import Prices


def run(
    *tasks: Path,
    agent: Annotated[tuple[str, ...], Parameter(name=["--agent", "-a"])] = (),
    out: Annotated[Path | None, Parameter(name=["--out", "-o"])] = None,
    attempts: Annotated[int, Parameter(name=["--attempts", "-k", "--n-attempts"])] = 1,
    concurrent: Annotated[int, Parameter(name=["--n-concurrent", "-j", "-n"])] = 1,
    judges: int | None = None,
    max_retries: Annotated[int, Parameter(name=["--max-retries", "-r"])] = 2,
    timeout: float = 0.0,
    memory: int = 4096,
    on_timeout: Literal["kind", "submit", "zero"] = "kind",
    pairs: int | None = None,
    model: tuple[str, ...] = (),
    budget: float | None = None,
    job_budget: float | None = None,
    max_calls: int | None = None,
    max_tokens: int | None = None,
    prices: Path | None = None,
    unguarded: bool = False,
    unvalidated: bool = False,
    sandbox: str | None = None,
    json: bool = False,
) -> int:
    """Run agents on tasks, judge what comes back, and print the results.

    The job is a folder. The same command again does only what is missing in it.

    Parameters
    ----------
    tasks
        Task folders, or folders of them.
    agent
        `oracle`, `nop`, `command:LINE`, … ; may be given more than once.
    out
        Folder of the job; by default a new one below `jobs`.
    attempts
        How often each agent tries each task.
    concurrent
        Agents at work at the same time.
    judges
        Submissions judged at the same time; by default as many, up to the cores.
    max_retries
        How often a trial is tried again that this machine lost.
    timeout
        Seconds an agent may work; by default what the task says.
    memory
        Megabytes an agent may use.
    on_timeout
        Judge what an agent that ran out of time left: `submit` always, `zero` never, `kind` unless
        the task asks for an explicit submission.
    pairs
        Pairs of rounds of the judge; by default what the task says.
    model
        A model that agents may ask for which aren't made for one, such as `command`; may be given
        more than once.
    budget
        Dollars each trial may spend on model calls.
    job_budget
        Dollars all trials together may spend.
    max_calls
        Model calls of each trial.
    max_tokens
        Tokens of each trial's model calls.
    prices
        A file of prices, for models whose price isn't known.
    unguarded
        Give a reward also where the task has no wrong versions of the tests that decide it.
    unvalidated
        Also run tasks without valid evidence; their results are marked.
    sandbox
        Which sandbox; by default the best of this machine.
    json
        Print the results as JSON.
    """
    from benchwright import jobs, reports
    from benchwright import sandbox as sandboxes
    from benchwright.formats import AgentLimits, Budget, ExitCode, InputError
    from benchwright.tasks import find

    from .output import console
    from .progress import Board

    if not tasks:
        raise InputError("no task to run", hint="name task folders, or folders of them")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    loaded = find(list(tasks))
    folder = out or Path("jobs") / datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    board = Board(len(loaded) * len(agent) * attempts)
    with board.shown():
        job = jobs.run(
            loaded,
            agent,
            folder,
            attempts=attempts,
            concurrency=concurrent,
            judges=judges,
            retries=max_retries,
            limits=AgentLimits(seconds=timeout, memory=memory << 20),
            on_timeout=on_timeout,
            pairs=pairs,
            models=model,
            budget=Budget(money=budget, calls=max_calls, tokens=max_tokens),
            job_budget=Budget(money=job_budget),
            prices=_prices(prices),
            unguarded=unguarded,
            unvalidated=unvalidated,
            box=sandboxes.choose(sandbox) if sandbox else None,
            watch=board.watch,
            progress=board.say,
        )
    if json:
        print(reports.summarize(job).dumps(), end="")
    else:
        console().print(reports.table(job))
        board.say(f"results: {folder} (benchwright report {folder} --html FILE)")
    return ExitCode.INFRA if job.lost else ExitCode.DONE


def _prices(path: Path | None) -> Prices | None:
    if path is None:
        return None
    from benchwright.gateway import Prices  # loads a server, which a finished job doesn't need

    return Prices.read(path)
