"""What `--fix` does: only what is safe, and every change is reported."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from benchwright.authoring import add_names, append, document
from benchwright.formats import (
    ExpectedTest,
    GateEvidence,
    GateFinding,
    Repair,
    RuleSet,
)
from benchwright.mutants import RULES
from benchwright.tasks import Task

REASONS = {
    "vacuous-test": "vacuous",
    "unstable-test": "unstable",
    "reference-fails": "unstable",
    "unfair-test": "unfair",
    "cheat-wins": "forgeable",
}
"""Findings whose tests are taken out of the score, and the reason that the manifest gives."""
RULES_HEAD = "## Further behaviour that the tests check"


def repair(task: Task, gates: Iterable[GateEvidence]) -> tuple[Repair, ...]:
    """Mend the task's folder as far as that is safe."""
    findings = [finding for gate in gates for finding in gate.findings]
    names = [path for f in findings if f.code == "name-not-in-contract" for path in f.ids]
    rules = [rule for f in findings if f.code == "literal-not-public" for rule in f.ids]
    return (*_drop(task, findings), *_add_names(task, names), *_add_rules(task, rules))


def _drop(task: Task, findings: list[GateFinding]) -> list[Repair]:
    """Take tests that can't count out of the score."""
    why = {t: REASONS[f.code] for f in findings if f.code in REASONS for t in f.ids}
    manifest = task.manifest
    tests = tuple(_uncounted(test, why) for test in manifest.tests)
    if tests == manifest.tests:
        return []
    manifest.model_copy(update={"tests": tests}).write(task.manifest_path)
    dropped: dict[str, list[str]] = {}
    for before, after in zip(manifest.tests, tests, strict=True):
        if before != after:
            dropped.setdefault(after.reason, []).append(after.id)
    return [
        Repair(
            file="tests/manifest.json",
            what=f"{len(ids)} tests no longer count: {reason}",
            ids=tuple(ids),
        )
        for reason, ids in dropped.items()
    ]


def _uncounted(test: ExpectedTest, why: dict[str, str]) -> ExpectedTest:
    if not test.counted or test.id not in why:
        return test
    return test.model_copy(update={"counted": False, "reason": why[test.id]})


def _add_names(task: Task, names: list[str]) -> list[Repair]:
    """Extend the contract."""
    if not names:
        return []
    path = add_names(task, names)
    what = f"{len(names)} names added to the contract"
    return [Repair(file=_relative(task, path), what=what, ids=tuple(names))]


def _add_rules(task: Task, ids: list[str]) -> list[Repair]:
    """Say in the statement what the tests ask for."""
    if not ids:
        return []
    by_id = {rule.id: rule for rule in RuleSet.read(task.validation / RULES).rules}
    rules = [by_id[name] for name in ids if name in by_id]
    path = document(task, "PRD.md")
    append(path, RULES_HEAD, [f"- {rule.sentence}" for rule in rules])
    what = f"{len(rules)} rules added to the statement"
    return [Repair(file=_relative(task, path), what=what, ids=tuple(rule.id for rule in rules))]


def _relative(task: Task, path: Path) -> str:
    return path.relative_to(task.root).as_posix()
