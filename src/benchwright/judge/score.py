"""From what the rounds showed to a score: per test, per kind, and how sure that is.

Only a pass counts, and where a control stands behind a test, only a pass whose wrong twin failed.
A reward of 1 needs every id that decides it; one of them, at least, must be guarded by a strong
control, so that ids without one never make a reward alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Mapping

from benchwright.formats import (
    Control,
    ExpectedTest,
    Finding,
    GateResult,
    Kind,
    Reason,
    Settings,
    TestVerdict,
    printable,
)

from .course import CONFIRM, deciding, tampered
from .guess import chance
from .rounds import Sight
from .stream import Fate

LISTED = 200
Edits = Callable[[str], Collection[Control]]
"""An id -> the strong edits that there are of it."""
UNPASSED: dict[Fate, Reason] = {
    "started": "error", "done": "error", "error": "error", "failed": "failed", "xpassed": "failed",
    "skipped": "skipped", "xfailed": "xfailed", "missing": "missing", "timeout": "timeout",
    "crash": "crash",
}  # fmt: skip


def test_verdict(test: ExpectedTest, sight: Sight) -> TestVerdict:
    """What one test is worth."""
    reason = why_not(sight)
    shown = sight.right
    if reason == "unproven":
        shown = next((w.seen for w in sight.heeded if not w.proven), shown)
    return TestVerdict(
        id=test.id,
        group=test.group,
        outcome=sight.right.outcome,
        scores=not reason,
        reason=reason,
        guarded=guarded(sight),
        exception=printable(shown.exception, 200),
        file=printable(shown.file, 500),
        line=shown.line,
        message=lines(shown.message),
        seconds=round(sight.right.seconds, 4),
    )


def why_not(sight: Sight) -> Reason:
    """Why a test doesn't score; empty when it does."""
    outcome = sight.right.outcome
    if outcome != "passed":
        return UNPASSED[outcome]
    if any(wrong.seen.outcome == "passed" for wrong in sight.heeded):
        return "vacuous"
    return "" if all(wrong.proven for wrong in sight.heeded) else "unproven"


def guarded(sight: Sight) -> bool:
    """Whether a strong control was tried on it."""
    return any(strong_edits(sight))


def strong_edits(sight: Sight) -> frozenset[str]:
    """The strong controls that were tried on a test, without those that decided nothing."""
    return frozenset(
        control.id
        for wrong in sight.heeded
        for control in wrong.controls
        if control.strength == "strong"
    )


def shared(sights: Mapping[str, Sight]) -> int:
    """How many guarded ids were made wrong only together with another that passed: who solved the
    one can tell by it which version of the other is wrong.
    """
    passed = {name for name, sight in sights.items() if sight.right.outcome == "passed"}
    found = 0
    for name, sight in sights.items():
        strong = [c for w in sight.heeded for c in w.controls if c.strength == "strong"]
        found += bool(strong) and all(passed & set(c.ids) - {name} for c in strong)
    return found


def forgery_bound(sights: Mapping[str, Sight], edits: Edits, asked: int) -> float:
    """The best chance of winning one guarded id by guessing which version is the right one.

    Args:
        sights: what the rounds showed.
        edits: gives the strong edits that there are of an id.
        asked: pairs of rounds that were to be run.
    """
    shown = {name: _strong(sight) for name, sight in sights.items() if guarded(sight)}
    chances = (_guess(tried, len(edits(name)), asked) for name, tried in shown.items())
    return max(chances, default=1.0)


def partial_bound(
    sights: Mapping[str, Sight], edits: Edits, asked: int, partly: Container[str]
) -> float:
    """The best chance of keeping a scoring id by guessing, where all its checks but one are solved.
    The check with the best chance decides; it is 1 for ids that are guarded only partly.
    """
    found = []
    for name, sight in sights.items():
        if not guarded(sight) or not sight.alive:
            continue
        there = Counter(control.check for control in edits(name))
        tried = _strong(sight)
        for check in {control.check for control in tried}:
            of_it = [control for control in tried if control.check == check]
            found.append(1.0 if name in partly else _guess(of_it, there[check], asked))
    return max(found, default=1.0)


def _strong(sight: Sight) -> Collection[Control]:
    """The strong edits that were tried on a test."""
    tried = (control for wrong in sight.wrongs for control in wrong.controls)
    return {control.id: control for control in tried if control.strength == "strong"}.values()


def _guess(tried: Collection[Control], there: int, asked: int) -> float:
    """The best chance of guessing, where these edits were tried of as many as there are."""
    count = len(tried)
    if all(control.exclusive for control in tried):
        return chance(count)
    least = min(asked, count)
    return max(chance(n, max(0, min(CONFIRM, there - n))) for n in range(least, count + 1))


def counts(tests: Iterable[TestVerdict]) -> dict[str, int]:
    """How many tests ended how."""
    found = Counter(test.reason or "passed" for test in tests)
    return dict(sorted(found.items()))


def deserved(
    settings: Settings, tests: tuple[TestVerdict, ...], gates: tuple[GateResult, ...]
) -> bool:
    """Whether a reward is due, if what the tests say can be believed."""
    share = sum(test.scores for test in tests) / len(tests)
    needed = settings.scoring.threshold if settings.kind == "completion" else 1.0
    clean = all(gate.passed for gate in gates if gate.required)
    return share >= needed and clean and bool(deciding(tests, settings.kind))


def firm(tests: tuple[TestVerdict, ...], kind: Kind) -> bool:
    """Whether a strong control stands behind a reward."""
    decide = set(deciding(tests, kind))
    return any(test.guarded and test.scores for test in tests if test.id in decide)


def findings(
    tests: tuple[TestVerdict, ...], sights: Mapping[str, Sight], notes: Iterable[str]
) -> list[Finding]:
    """What a person should know about the tests."""
    found = []
    forged = tuple(name for name, sight in sights.items() if tampered(sight))
    if forged:
        message = f"{len(forged)} tests passed although their checks had been made wrong"
        found.append(Finding(code="tampered", message=message, ids=forged[:LISTED]))
    for reason, message in (
        ("vacuous", "passed right and wrong: they don't score"),
        ("unproven", "passed, but a wrong version of them didn't fail as it should"),
    ):
        ids = tuple(test.id for test in tests if test.reason == reason)
        if ids:
            message = f"{len(ids)} tests {message}"
            found.append(Finding(code=f"{reason}-pass", message=message, ids=ids[:LISTED]))
    for note, count in Counter(notes).items():
        times = f" ({count} times)" if count > 1 else ""
        found.append(Finding(code="runner", message=f"{note}{times}"))
    return found


def lines(text: str) -> str:
    """A message whose lines are harmless, one by one."""
    return "\n".join(printable(line, 500) for line in text.splitlines()[:20])
