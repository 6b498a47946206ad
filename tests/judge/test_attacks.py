"""No trick makes a half-solved product worth more than it is."""

from pathlib import Path

import pytest

from benchwright.environments import Environment
from benchwright.formats import Verdict
from benchwright.judge import judge
from benchwright.sandbox import Sandbox
from benchwright.tasks import Task
from judge import cheats, shapes


@pytest.fixture(scope="module")
def honest(
    task: Task,
    environment: Environment,
    sandbox: Sandbox,
    tmp_path_factory: pytest.TempPathFactory,
) -> Verdict:
    """The same tree without a trick."""
    tree = shapes.submission(tmp_path_factory.mktemp("half") / "half", cheats.HALF)
    return judge(task, tree, environment=environment, sandbox=sandbox, pairs=1)


def test_the_honest_half_gets_what_it_solved(honest: Verdict) -> None:
    assert (honest.status, honest.score, honest.reward) == ("judged", 8 / 11, 0.0)
    assert honest.counts == {"failed": 3, "passed": 8}


PASSED_BOTH = {"patched-report", "own-errors-only", "no-call", "hijacked-stream", "equal", "peeks"}


@pytest.mark.parametrize("cheat", cheats.CHEATS)
def test_a_cheat_gains_nothing_and_is_named_when_it_passes_right_and_wrong(
    cheat: str,
    honest: Verdict,
    task: Task,
    environment: Environment,
    sandbox: Sandbox,
    tmp_path: Path,
) -> None:
    tree = shapes.submission(tmp_path / cheat, cheats.CHEATS[cheat])

    verdict = judge(task, tree, environment=environment, sandbox=sandbox, pairs=1)

    assert honest.score is not None
    assert verdict.score is not None
    assert verdict.score <= honest.score
    assert verdict.reward == 0.0
    if cheat in PASSED_BOTH:
        assert (verdict.status, verdict.score) == ("tampered", 0.0)
        assert "tampered" in [finding.code for finding in verdict.findings]


def test_coins_win_no_more_than_the_bound_says(
    task: Task, environment: Environment, sandbox: Sandbox, tmp_path: Path
) -> None:
    unsolved = {f"{shapes.FILE}::test_triangle", f"{shapes.FILE}::test_pentagon"}
    won, allowed = 0, 0.0
    for salt in range(2):
        text = cheats.HALF + cheats.COIN.replace("SALT", str(salt))
        tree = shapes.submission(tmp_path / str(salt), text)
        seed = f"{salt:032x}"
        verdict = judge(task, tree, environment=environment, sandbox=sandbox, pairs=2, seed=seed)
        assert verdict.guard is not None
        allowed += len(unsolved) * verdict.guard.forgery_bound
        if verdict.status == "judged":
            won += sum(test.scores for test in verdict.tests if test.id in unsolved)

    assert won <= allowed
