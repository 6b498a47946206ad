"""Jobs made of records: what a report says depends on nothing else."""

from datetime import UTC, datetime
from pathlib import Path

from benchwright.formats import (
    AgentInfo,
    JobConfig,
    PhaseTime,
    TaskInput,
    TrialResult,
    TrialStatus,
    VerdictSummary,
)
from benchwright.jobs import JobResult

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def result(
    task: str,
    agent: str,
    index: int,
    score: float | None,
    status: TrialStatus = "judged",
    **more: object,
) -> TrialResult:
    """A trial; by default judged, and solved when its score is 1."""
    reward = None if score is None else float(score == 1.0)
    values: dict[str, object] = {
        "trial": f"{task}--{agent}--{index}",
        "attempt": "0badcafe",
        "spec": "sha256:0",
        "task": task,
        "kind": "completion",
        "agent": AgentInfo(spec=agent, name=agent),
        "index": index,
        "status": status,
        "score": score,
        "reward": reward,
        "end": "submitted",
        "phases": (PhaseTime(name="agent", started=NOW, seconds=2.0),),
        "started": NOW,
        "finished": NOW,
    }
    if status == "judged":
        values["verdict"] = VerdictSummary(status="judged", counts={"passed": 3, "failed": 1})
    return TrialResult.model_validate(values | more)


def job(results: list[TrialResult], attempts: int = 2) -> JobResult:
    """A job of these results, with every task and agent among them."""
    tasks = dict.fromkeys(item.task for item in results)
    agents = dict.fromkeys(item.agent for item in results)
    config = JobConfig(
        created=NOW,
        version="0.1.0",
        tasks=tuple(
            TaskInput(name=name, kind="completion", path="/t", digest="sha256:0") for name in tasks
        ),
        agents=tuple(agents),
        attempts=attempts,
    )
    return JobResult(Path("/jobs/first"), config, tuple(results))
