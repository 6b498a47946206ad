import math
import random

import pytest

from benchwright.reports import bootstrap, mean_interval, pass_at, wilson


@pytest.mark.parametrize(
    ("solved", "count", "low", "high"),
    [
        # Newcombe 1998, Statistics in Medicine 17:857-872, table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_agrees_with_published_intervals(
    solved: int, count: int, low: float, high: float
) -> None:
    found = wilson(solved / count, count)

    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


def test_no_trials_tell_nothing() -> None:
    assert wilson(0.0, 0) == (0.0, 1.0)
    assert mean_interval([]) == (0.0, 1.0)


def test_one_solved_trial_is_no_certainty() -> None:
    low, high = mean_interval([[1.0]])

    assert low < 0.25
    assert high == 1.0


def test_attempts_at_one_task_are_not_independent() -> None:
    many_attempts = mean_interval([[1.0] * 50, [0.0] * 50])
    many_tasks = mean_interval([[1.0], [0.0]] * 50)

    assert many_attempts.high - many_attempts.low > 0.6
    assert many_tasks.high - many_tasks.low < 0.25


def test_bootstrap_is_repeatable_and_near_the_normal_interval() -> None:
    draw = random.Random(7)
    values = [min(1.0, max(0.0, draw.gauss(0.5, 0.1))) for _ in range(200)]
    groups = [[value] for value in values]
    mean = sum(values) / 200
    half = 1.96 * (sum((v - mean) ** 2 for v in values) / 199 / 200) ** 0.5

    low, high = bootstrap(groups)

    assert bootstrap(groups) == (low, high)
    assert low == pytest.approx(mean - half, abs=0.003)
    assert high == pytest.approx(mean + half, abs=0.003)


def test_bootstrap_covers_the_truth_as_often_as_it_says() -> None:
    draw = random.Random(3)
    hits = 0
    for _ in range(50):
        groups = [[draw.betavariate(2, 2)] for _ in range(40)]
        low, high = mean_interval(groups)
        hits += low <= 0.5 <= high

    assert hits >= 42


@pytest.mark.parametrize(
    ("attempts", "solved", "k", "expected"),
    [(10, 5, 1, 0.5), (5, 2, 2, 0.7), (4, 0, 4, 0.0), (4, 4, 1, 1.0)],
)
def test_pass_at_k(attempts: int, solved: int, k: int, expected: float) -> None:
    assert pass_at(attempts, solved, k) == pytest.approx(expected)


def test_pass_at_k_agrees_with_the_product_that_was_published() -> None:
    # Chen et al. 2021, arXiv 2107.03374, figure 3
    published = 1 - math.prod(1 - 10 / n for n in range(200 - 26 + 1, 201))

    assert pass_at(200, 26, 10) == pytest.approx(published)


def test_pass_at_more_than_was_tried_is_refused() -> None:
    with pytest.raises(ValueError, match="between 1 and 3"):
        pass_at(3, 1, 4)
