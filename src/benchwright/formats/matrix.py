"""`validation/matrix.json`: which hidden tests fail on which wrong implementation.

One row a wrong implementation; sets of tests are written as ranges of positions (`0-3,7`), so that
the file stays small and two of them can be compared line by line.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from .base import Document, Record
from .rule import Sort

Fate = Literal[
    "killed",
    "survived",  # tests ran it and none noticed
    "uncovered",  # no test ran the changed lines
    "unusable",  # it can't be imported, so it says nothing about the tests
]


def ranges(numbers: Iterable[int]) -> str:
    """`{0, 1, 2, 7}` as `0-2,7`."""
    parts: list[list[int]] = []
    for number in sorted(set(numbers)):
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def positions(text: str) -> frozenset[int]:
    """The inverse of `ranges`."""
    found: set[int] = set()
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        found.update(range(int(first), int(last or first) + 1))
    return frozenset(found)


class Row(Record):
    """What the tests said of one wrong implementation."""

    id: str
    sort: Sort
    operator: str
    file: str
    line: int
    subject: str
    change: str
    rule: str = ""
    fate: Fate
    kills: str = ""
    """Positions (in `tests`) of the ids that didn't pass, as ranges."""
    ran: str = ""
    """Positions of the ids that ran the changed lines; the others pass without having been run."""
    timeouts: int = 0
    crashes: int = 0
    differs: bool | None = None
    """Of a survivor: whether a call of what it changes gave or left behind anything else than on
    the reference, while the tests ran; None where that wasn't seen.
    """
    waived: str = ""
    """Why a person holds it to be equivalent to the reference."""


class Agreement(Record):
    """The cells that the judge ran again."""

    cells: int
    agreed: int
    share: float
    """Of all cells that were run."""
    disagreements: tuple[str, ...] = ()
    """`mutant, test: fast says …, judge says …`."""


class KillMatrix(Document):
    """Wrong implementations by hidden tests."""

    format: Literal["benchwright.matrix/1"] = "benchwright.matrix/1"
    reference: str
    """Digest of the reference."""
    tests: tuple[str, ...]
    """Counted ids, in the manifest's order."""
    rows: tuple[Row, ...]
    sampled: float = 1.0
    """Share of all wrong implementations that were run."""
    equivalent: int = 0
    """How many were dropped because they compile to the reference or to another one."""
    agreement: Agreement | None = None
