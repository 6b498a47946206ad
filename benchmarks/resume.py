"""How long the command line takes to find that a finished job of 10,000 trials has nothing to do.

    .venv/bin/python benchmarks/resume.py [TRIALS]

The job is a real one but for its engine, which gives every trial a result at once.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from benchwright import jobs
from benchwright.formats import (
    ExpectedTest,
    Lock,
    Manifest,
    PhaseTime,
    Product,
    Recipe,
    Settings,
    SourcePin,
    TaskConfig,
    TrialResult,
    VerdictSummary,
)
from benchwright.jobs import Store, Tools, Trial, Watch
from benchwright.tasks import save_config, save_recipe

TASKS = 20
AGENTS = ("oracle", "nop", "command:true", "command:exit 1", "command:exit 2")
RUNS = 3


@dataclass(frozen=True, slots=True)
class Instant:
    """An engine that carries nothing out."""

    def run(self, trials: Sequence[Trial], store: Store, tools: Tools, watch: Watch) -> None:  # noqa: ARG002
        """Save a result of ordinary size for every trial."""
        for trial in trials:
            lock = store.claim(trial.name)
            assert lock
            with lock:
                store.save(result(trial))


def result(trial: Trial) -> TrialResult:
    """A result as long as a real one."""
    now = datetime.now(UTC)
    names = ("prepare", "agent", "freeze", "judge")
    failing = tuple(f"tests/test_tables.py::test_{n}[memory]: failed" for n in range(10))
    return TrialResult(
        trial=trial.name,
        attempt="0badcafe",
        spec=trial.spec,
        task=trial.task.name,
        kind=trial.task.settings.kind,
        agent=trial.agent.info,
        index=trial.index,
        status="judged",
        score=0.5,
        reward=0.0,
        end="submitted",
        verdict=VerdictSummary(status="judged", counts={"failed": 10}, failing=failing),
        digests=dict.fromkeys(("task", "environment", "start", "submission"), "sha256:" + "0" * 64),
        phases=tuple(PhaseTime(name=name, started=now, seconds=1.5) for name in names),
        started=now,
        finished=now,
    )


def task(root: Path) -> Path:
    """A task folder of a usual number of files."""
    for name in ("environment/workspace", "tests/files", "solution/files"):
        for number in range(40):
            path = root / name / f"module_{number}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("x = 1\n" * 200)
    (root / "instruction.md").write_text("Do it.\n")
    recipe = Recipe(language="python", version="3.11")
    save_recipe(root, recipe, Lock(recipe="", packages=()))
    settings = Settings(
        kind="completion",
        language="python",
        source=SourcePin(spec="path:x"),
        product=Product(paths=("x.py",)),
    )
    save_config(root, TaskConfig(benchwright=settings))
    Manifest(tests=(ExpectedTest(id="a", file="a"),)).write(root / "tests" / "manifest.json")
    return root


def cost(command: Sequence[str]) -> str:
    """Median wall and processor time of a command that must succeed."""
    wall, processor = [], []
    for _ in range(RUNS):
        start, before = time.monotonic(), sum(os.times()[2:4])
        subprocess.run(command, check=True, capture_output=True)
        wall.append(time.monotonic() - start)
        processor.append(sum(os.times()[2:4]) - before)
    return f"{median(wall):.2f} s ({median(processor):.2f} s of processor time)"


def main() -> None:
    """Make the job and measure."""
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    attempts = trials // (TASKS * len(AGENTS))
    program = [sys.executable, "-m", "benchwright"]
    with tempfile.TemporaryDirectory(prefix="benchwright-resume-") as scratch:
        root = Path(scratch)
        tasks = [task(root / "tasks" / f"task-{n}") for n in range(TASKS)]
        job = root / "job"
        jobs.run(tasks, AGENTS, job, attempts=attempts, unvalidated=True, engine=Instant())
        again = [*program, "run", str(root / "tasks"), "-o", str(job), "-k", str(attempts)]
        again += ["--unvalidated", *(word for agent in AGENTS for word in ("-a", agent))]
        count = attempts * TASKS * len(AGENTS)
        print(f"resume of {count} finished trials: {cost(again)}")
        print(f"report of {count} trials: {cost([*program, 'report', str(job)])}")


if __name__ == "__main__":
    main()
