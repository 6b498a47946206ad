"""What could explain failing tests: classes of wrong implementations that the same tests notice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from benchwright.formats import KillMatrix, Row, Rule, RuleSet, positions


@dataclass(frozen=True, slots=True)
class Suspect:
    """One class: what it makes fail, and the rules it stands for."""

    kills: frozenset[int]
    """Positions of the tests that notice it."""
    rules: tuple[Rule, ...] = ()
    subsystem: str = ""
    """What is missing as a whole."""
    change: str = ""
    """What is done otherwise."""

    @property
    def trust(self) -> float:
        """How much it counts beside others that fit as well: what claims least comes first."""
        return 0.98 if self.subsystem else 0.9 if self.change else 1.0


def omissions(matrix: KillMatrix, rules: RuleSet) -> list[Suspect]:
    """Rules left out, those with equal kill sets together; a missing subsystem for itself."""
    by_id = {rule.id: rule for rule in rules.rules}
    found: dict[tuple[frozenset[int], str], list[str]] = {}
    for row in _killed(matrix):
        if row.sort != "mutant":
            subsystem = f"{row.operator} {row.subject}" if row.sort == "missing" else ""
            found.setdefault((positions(row.kills), subsystem), []).append(row.rule)
    return [
        Suspect(kills, tuple(by_id[name] for name in names if name in by_id), subsystem)
        for (kills, subsystem), names in found.items()
    ]


def changes(matrix: KillMatrix, rules: RuleSet) -> list[Suspect]:
    """Rules that are there and say something else, as small changes in their lines do."""
    found: dict[tuple[frozenset[int], str], Suspect] = {}
    for row in _killed(matrix):
        if row.sort == "mutant" and (about := _about(row, rules)):
            change = f"{row.subject}, line {row.line}: {row.change}"
            suspect = Suspect(positions(row.kills), (about,), change=change)
            found.setdefault((suspect.kills, about.id), suspect)
    return list(found.values())


def _killed(matrix: KillMatrix) -> Iterator[Row]:
    return (row for row in matrix.rows if row.fate == "killed")


def _about(row: Row, rules: RuleSet) -> Rule | None:
    """The rule with the fewest lines in which a change was made."""
    there = [r for r in rules.rules if r.file == row.file and r.line <= row.line <= r.end_line]
    return min(there, key=lambda rule: (rule.end_line - rule.line, rule.id), default=None)
