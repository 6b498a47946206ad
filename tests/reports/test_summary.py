from benchwright.reports import summarize, wilson
from reports.shapes import job, result


def test_both_denominators_are_shown() -> None:
    summary = summarize(
        job(
            [
                result("a", "x", 1, 1.0),
                result("a", "x", 2, 0.5),
                result("b", "x", 1, None, "infra", verdict=None, error="no space"),
            ]
        )
    )

    total = summary.agents[0].total
    assert (summary.planned, summary.finished, summary.valid) == (4, 3, 2)
    assert (total.planned, total.valid, total.solved) == (4, 2, 1)
    assert (total.score_valid.value, total.score_all) == (0.75, 0.375)
    assert (total.solved_valid.value, total.solved_all) == (0.5, 0.25)


def test_a_crash_of_the_submission_never_leaves_the_denominator() -> None:
    summary = summarize(
        job(
            [
                result("a", "x", 1, 1.0),
                result("a", "x", 2, 0.0, "agent_timeout", verdict=None),
            ]
        )
    )

    assert summary.agents[0].tasks[0].valid == 2
    assert summary.agents[0].tasks[0].score_valid.value == 0.5


def test_a_cell_has_wilsons_interval() -> None:
    cell = summarize(job([result("a", "x", n, 1.0) for n in (1, 2)])).agents[0].tasks[0]

    assert (cell.score_valid.low, cell.score_valid.high) == tuple(wilson(1.0, 2))


def test_agents_keep_their_order_and_tasks_theirs() -> None:
    summary = summarize(
        job([result(task, agent, 1, 0.0) for task in ("z", "a") for agent in ("y", "b")])
    )

    assert [row.agent for row in summary.agents] == ["y", "b"]
    assert [cell.task for cell in summary.agents[0].tasks] == ["z", "a"]


def test_pass_at_k_is_over_tasks() -> None:
    results = [result("a", "x", n, float(n == 1)) for n in (1, 2, 3)]
    results += [result("b", "x", n, 0.0) for n in (1, 2, 3)]

    rounded = {k: round(v, 3) for k, v in summarize(job(results, 3)).agents[0].pass_at.items()}
    assert rounded == {1: 0.167, 2: 0.333, 3: 0.5}


def test_what_failed_says_why() -> None:
    summary = summarize(
        job(
            [
                result("a", "x", 1, 0.75),
                result("a", "x", 2, 0.5, end="timeout", error="stopped after 60 s"),
                result("b", "x", 1, 0.0, "no_submission", verdict=None),
                result("b", "x", 2, None, "infra", verdict=None, error="the disk is full"),
            ]
        )
    )

    assert [item.reason for item in summary.failed] == [
        "judged: 1 failed, 3 passed",
        "judged: 1 failed, 3 passed; the agent ran out of time (stopped after 60 s)",
        "the agent ended without submitting",
        "this machine failed: the disk is full",
    ]
