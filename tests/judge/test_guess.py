"""The chance of a guess, beside guesses that are really made."""

import random

import pytest

from benchwright.judge.guess import SURE, chance, forgiven


@pytest.mark.parametrize(("wrong", "best"), [(0, 1.0), (1, 1 / 4), (2, 4 / 27), (3, 27 / 256)])
def test_where_nothing_is_forgiven_the_best_guess_is_known(wrong: int, best: float) -> None:
    assert chance(wrong) == pytest.approx(best)


@pytest.mark.parametrize("wrong", [1, 2])
def test_where_too_few_are_there_to_be_forgiven_the_guess_is_the_same(wrong: int) -> None:
    assert chance(wrong, 0) == pytest.approx(chance(wrong), rel=0.01)


def test_two_pairs_have_the_chances_that_the_documents_state() -> None:
    assert (round(chance(2), 3), round(chance(2, 3), 3)) == (0.148, 0.344)


def test_those_that_passed_are_forgiven_beside_as_many_that_failed() -> None:
    assert [forgiven(failed, 1) for failed in range(SURE + 1)] == [False] * SURE + [True]
    assert [forgiven(failed, 4) for failed in (3, 4)] == [False, True]
    assert forgiven(0, 0)


@pytest.mark.parametrize(("wrong", "more"), [(1, 3), (2, 3), (4, 0), (3, 2)])
def test_no_guess_wins_more_often_than_the_chance(wrong: int, more: int) -> None:
    draw, tries = random.Random(3), 20_000

    best = max(
        sum(won(draw, passes / 10, wrong, more) for _ in range(tries)) / tries
        for passes in range(1, 10)
    )

    assert best == pytest.approx(chance(wrong, more), abs=0.015)


def won(draw: random.Random, passes: float, wrong: int, more: int) -> bool:
    """A guess, judged as the rounds do: further wrong versions only while one is to be forgiven."""
    if draw.random() >= passes:
        return False
    ends = [draw.random() < passes for _ in range(wrong)]
    while not forgiven(len(ends) - sum(ends), sum(ends)) and len(ends) < wrong + more:
        ends.append(draw.random() < passes)
    return forgiven(len(ends) - sum(ends), sum(ends))
