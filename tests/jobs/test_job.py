import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from benchwright import jobs
from benchwright.agents import AgentRun, Context
from benchwright.formats import (
    AgentInfo,
    AgentLimits,
    JobError,
    SandboxError,
    TaskError,
    TrialResult,
)
from benchwright.jobs import JobResult, Moment
from benchwright.tasks import Task
from benchwright.validation import validate
from jobs.shapes import write_task

FAILS = "command:exit 3"
SCRIPT = """
import sys
from pathlib import Path
from benchwright import jobs
jobs.run([Path(sys.argv[1])], sys.argv[3:], Path(sys.argv[2]), attempts=6, unvalidated=True)
"""


def run(task: Task, out: Path, *agents: str, attempts: int = 1) -> JobResult:
    return jobs.run([task], agents or [FAILS], out, attempts=attempts, unvalidated=True)


def start(task: Task, out: Path, agent: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", SCRIPT, str(task.root), str(out), agent]
    return subprocess.Popen(command, stderr=subprocess.PIPE)


def results(out: Path) -> dict[str, bytes]:
    return {path.parent.name: path.read_bytes() for path in out.glob("trials/*/result.json")}


def attempts(out: Path) -> list[str]:
    return sorted(path.parent.name for path in out.glob("trials/*/*/instruction.md"))


def wait_for(out: Path, count: int) -> None:
    deadline = time.monotonic() + 60
    while len(results(out)) < count:
        assert time.monotonic() < deadline, "the job makes no progress"
        time.sleep(0.02)


def marked(pid_marker: str) -> list[str]:
    """Processes anywhere on this machine whose command line holds a marker."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes()
        except OSError:
            continue
        if pid_marker.encode() in line and str(os.getpid()) != path.parent.name:
            found.append(line.decode(errors="replace"))
    return found


def test_a_job_is_a_folder_that_can_be_read(task: Task, tmp_path: Path) -> None:
    job = run(task, tmp_path / "job", "command:cat > got; echo said; exit 3")

    (result,) = job.results
    folder = tmp_path / "job" / "trials" / result.trial / result.attempt
    assert (result.status, result.score, result.reward) == ("agent_error", 0.0, 0.0)
    assert (result.end, result.exit_code) == ("failed", 3)
    assert (folder / "submission" / "got").read_text() == "Write the module `twice`.\n"
    assert (folder / "log" / "stdout.txt").read_text() == "said\n"
    assert "+Write the module" in (folder / "changes.diff").read_text()
    assert not (folder / "workspace").exists()
    assert [phase.name for phase in result.phases] == ["prepare", "agent", "freeze"]
    assert jobs.load(tmp_path / "job") == job


def test_the_same_job_again_does_nothing(task: Task, tmp_path: Path) -> None:
    run(task, tmp_path / "job", attempts=2)
    before = results(tmp_path / "job")
    moments: list[Moment] = []

    job = jobs.run(
        [task], [FAILS], tmp_path / "job", attempts=2, unvalidated=True, watch=moments.append
    )

    assert [moment.what for moment in moments] == ["kept", "kept"]
    assert len(job.results) == job.planned == 2
    assert results(tmp_path / "job") == before


def test_a_deleted_result_is_made_again_and_only_that(task: Task, tmp_path: Path) -> None:
    out = tmp_path / "job"
    job = run(task, out, attempts=3)
    gone = job.results[1].trial
    before = results(out)
    (out / "trials" / gone / "result.json").unlink()

    run(task, out, attempts=3)

    after = results(out)
    assert {name for name in after if after[name] != before[name]} == {gone}
    assert len(attempts(out)) == 3


def test_other_inputs_are_refused_by_name(task: Task, tmp_path: Path) -> None:
    run(task, tmp_path / "job")

    with pytest.raises(JobError, match="attempts differs"):
        run(task, tmp_path / "job", attempts=2)
    with pytest.raises(JobError, match="agent nop isn't in it"):
        run(task, tmp_path / "job", FAILS, "nop")
    (task.hidden / "tests" / "test_twice.py").write_text("def test_one(): pass\n")
    with pytest.raises(JobError, match="task test/twice differs"):
        run(task, tmp_path / "job")


def test_a_changed_script_is_another_agent(task: Task, tmp_path: Path) -> None:
    script = tmp_path / "agent.sh"
    script.write_text("exit 4\n")
    job = run(task, tmp_path / "job", f"command:{script}")
    script.write_text("exit 5\n")

    assert job.results[0].exit_code == 4
    with pytest.raises(JobError, match=r"agent command:/agent/agent\.sh differs"):
        run(task, tmp_path / "job", f"command:{script}")


def test_a_folder_of_something_else_is_refused(task: Task, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "letter.txt").write_text("dear")
    (tmp_path / "file").write_text("")

    with pytest.raises(JobError, match="not empty, and not a job"):
        run(task, tmp_path / "home")
    with pytest.raises(JobError, match="is a file"):
        run(task, tmp_path / "file")
    with pytest.raises(JobError, match="not a job"):
        jobs.load(tmp_path / "home")


def test_a_task_without_evidence_runs_only_when_told_and_is_marked(
    task: Task, tmp_path: Path
) -> None:
    with pytest.raises(TaskError, match="--unvalidated"):
        jobs.run([task], [FAILS], tmp_path / "job")

    assert not (tmp_path / "job").exists()
    assert [result.unverified for result in run(task, tmp_path / "job").results] == [True]


def test_a_validated_task_runs_until_it_is_changed(tmp_path: Path) -> None:
    task = write_task(tmp_path / "tasks" / "twice", requires=("pytest",))
    validate(task, gates=("sealed", "reference", "start"))
    job = jobs.run([task], [FAILS], tmp_path / "job")
    (task.hidden / "tests" / "test_twice.py").write_text("def test_one(): pass\n")

    assert [result.unverified for result in job.results] == [False]
    assert "evidence" in job.results[0].digests
    with pytest.raises(TaskError, match="test_twice"):
        jobs.run([task], [FAILS], tmp_path / "job")


def test_a_construction_needs_an_explicit_submission(task: Task, tmp_path: Path) -> None:
    limits = AgentLimits(seconds=0.5)

    job = jobs.run([task], ["command:sleep 60"], tmp_path / "job", limits=limits, unvalidated=True)

    (result,) = job.results
    assert (result.status, result.reward, result.verdict) == ("agent_timeout", 0.0, None)
    assert job.lost == 0


def test_agents_are_judged_by_the_hidden_tests(tmp_path: Path) -> None:
    script = tmp_path / "half.py"
    script.write_text(
        "#!/usr/bin/env python\n"
        "from pathlib import Path\n"
        "Path('twice.py').write_text('def double(n):\\n    return n + n if n == 1 else None\\n')\n"
    )
    script.chmod(0o755)
    tasks = [
        write_task(tmp_path / "tasks" / kind, kind, ("pytest",))
        for kind in ("completion", "construction")
    ]

    job = jobs.run(
        tasks,
        ["oracle", "nop", f"command:{script}", "command:submit done; sleep 60"],
        tmp_path / "job",
        unguarded=True,
        unvalidated=True,
        concurrency=2,
    )

    found = {(r.kind, r.agent.spec.split("/")[-1]): (r.score, r.reward) for r in job.results}
    assert job.lost == 0
    for kind in ("completion", "construction"):
        assert found[kind, "oracle"] == (1.0, 1.0)
        assert found[kind, "nop"] == (0.0, 0.0)
        assert found[kind, "half.py"] == (0.5, 0.0)
        assert found[kind, "command:submit done; sleep 60"] == (0.0, 0.0)
    assert {result.end for result in job.results} == {"submitted"}
    verdicts = list((tmp_path / "job").glob("trials/*/*/verdict.json"))
    assert len(verdicts) == 8


@dataclass(slots=True)
class Flaky:
    """An agent whose machine fails a number of times."""

    failures: int
    seen: list[Path] = field(default_factory=list)

    @property
    def info(self) -> AgentInfo:
        return AgentInfo(spec="flaky", name="flaky")

    def run(self, context: Context) -> AgentRun:
        self.seen.append(context.workspace)
        if len(self.seen) <= self.failures:
            raise SandboxError(f"failure {len(self.seen)}")
        return AgentRun(end="failed", message="as planned")


def flaky(task: Task, out: Path, agent: Flaky) -> tuple[JobResult, list[Moment]]:
    moments: list[Moment] = []
    engine = jobs.Local(retries=2, backoff=0.01)
    job = jobs.run([task], [agent], out, unvalidated=True, engine=engine, watch=moments.append)
    return job, moments


def test_what_the_machine_loses_is_tried_again_and_shown(task: Task, tmp_path: Path) -> None:
    job, moments = flaky(task, tmp_path / "job", Flaky(2))

    (result,) = job.results
    assert (result.status, result.error) == ("agent_error", "as planned")
    assert [item.error for item in result.tries] == ["failure 1", "failure 2"]
    assert [m.what for m in moments if m.what != "judging"] == [
        "working", "retrying", "working", "retrying", "working", "finished",
    ]  # fmt: skip


def test_what_stays_lost_has_no_score_and_is_run_by_the_next_start(
    task: Task, tmp_path: Path
) -> None:
    agent = Flaky(3)
    lost, _ = flaky(task, tmp_path / "job", agent)
    found, _ = flaky(task, tmp_path / "job", agent)

    assert (lost.results[0].status, lost.results[0].score, lost.lost) == ("infra", None, 1)
    assert (found.results[0].status, found.lost) == ("agent_error", 0)
    errors = [item.error for item in found.results[0].tries]
    assert errors == ["failure 1", "failure 2", "failure 3"]
    assert len(attempts(tmp_path / "job")) == 4
    assert list((tmp_path / "job").glob("trials/*/*/workspace")) == []


def test_kill_9_loses_nothing_that_was_finished(task: Task, tmp_path: Path) -> None:
    out, agent = tmp_path / "job", "command:sleep 0.3; : kill-nine-marker; exit 1"
    process = start(task, out, agent)
    wait_for(out, 2)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    before = results(out)
    assert 2 <= len(before) < 6

    job = run(task, out, agent, attempts=6)

    after = results(out)
    assert len(job.results) == len(after) == 6
    assert {name: after[name] for name in before} == before
    assert len(attempts(out)) == 6
    assert marked("kill-nine-marker") == []


def test_ctrl_c_ends_everything_and_keeps_what_was_finished(task: Task, tmp_path: Path) -> None:
    out, agent = tmp_path / "job", "command:sleep 0.3; : ctrl-c-marker; exit 1"
    process = start(task, out, agent)
    wait_for(out, 2)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    before = results(out)

    assert process.returncode == -signal.SIGINT
    assert 2 <= len(before) < 6
    assert marked("ctrl-c-marker") == []
    assert {TrialResult.model_validate_json(text).status for text in before.values()} == {
        "agent_error"
    }
    assert len(run(task, out, agent, attempts=6).results) == 6
    assert before.items() <= results(out).items()


def test_two_processes_share_one_job(task: Task, tmp_path: Path) -> None:
    out, agent = tmp_path / "job", "command:sleep 0.2; exit 1"
    both = [start(task, out, agent), start(task, out, agent)]

    said = [process.communicate(timeout=60)[1].decode() for process in both]

    assert ([process.returncode for process in both], said) == ([0, 0], ["", ""])
    assert len(results(out)) == 6
    assert len(attempts(out)) == 6


FULL = """
import resource, sys
from pathlib import Path
from benchwright import jobs
from benchwright.agents import AgentRun
from benchwright.formats import AgentInfo, StorageError

class Wordy:
    info = AgentInfo(spec="wordy", name="wordy")
    def run(self, context):
        return AgentRun(end="failed", message="\\u4e2d" * 2000)

resource.setrlimit(resource.RLIMIT_FSIZE, (6500, resource.RLIM_INFINITY))
try:
    jobs.run([Path(sys.argv[1])], [Wordy()], Path(sys.argv[2]), unvalidated=True)
except StorageError as error:
    print(error)
    sys.exit(error.exit_code)
"""


def test_a_result_that_cannot_be_written_is_not_half_written(task: Task, tmp_path: Path) -> None:
    out = tmp_path / "job"
    run(task, tmp_path / "warm")  # its environment is built, and its bytes aren't limited

    command = [sys.executable, "-c", FULL, str(task.root), str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (1, "")
    assert "result.json: can't be written: File too large" in done.stdout
    assert [path.name for path in out.glob("trials/*/*") if path.is_file()] == [".lock"]
