"""What `--fix` does: only what is safe, and every change is reported."""

from __future__ import annotations

from collections.abc import Iterable

from benchwright.formats import ExpectedTest, GateEvidence, GateFinding, Repair
from benchwright.tasks import Task

REASONS = {
    "vacuous-test": "vacuous",
    "unstable-test": "unstable",
    "reference-fails": "unstable",
    "unfair-test": "unfair",
}
"""Findings whose tests are taken out of the score, and the reason that the manifest gives."""


def repair(task: Task, gates: Iterable[GateEvidence]) -> tuple[Repair, ...]:
    """Mend the task's folder as far as that is safe."""
    findings = [finding for gate in gates for finding in gate.findings]
    return tuple(_drop(task, findings))


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
