"""`verdict.json`: what a submission is worth, why, and how sure that is."""

from __future__ import annotations

from typing import Literal

from .base import Document, Record
from .event import Outcome
from .manifest import Group

Status = Literal["judged", "tampered", "unusable", "infra"]
Reason = Literal[
    "",  # it scored
    "failed",
    "error",
    "skipped",
    "xfailed",
    "missing",
    "timeout",
    "crash",
    "vacuous",  # right and wrong version passed
    "unproven",  # right version passed, but no wrong version failed as it should
]


class TestVerdict(Record):
    """One expected id."""

    __test__ = False  # not a test class, whatever pytest thinks of its name

    id: str
    group: Group = "test"
    outcome: Outcome | Literal["missing", "timeout", "crash"]
    """What its right version did."""
    scores: bool
    reason: Reason = ""
    guarded: bool = False
    """Whether a strong control stood behind it in this judgement."""
    exception: str = ""
    file: str = ""
    line: int = 0
    message: str = ""
    seconds: float = 0.0


class Finding(Record):
    """Something a person should know."""

    code: str
    """Stable name, such as `vacuous-pass` or `runner-config-changed`."""
    message: str
    ids: tuple[str, ...] = ()


class GateResult(Record):
    """What lint or types said."""

    tool: str
    passed: bool
    problems: int
    required: bool
    output: str = ""


class Round(Record):
    """One run of the suite."""

    controls: tuple[str, ...]
    """Ids of the controls that were applied."""
    seconds: float
    restarts: int = 0
    """Boxes that had to be started again after a crash, exit or hang."""


class Guard(Record):
    """How well the verdict is protected against forging."""

    pairs: int
    """Pairs of rounds that were run."""
    asked: int = 0
    """Pairs that were to be run; fewer are enough where nothing scores, more where few ids decide,
    tests have more checks, or a suspicion is to be confirmed."""
    guarded: int
    """Counted ids that a strong control guards."""
    shared: int = 0
    """Guarded ids that were wrong only together with another id that passed: to one who solved
    that other, it tells which version is wrong. The bound doesn't speak of them."""
    exposed: int
    """Counted ids that no strong control guards."""
    forgery_bound: float
    """Best chance of winning one guarded id by guessing which version of it is right."""
    partial: int = 0
    """Scoring guarded ids with a check that no strong control made wrong: whoever has solved all
    the others can fake that one."""
    partial_bound: float = 1.0
    """The same chance where all checks of a scoring id but one are solved, for the worst id."""
    seed: str
    """Hex; repeats the rounds exactly. Secret until the verdict is written."""
    rounds: tuple[Round, ...] = ()
    scope: str = "tests that the submission's author could not read"


class Verdict(Document):
    """The judgement of one submission on one task."""

    format: Literal["benchwright.verdict/1"] = "benchwright.verdict/1"
    task: str
    """Name of the task."""
    task_digest: str
    submission_digest: str
    environment_digest: str
    status: Status
    score: float | None
    """Share of the counted ids that score, 0 to 1; none when the machine failed."""
    reward: float | None
    """0 or 1; none when the machine failed."""
    counts: dict[str, int]
    """How many counted ids ended in which outcome."""
    tests: tuple[TestVerdict, ...]
    unexpected: tuple[str, ...] = ()
    """Ids that ran but weren't expected; noted, never scored."""
    findings: tuple[Finding, ...] = ()
    gates: tuple[GateResult, ...] = ()
    guard: Guard | None = None
    seconds: float = 0.0
    sandbox: str = ""
    """Backend and the protections that really held."""
    error: str = ""
    """What the machine did, when the status is infra."""
