"""Strong controls cover the checks, and the reference scores 1 in random pairs of rounds.

Controls are what a verdict's resistance to forging rests on. They are found here where the task has
none for its hidden tests as they are.
"""

from __future__ import annotations

from benchwright.formats import ControlSet, GateEvidence, GateFinding
from benchwright.judge import Mixed, calibrate, mend, prove
from benchwright.tasks import digest
from benchwright.validation.bench import Bench

NAME = "controls"
FILE = "controls.json"
PAIRS = 20
TRIES = 3
THIN = 0.5
"""Below this share of strongly guarded tests the evidence says so."""


def check(bench: Bench) -> GateEvidence:
    """Find the controls if need be, then mix them on the reference."""
    found = _known(bench)
    if found is None:
        bench.say("controls: trying wrong versions of the tests on the reference")
        found = calibrate(
            bench.task,
            sandbox=bench.sandbox,
            environment=bench.environment,
            pairs=PAIRS,
            progress=bench.say,
        )
        found.write(bench.task.validation / FILE)
    found, mixed = _hold(bench, found)
    figures = found.figures
    guarded = {t for c in found.controls if c.strength == "strong" for t in c.ids}
    strong = sum(test.id in guarded for test in bench.counted) / max(1, len(bench.counted))
    broken = tuple(mixed.broken)
    return GateEvidence(
        name=NAME,
        status="passed" if mixed.clean else "failed",
        summary=f"{strong:.0%} of the tests have a strong control; the reference "
        + ("scores 1" if mixed.clean else f"loses {len(broken)} tests")
        + f" in {mixed.pairs} pairs of rounds",
        findings=tuple(_findings(broken, found, strong)),
        facts={**figures, "ids_strong": round(strong, 4), "pairs": mixed.pairs},
    )


def _hold(bench: Bench, found: ControlSet) -> tuple[ControlSet, Mixed]:
    """Mix the controls until every pair of rounds is as it should; give up what doesn't hold."""
    for number in range(1, TRIES + 1):
        bench.say(f"controls: {PAIRS} random pairs of rounds on the reference")
        seed = f"validation {number} {digest(bench.task.hidden)}"
        mixed = prove(
            bench.task,
            found,
            sandbox=bench.sandbox,
            environment=bench.environment,
            pairs=PAIRS,
            seed=seed,
        )
        if mixed.clean or number == TRIES:
            break
        bench.say(f"controls: {len(mixed.broken)} tests didn't do as they should: mending")
        found = mend(
            bench.task,
            found,
            mixed,
            sandbox=bench.sandbox,
            environment=bench.environment,
            pairs=PAIRS,
            seed=seed,
            progress=bench.say,
        )
        found.write(bench.task.validation / FILE)
    return found, mixed


def _known(bench: Bench) -> ControlSet | None:
    """The task's controls, if they are of its tests as they are."""
    path = bench.task.validation / FILE
    if not path.is_file():
        return None
    found = ControlSet.read(path)
    fits = found.tests in ("", digest(bench.task.hidden))
    same = found.figures.get("ids", len(bench.counted)) == len(bench.counted)
    return found if fits and same else None


def _findings(broken: tuple[str, ...], found: ControlSet, strong: float) -> list[GateFinding]:
    findings = []
    if broken:
        findings.append(
            GateFinding(
                code="controls-disturb",
                gravity="serious",
                message=f"in random rounds the reference doesn't score {len(broken)} tests",
                advice="find the controls anew: remove validation/controls.json and validate again",
                ids=broken,
            )
        )
    if strong < THIN:
        findings.append(
            GateFinding(
                code="thin-controls",
                gravity="minor",
                message=f"only {strong:.0%} of the tests have a strong control",
                advice="a verdict says which of its tests could be forged",
                ids=found.bare[:100],
            )
        )
    return findings
