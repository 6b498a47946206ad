"""What an agent starts from passes nothing that counts, nor does a product that accepts everything.

A test that passes without any work would be a present; it is vacuous, named and not counted. (Those
that a resolution must leave passing are no presents.) A skeleton must parse, import and let every
test be collected, on the task's own toolchain.
"""

from __future__ import annotations

from benchwright.formats import GateEvidence, GateFinding
from benchwright.judge import SuiteResult
from benchwright.validation.bench import Bench

NAME = "start"
NOTHING = GateFinding(
    code="nothing-asked",
    gravity="grave",
    message="no test that counts asks for work: whoever changes nothing that matters is rewarded",
    advice="give the task up, or another change or library its tests",
)


def check(bench: Bench) -> GateEvidence:
    """Run the suite on the untouched workspace and on the permissive product."""
    hurried = bench.task.settings.limits.hurried(test.seconds for test in bench.counted)
    bench.say("start: the untouched workspace")
    untouched = bench.run(bench.task.workspace, limits=hurried)
    bench.say("start: a product that accepts everything")
    stand_ins = bench.product(bench.language.permissive(bench.reference()))
    accepting = bench.run(stand_ins, limits=hurried)
    asked = {test.id for test in bench.counted if test.group != "pass_to_pass"}
    free, weak = (
        tuple(test for test in bench.passed(run) if test in asked) for run in (untouched, accepting)
    )
    findings = [
        *_vacuous(free, "pass on the untouched workspace", "grave"),
        *_vacuous(
            tuple(t for t in weak if t not in free),
            "pass on a product whose every name exists and whose every call returns an object "
            "that accepts everything",
            "serious",
        ),
        *_skeleton(bench, untouched),
    ]
    missing = len(asked) - len({*free, *weak})
    if not missing:
        findings.append(NOTHING)
    return GateEvidence(
        name=NAME,
        status="failed" if any(f.gravity != "note" for f in findings) else "passed",
        summary=f"{missing} of {len(asked)} tests that ask for work need real behaviour",
        findings=tuple(findings),
        facts={
            "pass on the untouched workspace": len(free),
            "pass on the permissive product": len(weak),
            "known to be vacuous": sum(t.reason == "vacuous" for t in bench.task.manifest.tests),
        },
        seconds=round(untouched.seconds + accepting.seconds, 2),
    )


def _vacuous(ids: tuple[str, ...], how: str, gravity: str) -> list[GateFinding]:
    if not ids:
        return []
    return [
        GateFinding(
            code="vacuous-test",
            gravity="grave" if gravity == "grave" else "serious",
            message=f"{len(ids)} counted tests {how}",
            advice="take them out of the score (--fix): they ask for nothing",
            ids=ids,
        )
    ]


def _skeleton(bench: Bench, untouched: SuiteResult) -> list[GateFinding]:
    """What of a skeleton can't be imported or collected."""
    if bench.task.settings.kind != "completion":
        return []
    findings = []
    needed = {test.file for test in bench.counted}
    broken = {file: e for file, e in untouched.collect_errors.items() if file in needed}
    if broken:
        first = next(iter(broken.values()))
        said = " ".join(f"{first.exception} {first.message}".split())[:200]
        findings.append(
            GateFinding(
                code="skeleton-broken",
                gravity="grave",
                message=f"{len(broken)} test files can't be collected on the skeleton: {said}",
                advice="keep what runs at import time: author the task again",
                ids=tuple(broken),
            )
        )
    gone = {t.id for t in bench.counted} - set(untouched.order)
    if gone and not broken:
        findings.append(
            GateFinding(
                code="skeleton-hides-tests",
                gravity="serious",
                message=f"{len(gone)} counted tests aren't collected on the skeleton",
                advice="keep what the tests use while they are collected",
                ids=tuple(sorted(gone)),
            )
        )
    return findings
