"""A job in numbers: by agent, and by agent and task. What every table and page is made from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean

from benchwright.formats import (
    OUTCOMES,
    AgentInfo,
    AgentSummary,
    Cell,
    Estimate,
    Failed,
    JobSummary,
    TrialResult,
)
from benchwright.jobs import JobResult

from .statistics import Interval, mean_interval, pass_at, wilson


def summarize(job: JobResult, explain: int | None = None) -> JobSummary:
    """The numbers of a job.

    Args:
        job: as it stands.
        explain: how many of the trials that failed are explained; all by default.
    """
    unsolved = [result for result in job.results if result.reward != 1.0]
    tasks = [task.name for task in job.config.tasks]
    by_cell: dict[tuple[str, str], list[TrialResult]] = defaultdict(list)
    for result in job.results:
        by_cell[result.agent.spec, result.task].append(result)
    return JobSummary(
        job=job.root.name,
        version=job.config.version,
        planned=job.planned,
        finished=len(job.results),
        valid=sum(result.counted for result in job.results),
        agents=tuple(
            _agent(agent, {task: by_cell[agent.spec, task] for task in tasks}, job.config.attempts)
            for agent in job.config.agents
        ),
        unsolved=len(unsolved),
        failed=tuple(why(result) for result in unsolved[:explain]),
    )


def why(result: TrialResult) -> Failed:
    """Why a trial didn't win its reward."""
    verdict = result.verdict
    return Failed(
        trial=result.trial,
        task=result.task,
        agent=result.agent.spec,
        index=result.index,
        status=result.status,
        counted=result.counted,
        score=result.score,
        reason=_reason(result),
        findings=verdict.findings if verdict else (),
        failing=verdict.failing if verdict else (),
    )


def _reason(result: TrialResult) -> str:
    """One line: what happened, and why if it is known."""
    if result.verdict is None:
        meaning = OUTCOMES[result.status].meaning
        return f"{meaning}: {result.error}" if result.error else meaning
    counts = ", ".join(f"{n} {name}" for name, n in sorted(result.verdict.counts.items()))
    line = f"{result.verdict.status}: {counts or 'no test ran'}"
    return line if result.end == "submitted" else f"{line}; the agent {_ended(result)}"


def _ended(result: TrialResult) -> str:
    word = {"timeout": "ran out of time", "budget": "ran out of budget", "failed": "failed"}
    reason = f" ({result.error})" if result.error else ""
    return word.get(result.end, "ended without submitting") + reason


def _agent(
    agent: AgentInfo, by_task: Mapping[str, Sequence[TrialResult]], attempts: int
) -> AgentSummary:
    results = [result for group in by_task.values() for result in group]
    scores = [[r.score or 0.0 for r in group if r.counted] for group in by_task.values()]
    rewards = [[r.reward or 0.0 for r in group if r.counted] for group in by_task.values()]
    scored, solved = mean_interval(scores), mean_interval(rewards)
    return AgentSummary(
        agent=agent.spec,
        version=agent.version,
        model=agent.model,
        total=_numbers(results, len(by_task) * attempts, scored, solved),
        tasks=tuple(_cell(task, group, attempts) for task, group in by_task.items()),
        pass_at={k: share for k in _steps(attempts) if (share := _pass_at(rewards, k)) is not None},
    )


def _steps(attempts: int) -> list[int]:
    """Powers of two up to the number of attempts, and that number."""
    return sorted({*(2**n for n in range(attempts.bit_length())), attempts})


def _pass_at(rewards: Sequence[Sequence[float]], k: int) -> float | None:
    groups = [group for group in rewards if len(group) >= k]
    if not groups:
        return None
    return fmean(pass_at(len(group), sum(map(bool, group)), k) for group in groups)


def _cell(task: str, results: Sequence[TrialResult], attempts: int) -> Cell:
    scores = [r.score or 0.0 for r in results if r.counted]
    rewards = [r.reward or 0.0 for r in results if r.counted]
    scored, solved = wilson(_mean(scores), len(scores)), wilson(_mean(rewards), len(rewards))
    numbers = _numbers(results, attempts, scored, solved)
    return numbers.model_copy(update={"task": task})


def _numbers(
    results: Sequence[TrialResult], planned: int, scored: Interval, solved: Interval
) -> Cell:
    valid = [result for result in results if result.counted]
    rewards = [result.reward or 0.0 for result in valid]
    scores = [result.score or 0.0 for result in valid]
    costs = [r.usage.cost for r in results if r.usage and r.usage.cost is not None]
    return Cell(
        planned=planned,
        valid=len(valid),
        solved=sum(reward == 1.0 for reward in rewards),
        solved_valid=_estimate(rewards, solved),
        solved_all=sum(rewards) / planned if planned else 0.0,
        score_valid=_estimate(scores, scored),
        score_all=sum(scores) / planned if planned else 0.0,
        agent_seconds=_mean(_seconds(valid, "agent")),
        judge_seconds=_mean(_seconds(valid, "judge")),
        cost=sum(costs) if costs else None,
        unverified=sum(result.unverified for result in results),
    )


def _estimate(values: Sequence[float], interval: Interval) -> Estimate:
    return Estimate(value=_mean(values) if values else None, low=interval.low, high=interval.high)


def _seconds(results: Sequence[TrialResult], phase: str) -> list[float]:
    return [p.seconds for result in results for p in result.phases if p.name == phase]


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0.0
