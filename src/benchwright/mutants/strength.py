"""What a kill matrix says of a suite: how much of what is wrong it notices, rule by rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from benchwright.formats import KillMatrix, Row, Rule, RuleSet, positions


@dataclass(frozen=True, slots=True)
class Strength:
    """Killed of those that could have been."""

    killed: int
    total: int

    @property
    def share(self) -> float:
        """Between 0 and 1; 1 of nothing."""
        return self.killed / self.total if self.total else 1.0

    def __str__(self) -> str:
        return f"{self.killed} of {self.total} ({self.share:.0%})"


def strength(rows: Iterable[Row]) -> Strength:
    """Of rows that can be imported and weren't waived as equivalent."""
    able = [row for row in rows if row.fate != "unusable" and not row.waived]
    return Strength(sum(row.fate == "killed" for row in able), len(able))


def survivors(matrix: KillMatrix) -> list[Row]:
    """What no test noticed, and no person waived."""
    return [r for r in matrix.rows if r.fate in ("survived", "uncovered") and not r.waived]


def silent(matrix: KillMatrix) -> list[Row]:
    """Survivors that are likely to be equivalent: no call gave or left behind anything else."""
    return [row for row in survivors(matrix) if row.differs is False]


def by_sort(matrix: KillMatrix) -> dict[str, Strength]:
    """For omissions, mutants and missing subsystems."""
    sorts = ("omission", "mutant", "missing")
    return {sort: strength(r for r in matrix.rows if r.sort == sort) for sort in sorts}


def by_kind(matrix: KillMatrix) -> dict[str, Strength]:
    """For each kind of rule."""
    kinds = sorted({row.operator for row in matrix.rows if row.sort == "omission"})
    omitted = [row for row in matrix.rows if row.sort == "omission"]
    return {kind: strength(r for r in omitted if r.operator == kind) for kind in kinds}


def redundant(matrix: KillMatrix) -> tuple[str, ...]:
    """Tests that kill nothing."""
    killing: set[int] = set()
    for row in matrix.rows:
        killing |= positions(row.kills)
    return tuple(test for number, test in enumerate(matrix.tests) if number not in killing)


def classes(matrix: KillMatrix) -> dict[frozenset[int], tuple[str, ...]]:
    """Rules that the same tests notice can't be told apart: kill set -> ids of rules."""
    found: dict[frozenset[int], list[str]] = {}
    for row in matrix.rows:
        if row.rule and row.fate == "killed":
            found.setdefault(positions(row.kills), []).append(row.rule)
    return {kills: tuple(rules) for kills, rules in found.items()}


def attributed(rules: RuleSet, matrix: KillMatrix) -> RuleSet:
    """The rules of private helpers with the public entry points whose tests notice them.

    A test belongs to the public subjects whose own `operation` it notices.
    """
    by_id = {rule.id: rule for rule in rules.rules}
    owners: dict[int, set[str]] = {}
    counts: Counter[str] = Counter()
    for row in matrix.rows:
        rule = by_id.get(row.rule)
        if rule is not None and rule.kind == "operation" and rule.public:
            for test in positions(row.kills):
                owners.setdefault(test, set()).add(rule.subject)
                counts[rule.subject] += 1
    kills = {row.rule: positions(row.kills) for row in matrix.rows if row.rule}
    rows = tuple(_owned(rule, kills, owners, counts) for rule in rules.rules)
    return rules.model_copy(update={"rules": rows})


def _owned(
    rule: Rule,
    kills: Mapping[str, frozenset[int]],
    owners: Mapping[int, set[str]],
    counts: Mapping[str, int],
) -> Rule:
    if rule.public:
        return rule
    shared: Counter[str] = Counter()
    for test in kills.get(rule.id, frozenset()):
        shared.update(owners.get(test, ()))
    # the more of an entry point's own tests notice the rule, the more it is that one's
    best = sorted(shared, key=lambda name: (-(shared[name] ** 2) / counts[name], name))
    return rule.model_copy(update={"entries": tuple(best[:3])})
