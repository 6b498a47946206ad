"""Real programs, from the registries, on a real task: offline, from the prompt to the verdict."""

import json
import os
from pathlib import Path

import pytest

from agents.coding import KEY, PLANTED, SOLVE, TOKENS, Ran, run
from benchwright import agents, jobs
from benchwright.formats import AgentError, Budget, Tokens

PROGRAMS = {"claude-code": "claude-sonnet-4-5", "codex": "gpt-5.1-codex"}
each_program = pytest.mark.parametrize("name", PROGRAMS)


@pytest.fixture(scope="session", autouse=True)
def _installed() -> None:
    for name in PROGRAMS:
        agents.install(name, print)


@pytest.fixture(scope="module", params=PROGRAMS)
def solved(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Ran]:
    """Each program's name, and its trial on the task."""
    name: str = request.param
    with pytest.MonkeyPatch.context() as monkeypatch:
        return name, run(monkeypatch, tmp_path_factory.mktemp(name), spec(name), SOLVE)


def spec(name: str) -> str:
    return f"{name}:{PROGRAMS[name]}"


def stated(name: str) -> Tokens:
    return TOKENS if name == "codex" else TOKENS.model_copy(update={"reasoning": 0})


def test_a_task_is_solved_offline(solved: tuple[str, Ran]) -> None:
    name, ran = solved

    result, played = ran.result, ran.model.played
    assert (result.status, result.score, result.reward, result.end) == ("judged", 1, 1, "submitted")
    assert [line.tokens for line in ran.lines] == [stated(name)] * len(played)
    assert {line.end for line in ran.lines} == {"ok"}
    assert result.usage is not None
    assert result.usage.calls == len(played) >= len(SOLVE) - 1
    assert result.usage.cached_tokens == TOKENS.cache_read * len(played)
    assert {p.key for p in played} == {KEY}
    assert "+    return 2 * n" in (ran.folder / "changes.diff").read_text()


def test_the_trajectory(solved: tuple[str, Ran]) -> None:
    name, ran = solved

    steps = ran.trajectory.steps
    said = " ".join(str(step.message) for step in steps)
    results = [r.content for s in steps if s.observation for r in s.observation.results]
    assert steps[0].source == "user"
    assert "Write the module `twice`." in str(steps[0].message)
    assert "I look around." in said
    assert any("hidden tests: 0 of 2 pass\n(0 of 1 checks left)" in str(r) for r in results)
    assert any("submitted: the work as it is now will be judged" in str(r) for r in results)
    assert ran.trajectory.agent.version == agents.adapter(name).version
    assert ran.trajectory.final_metrics is not None
    assert ran.trajectory.final_metrics.total_completion_tokens == 55 * len(ran.model.played)


def test_no_secret_is_kept(solved: tuple[str, Ran]) -> None:
    _, ran = solved

    assert PLANTED not in ran.kept.decode(errors="replace")
    assert KEY not in ran.kept.decode(errors="replace")
    assert "[redacted]" in ran.trajectory.dumps()


@each_program
def test_ending_is_not_submitting(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = run(monkeypatch, tmp_path, spec(name), [*SOLVE[:2], {"say": "I stop here."}])

    assert (ran.result.status, ran.result.reward, ran.result.end) == ("no_submission", 0, "exited")


@each_program
def test_a_spent_budget_stops_it_and_keeps_the_work(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = run(monkeypatch, tmp_path, spec(name), SOLVE, budget=Budget(calls=5), on_timeout="submit")

    assert (ran.result.end, ran.result.status, ran.result.score) == ("budget", "judged", 1)
    assert [line.end for line in ran.lines][:5] == ["ok"] * 5
    assert {line.end for line in ran.lines[5:]} == {"refused"}
    assert "the budget of calls is spent" in ran.kept.decode(errors="replace")


def test_codex_with_a_model_whose_tool_takes_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = run(monkeypatch, tmp_path, "codex:gpt-6.2-sol", SOLVE)

    assert (ran.result.reward, ran.result.end) == (1, "submitted")
    assert '"custom_tool_call"' in json.dumps(ran.model.played[-1].body)


FAULTS = {
    "rate limit": {"kind": "status", "status": 429, "times": 2, "retry_after": 0},
    "error": {"kind": "status", "status": 500, "times": 1},
    "cut": {"kind": "cut", "times": 1},
    "slow": {"kind": "slow", "seconds": 0.02, "times": 1},
}


@each_program
@pytest.mark.parametrize("fault", FAULTS)
def test_it_gets_over_a_model_that_misbehaves(
    name: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = [SOLVE[0], SOLVE[1] | {"fault": FAULTS[fault]}, SOLVE[4], *SOLVE[6:]]
    ran = run(monkeypatch, tmp_path, spec(name), turns)

    stated = [p for p in ran.model.played if p.tokens or fault == "slow"]
    whole = [line for line in ran.lines if line.end == "ok"]
    assert (ran.result.reward, ran.result.end) == (1, "submitted")
    assert len(whole) == len(stated)


@each_program
def test_a_provider_that_only_fails(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = {"kind": "status", "status": 500, "times": 0}
    ran = run(monkeypatch, tmp_path, spec(name), [{"say": "x", "fault": fault}])

    assert (ran.result.status, ran.result.end) == ("provider_error", "provider")
    assert ran.result.score is None
    assert ran.result.error != ""


def test_a_missing_key_is_found_before_anything_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from agents.coding import checked_task

    for variable in [v for v in os.environ if v.startswith("ANTHROPIC_")]:
        monkeypatch.delenv(variable)
    task = checked_task(tmp_path / "task")

    with pytest.raises(AgentError, match="no key for anthropic"):
        jobs.run([task], ["claude-code:m"], tmp_path / "job", unvalidated=True)


def test_a_version_that_is_not_installed(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match=r"claude-code@0\.0\.1 isn't installed"):
        _ = agents.get("claude-code@0.0.1:m").info


@pytest.mark.parametrize(
    ("name", "message"),
    [("claude-code", "which model"), ("codex@0.171.0", "which model"), ("codex@../x:m", "version")],
)
def test_bad_specs(name: str, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        _ = agents.get(name).info
