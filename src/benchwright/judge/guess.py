"""How likely a guess is to win a test.

A guess can't tell the right version of a test from its wrong ones, but it knows which of them it
has seen before: one that is shown twice is guessed once. So the best it can do is to pass each
version with the same chance.
"""

from __future__ import annotations

from functools import lru_cache

SURE = 2
"""Strong edits of a check that must have failed for others of it that passed to be forgiven."""
STEPS = 100
"""Chances that are tried for the best one."""


def forgiven(failed: int, passed: int) -> bool:
    """Whether wrong versions of a check that passed by edits which one product may satisfy beside
    the right version decide nothing, because enough others failed.
    """
    return not passed or failed >= max(SURE, passed)


@lru_cache(maxsize=1000)
def chance(wrong: int, more: int | None = None) -> float:
    """The best chance of passing the right version of something and failing its wrong ones.

    Args:
        wrong: how many different ones there are.
        more: how many others may be tried where some passed, which are then forgiven if enough of
            all failed; None where none is forgiven.
    """
    if more is None or not wrong:
        return float(wrong**wrong / (wrong + 1.0) ** (wrong + 1))
    guesses = (step / STEPS for step in range(1, STEPS))
    return max(passes * _fails(1 - passes, wrong, more) for passes in guesses)


def _fails(fails: float, wrong: int, more: int) -> float:
    """The chance that enough wrong versions fail, where each does with the chance `fails`."""
    reached = {(0, 0): 1.0}
    won = 0.0
    for number in range(1, wrong + more + 1):
        after: dict[tuple[int, int], float] = {}
        for (failed, passed), weight in reached.items():
            for end, share in (((failed + 1, passed), fails), ((failed, passed + 1), 1 - fails)):
                after[end] = after.get(end, 0.0) + weight * share
        reached = after
        if number >= wrong:
            won += sum(reached.pop(end) for end in list(reached) if forgiven(*end))
    return won
