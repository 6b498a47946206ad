"""Why a submission failed: the rules whose omission makes the same tests fail.

Rules that the same tests notice form one class; the answer is a class, with its size and how well
it fits. Where no omission explains enough, small changes are asked as well: a rule that was
misread. Nothing here reads the submission, and no LLM is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from benchwright.formats import KillMatrix, Record, RuleSet, Verdict

from .statement import Place, Statement
from .suspects import Suspect, changes, omissions

Mode = Literal[
    "solved",
    "crash",  # nothing of it could be imported or run
    "single omission",
    "several omissions",
    "missing subsystem",
    "long-tail rule",  # a rule that one or two tests notice
    "misread rule",  # it is there and does something else
    "environment-dependent",
    "unexplained",
]
CRASHED = 0.95
FITS = 0.75
PURE = 0.8
"""A class explains part of the failures when so much of what it kills failed."""
TAIL = 2
CAUSES = 5


class Line(Record):
    """A line of the statement."""

    file: str
    line: int
    text: str


class Cause(Record):
    """A class of rules that explains failures."""

    fit: float
    """Jaccard: of all tests that fail or would fail, the share that does both."""
    explains: tuple[str, ...]
    """Failing tests that its omission makes fail."""
    foreign: int
    """Tests that its omission makes fail, and that passed."""
    rules: tuple[str, ...]
    """Ids of the class, all with the same kill set."""
    sentences: tuple[str, ...]
    subsystem: str = ""
    """A class or module, where that is what is missing."""
    change: str = ""
    """A change of the reference that the same tests notice, where no rule is missing."""
    lines: tuple[Line, ...] = ()
    """Where the statement says the first rule."""


class Diagnosis(Record):
    """An explanation of a verdict."""

    mode: Mode
    summary: str
    failing: int
    explained: float
    """Share of the failing tests that the causes explain."""
    causes: tuple[Cause, ...] = ()


def diagnose(
    verdict: Verdict, matrix: KillMatrix, rules: RuleSet, statement: Statement | None = None
) -> Diagnosis:
    """Explain which rules a submission probably lacks."""
    number = {test: place for place, test in enumerate(matrix.tests)}
    failing = [t for t in verdict.tests if not t.scores]
    failed = frozenset(number[t.id] for t in failing if t.id in number)
    if not failing:
        return Diagnosis(mode="solved", summary="every test scores", failing=0, explained=1.0)
    lost = sum(t.outcome in ("missing", "crash", "error") for t in failing)
    if len(failing) >= CRASHED * len(verdict.tests) and lost >= CRASHED * len(failing):
        said = next((f"{t.exception}: {t.message}" for t in failing if t.message), "")
        return Diagnosis(
            mode="crash",
            summary=f"nothing of it runs: {said[:300]}" if said else "nothing of it runs",
            failing=len(failing),
            explained=0.0,
        )
    suspects = omissions(matrix, rules)
    found = _greedy(failed, suspects)
    share = _explained(failed, found)
    if share < FITS:
        wider = _greedy(failed, [*suspects, *changes(matrix, rules)])
        if wider and _fit(failed, wider[0]) >= FITS:
            found, share = wider, _explained(failed, wider)
    causes = tuple(_cause(failed, suspect, matrix, statement) for suspect in found)
    mode = _mode(verdict, failed, causes, share)
    return Diagnosis(
        mode=mode,
        summary=_summary(mode, causes, share),
        failing=len(failing),
        explained=round(share, 3),
        causes=causes,
    )


def _greedy(failed: frozenset[int], suspects: Sequence[Suspect]) -> list[Suspect]:
    """The class that fits what is left best, then the next."""
    found: list[Suspect] = []
    left = failed
    while left and len(found) < CAUSES:
        scored = [(_gain(left, failed, suspect), suspect) for suspect in suspects]
        gain, best = max(
            scored,
            key=lambda one: (one[0], -len(one[1].kills), one[1].subsystem, one[1].change),
            default=(0.0, Suspect(frozenset())),
        )
        if gain <= 0:
            break
        found.append(best)
        left -= best.kills
    return found


def _gain(left: frozenset[int], failed: frozenset[int], suspect: Suspect) -> float:
    """How well a class explains what is left; nothing where too much of it passed."""
    kills = suspect.kills
    if not kills or len(kills & failed) < PURE * len(kills):
        return 0.0
    return suspect.trust * len(kills & left) / len(left | kills - failed)


def _fit(failed: frozenset[int], suspect: Suspect) -> float:
    """Jaccard: of all tests that fail or would fail, the share that does both."""
    return len(suspect.kills & failed) / len(suspect.kills | failed)


def _explained(failed: frozenset[int], found: Sequence[Suspect]) -> float:
    """The share of the failing tests that some classes explain."""
    explained = frozenset().union(*(suspect.kills for suspect in found)) & failed
    return len(explained) / len(failed) if failed else 0.0


def _cause(
    failed: frozenset[int], suspect: Suspect, matrix: KillMatrix, statement: Statement | None
) -> Cause:
    kills, known = suspect.kills, suspect.rules
    places: tuple[Place, ...] = statement.places(known[0]) if statement and known else ()
    return Cause(
        fit=round(_fit(failed, suspect), 3),
        explains=tuple(matrix.tests[n] for n in sorted(kills & failed)),
        foreign=len(kills - failed),
        rules=tuple(rule.id for rule in known),
        sentences=tuple(rule.sentence for rule in known),
        subsystem=suspect.subsystem,
        change=suspect.change,
        lines=tuple(Line(file=p.file, line=p.line, text=p.text) for p in places),
    )


def _mode(
    verdict: Verdict, failed: frozenset[int], causes: tuple[Cause, ...], share: float
) -> Mode:
    hung = [t for t in verdict.tests if not t.scores and t.reason == "timeout"]
    system = ("OSError", "PermissionError", "ConnectionError", "socket.gaierror")
    outside = [t for t in verdict.tests if not t.scores and t.exception.startswith(system)]
    if len(hung) + len(outside) > 0.8 * len(failed) and share < FITS:
        return "environment-dependent"
    if not causes or share < 0.5:
        return "unexplained"
    best = causes[0]
    if best.fit >= FITS and best.subsystem:
        return "missing subsystem"
    if best.fit >= FITS and best.change:
        return "misread rule"
    if best.fit >= FITS and len(causes) == 1:
        return "long-tail rule" if len(failed) <= TAIL else "single omission"
    if any(c.subsystem for c in causes):
        return "missing subsystem"
    return "several omissions" if share >= FITS else "unexplained"


def _summary(mode: Mode, causes: tuple[Cause, ...], share: float) -> str:
    if mode in ("unexplained", "environment-dependent") or not causes:
        return f"no class of rules explains it ({share:.0%} of the failing tests explained)"
    best = causes[0]
    more = f" and {len(causes) - 1} more" if len(causes) > 1 else ""
    size = f" (one of {len(best.rules)} that can't be told apart)" if len(best.rules) > 1 else ""
    what = best.subsystem or (best.sentences[0] if best.sentences else "")
    what += f" (changed as if {best.change})" if best.change else ""
    return f"{mode}: {what}{size}{more}"
