"""What a suite takes and touches on the reference, test by test: the ground mutants stand on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Timing:
    """One test on the reference, in a process like those that mutants get."""

    outcome: str
    cpu: float
    wall: float


@dataclass(frozen=True, slots=True)
class Measured:
    """One suite on the reference."""

    tests: Mapping[str, Timing] = field(default_factory=dict)
    lines: Mapping[str, Mapping[str, frozenset[int]]] = field(default_factory=dict)
    """Per test and file, the lines of the product that ran."""
    started: frozenset[str] = frozenset()
    """Tests that start other processes: what those run isn't seen."""
    imported: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """Per file, the lines that ran while the suite was imported and collected."""
    modules: tuple[str, ...] = ()
    """Foreign modules that collecting imports."""
    collect: float = 0.0
    """CPU seconds of importing and collecting."""
    complete: bool = False

    @classmethod
    def joined(cls, parts: Sequence[Measured]) -> Measured:
        """The whole suite, of its parts."""
        return cls(
            tests={name: timing for part in parts for name, timing in part.tests.items()},
            lines={name: lines for part in parts for name, lines in part.lines.items()},
            started=frozenset(name for part in parts for name in part.started),
            imported=parts[0].imported,
            modules=tuple(dict.fromkeys(name for part in parts for name in part.modules)),
            collect=max(part.collect for part in parts),
            complete=all(part.complete for part in parts),
        )


@dataclass(frozen=True, slots=True)
class Ran:
    """What the tests said of one mutant."""

    failed: frozenset[int]
    """Positions of the tests that didn't pass."""
    timeouts: int = 0
    crashes: int = 0
    broken: str = ""
    """Why it couldn't be run at all."""
    seconds: float = 0.0
    differs: bool | None = None
    """Whether its functions gave or left behind anything else than the reference's; None where that
    isn't known.
    """
