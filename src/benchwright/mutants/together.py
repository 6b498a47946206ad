"""Boxes side by side: as many as there are cores, and none that isn't begun after a stop."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def together(
    work: Callable[[Item], Result], items: Sequence[Item], workers: int = 0
) -> Iterator[tuple[int, Result]]:
    """What the work gave for each item, with the item's position, in the order of their ends."""
    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        jobs = {pool.submit(work, item): place for place, item in enumerate(items)}
        try:
            for job in as_completed(jobs):
                yield jobs[job], job.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
