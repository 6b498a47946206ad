"""The tests ask only for what a solver can know, and the statement says only what is asked for.

Names that the tests touch must stand in the public half; rules that the tests notice must be
stated, with their literals; a stated rule that no test notices is worth a look. `--fix` adds what
is missing to the public texts.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchwright.authoring import untold
from benchwright.formats import GateEvidence, GateFinding, Gravity, KillMatrix, Rule, RuleSet
from benchwright.mutants import MATRIX, RULES, Statement
from benchwright.validation.bench import Bench

NAME = "fair"
LITERAL = ("message", "table", "default", "cli", "warning", "hierarchy")
"""Kinds of rules that can't be guessed: they are words and values."""


def check(bench: Bench) -> GateEvidence:
    """Compare what is asked for with what is said."""
    bench.say("fair: comparing what is tested with what is stated")
    statement = Statement.of(bench.task)
    findings = list(_names(bench, statement))
    facts: dict[str, str | int | float | bool] = {"public texts": len(statement.texts)}
    path = bench.task.validation / MATRIX
    if path.is_file():
        rules = RuleSet.read(bench.task.validation / RULES)
        found, told = _rules(bench, rules, KillMatrix.read(path), statement)
        findings += found
        facts |= told
    serious = [f for f in findings if f.gravity in ("grave", "serious")]
    summary = f"{len(serious)} kinds of things are asked for and not said"
    if "rules noticed" in facts:
        summary += f"; {facts['stated of those']} of {facts['rules noticed']} noticed rules stated"
    return GateEvidence(
        name=NAME,
        status="failed" if serious else "passed",
        summary=summary,
        findings=tuple(findings),
        facts=facts,
    )


def _names(bench: Bench, statement: Statement) -> Iterator[GateFinding]:
    """Names that the tests touch and that stand nowhere."""
    gone = untold(bench.task, bench.language, statement)
    if gone:
        yield GateFinding(
            code="name-not-in-contract",
            gravity="serious",
            message=f"the tests touch {len(gone)} names that no public text has",
            advice="add them to the contract (--fix)",
            ids=gone,
        )


def _rules(
    bench: Bench, rules: RuleSet, matrix: KillMatrix, statement: Statement
) -> tuple[list[GateFinding], dict[str, str | int | float | bool]]:
    by_id = {rule.id: rule for rule in rules.rules}
    noticed = [by_id[r.rule] for r in matrix.rows if r.rule in by_id and r.fate == "killed"]
    silent = [
        by_id[r.rule]
        for r in matrix.rows
        if r.rule in by_id and r.fate in ("survived", "uncovered") and not r.waived
    ]
    said = {rule.id: statement.states(rule) for rule in (*noticed, *silent)}
    unstated = [rule for rule in noticed if said[rule.id] == "unstated"]
    hard = [rule for rule in unstated if rule.kind in LITERAL]
    strict = bench.task.settings.kind == "construction"
    gravity: Gravity = "serious" if strict else "minor"
    findings = [
        *_finding(
            "literal-not-public", gravity, hard,
            "words or values that the tests ask for stand in no public text",
            "state them (--fix), or take those tests out of the score",
        ),
        *_finding(
            "rule-unstated", "minor", [r for r in unstated if r not in hard],
            "rules that the tests notice aren't stated in so many words",
            "state them, unless they follow from what is stated",
        ),
        *_finding(
            "rule-untested", "note", [r for r in silent if said[r.id] == "stated" and r.public],
            "stated rules that no test notices",
            "add tests, or leave them out of the statement",
        ),
    ]  # fmt: skip
    facts: dict[str, str | int | float | bool] = {
        "rules noticed": len(noticed),
        "stated of those": len(noticed) - len(unstated),
        "stated (generated)": sum(said[r.id] == "generated" for r in noticed),
        "unstated words and values": len(hard),
    }
    return findings, facts


def _finding(
    code: str, gravity: Gravity, rules: list[Rule], what: str, advice: str
) -> Iterator[GateFinding]:
    if rules:
        yield GateFinding(
            code=code,
            gravity=gravity,
            message=f"{len(rules)} {what}",
            advice=advice,
            ids=tuple(rule.id for rule in rules),
        )
