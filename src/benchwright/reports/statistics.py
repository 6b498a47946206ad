"""Shares and means with honest intervals.

Attempts at the same task are not independent, so means are resampled by task. Where there is too
little to resample, Wilson's interval stands in: for values between 0 and 1 it is never too narrow,
because no such value varies more than a yes or no with the same mean.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from statistics import NormalDist, fmean
from typing import NamedTuple

CONFIDENCE = 0.95
RESAMPLES = 2000
FEWEST_TASKS = 10
"""Fewer groups than this can't stand for a population when resampled."""


class Interval(NamedTuple):
    """A confidence interval."""

    low: float
    high: float


def wilson(mean: float, count: int, confidence: float = CONFIDENCE) -> Interval:
    """Wilson's score interval of a share `mean` out of `count`; the whole range for none."""
    if count == 0:
        return Interval(0.0, 1.0)
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    scale = 1 + z * z / count
    centre = (mean + z * z / (2 * count)) / scale
    spread = mean * (1 - mean) / count + z * z / (4 * count * count)
    half = z / scale * math.sqrt(max(0.0, spread))
    return Interval(max(0.0, centre - half), min(1.0, centre + half))


def bootstrap(groups: Sequence[Sequence[float]], confidence: float = CONFIDENCE) -> Interval:
    """Percentile interval of the mean of all values, resampling whole groups.

    The seed is fixed: the same results always give the same report.
    """
    draw = random.Random(0).choices  # noqa: S311 - statistics, not secrets
    sums = [(sum(group), len(group)) for group in groups if group]
    means = []
    for _ in range(RESAMPLES):
        chosen = draw(sums, k=len(sums))
        means.append(sum(total for total, _ in chosen) / sum(count for _, count in chosen))
    means.sort()
    tail = (1 - confidence) / 2
    return Interval(_quantile(means, tail), _quantile(means, 1 - tail))


def mean_interval(groups: Sequence[Sequence[float]]) -> Interval:
    """The interval of the mean of values between 0 and 1, grouped by task.

    Resampled by task from ten tasks on if the values differ at all; Wilson's otherwise, with the
    number of tasks as the count where attempts at one task can't tell more.
    """
    filled = [group for group in groups if group]
    values = [value for group in filled for value in group]
    if len(filled) >= FEWEST_TASKS and len(set(values)) > 1:
        return bootstrap(filled)
    if not values:
        return Interval(0.0, 1.0)
    count = len(filled) if len(filled) > 1 else len(values)
    return wilson(fmean(values), count)


def pass_at(attempts: int, solved: int, k: int) -> float:
    """The unbiased estimate of solving a task at least once in `k` attempts."""
    if not 0 < k <= attempts:
        raise ValueError(f"k is between 1 and {attempts}, not {k}")
    return 1.0 - math.comb(attempts - solved, k) / math.comb(attempts, k)


def _quantile(ordered: Sequence[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
