"""Wrong implementations are noticed: mutants, rules left out, missing classes and modules.

The gate holds when every missing subsystem and enough of the rest is noticed, and when the judge,
running a share of the cells again, says the same. Survivors are listed with the rule they break:
each is a missing test, an unstated detail, or equivalent (then `validation/waivers.toml` says so).
"""

from __future__ import annotations

import hashlib
import shutil

from benchwright.formats import (
    GateEvidence,
    GateFinding,
    KillMatrix,
    RuleSet,
    cache_root,
    canonical,
)
from benchwright.mutants import (
    MATRIX,
    RULES,
    Ground,
    by_kind,
    by_sort,
    kill_matrix,
    redundant,
    silent,
    survivors,
    waivers,
)
from benchwright.tasks import digest, program
from benchwright.validation.bench import Bench

NAME = "wrong"
WEAK = 0.5
"""Below this share of noticed omissions a suite is too weak to rank anyone."""
AGREED = 0.995


def check(bench: Bench) -> GateEvidence:
    """Build the matrix, keep it beside the task, and say what it shows."""
    ground = Ground.prepare(
        bench.task,
        bench.language,
        bench.environment,
        bench.sandbox,
        bench.work / "ground",
        bench.say,
    )
    rules, matrix = _kept(bench, ground)
    rules.write(bench.task.validation / RULES)
    matrix.write(bench.task.validation / MATRIX)
    return conclude(rules, matrix)


def _kept(bench: Bench, ground: Ground) -> tuple[RuleSet, KillMatrix]:
    """The matrix; the one of a moment ago if nothing it depends on has changed since."""
    task, ids = bench.task, [test.id for test in bench.counted]
    parts = [digest(p) for p in (task.solution, task.hidden, task.scaffold) if p.is_dir()]
    told = [*parts, bench.environment.digest, ids, task.settings.model_dump(mode="json")]
    told += [waivers(task), program()]
    name = hashlib.sha256(canonical(told)).hexdigest()[:32]
    kept = cache_root() / "validation" / f"matrix-{name}"
    if (kept / MATRIX).is_file():
        bench.say("matrix: as it was a moment ago")
        return RuleSet.read(kept / RULES), KillMatrix.read(kept / MATRIX)
    rules, matrix = kill_matrix(ground, kept)
    shutil.rmtree(kept, ignore_errors=True)
    rules.write(kept / RULES)
    matrix.write(kept / MATRIX)
    return rules, matrix


def conclude(rules: RuleSet, matrix: KillMatrix) -> GateEvidence:
    """What a matrix says."""
    findings = list(_findings(rules, matrix))
    sorts, kinds = by_sort(matrix), by_kind(matrix)
    agreement = matrix.agreement
    return GateEvidence(
        name=NAME,
        status="failed" if any(f.gravity in ("grave", "serious") for f in findings) else "passed",
        summary=f"noticed: {sorts['omission']} omissions, {sorts['mutant']} mutants, "
        f"{sorts['missing']} missing subsystems",
        findings=tuple(findings),
        facts={
            "rules": len(rules.rules),
            "wrong implementations": len(matrix.rows),
            "share run": matrix.sampled,
            "dropped as equivalent": matrix.equivalent,
            "survivors": len(survivors(matrix)),
            "survivors that change nothing seen": len(silent(matrix)),
            "cells judged again": agreement.cells if agreement else 0,
            "cells that agreed": agreement.agreed if agreement else 0,
            **{f"strength, {name}": round(s.share, 4) for name, s in {**sorts, **kinds}.items()},
        },
    )


def _findings(rules: RuleSet, matrix: KillMatrix) -> list[GateFinding]:
    sorts = by_sort(matrix)
    findings: list[GateFinding] = []
    if sorts["omission"].share < WEAK:
        findings.append(
            GateFinding(
                code="weak-suite",
                gravity="serious",
                message=f"the tests notice only {sorts['omission']} rules left out",
                advice="add tests for the rules that survive, or take another source",
            )
        )
    agreement = matrix.agreement
    if agreement and agreement.cells and agreement.agreed / agreement.cells < AGREED:
        findings.append(
            GateFinding(
                code="matrix-disagrees",
                gravity="serious",
                message=f"the judge agrees on {agreement.agreed} of {agreement.cells} cells only",
                advice="the tests depend on each other or on chance: see validation/matrix.json",
                ids=agreement.disagreements,
            )
        )
    elif agreement and agreement.disagreements:
        findings.append(
            GateFinding(
                code="matrix-disagrees",
                gravity="minor",
                message=f"{agreement.cells - agreement.agreed} of {agreement.cells} cells differ",
                advice="tests that depend on each other or on chance",
                ids=agreement.disagreements,
            )
        )
    return [*findings, *_survivors(rules, matrix)]


def _survivors(rules: RuleSet, matrix: KillMatrix) -> list[GateFinding]:
    by_id = {rule.id: rule for rule in rules.rules}
    alive = survivors(matrix)
    broken = [r for r in alive if r.rule and by_id[r.rule].public]
    findings = []
    if broken:
        findings.append(
            GateFinding(
                code="rule-untested",
                gravity="minor",
                message=f"{len(broken)} public rules can be left out and no test notices",
                advice="leave them out of the statement, or add tests; equivalent ones go into "
                "validation/waivers.toml",
                ids=tuple(r.rule for r in broken),
            )
        )
    quiet = silent(matrix)
    if quiet:
        findings.append(
            GateFinding(
                code="likely-equivalent",
                gravity="note",
                message=f"{len(quiet)} survivors gave and left behind what the reference did, in "
                "every call of every test",
                advice="look at them: those that are equivalent go into validation/waivers.toml, "
                "with a reason",
                ids=tuple(f"{r.id} ({r.file}, line {r.line}): {r.change}" for r in quiet[:100]),
            )
        )
    rest = [r for r in alive if r.sort == "mutant" and r not in quiet]
    if rest:
        findings.append(
            GateFinding(
                code="mutant-survives",
                gravity="note",
                message=f"{len(rest)} mutants survive",
                advice="look at some: unstated, or a missing test",
                ids=tuple(f"{r.id} (line {r.line}): {r.change}" for r in rest[:100]),
            )
        )
    idle = redundant(matrix)
    if idle:
        findings.append(
            GateFinding(
                code="idle-test",
                gravity="note",
                message=f"{len(idle)} counted tests notice no wrong implementation",
                advice="they may still guard what no rule describes",
                ids=idle,
            )
        )
    return findings
