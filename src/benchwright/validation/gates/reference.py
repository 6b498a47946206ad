"""The reference passes every counted test, again and again: other orders, seeds, zones, machines.

A test that wobbles here would be luck for an agent; it is named, and `--fix` takes it out of the
score.
"""

from __future__ import annotations

from benchwright.authoring.variations import variations
from benchwright.formats import GateEvidence, GateFinding, Gravity
from benchwright.judge import SuiteResult
from benchwright.validation.bench import Bench

NAME = "reference"


def check(bench: Bench) -> GateEvidence:
    """Run the reference under every variation."""
    runs = variations(bench.sandbox)
    later = any(variation.prefix for variation in runs.values())
    failing: dict[str, list[str]] = {}
    seconds, times = 0.0, {}
    for name, variation in runs.items():
        bench.say(f"reference: {name}")
        result = bench.run(bench.task.solution, variation)
        seconds, times[name] = seconds + result.seconds, result.seconds
        for test, outcome in bench.outcomes(result).items():
            if outcome != "passed":
                failing.setdefault(test, []).append(f"{name}: {outcome}{_why(result, test)}")
    findings = _findings(failing, len(runs))
    if not later:
        message = (
            "the date wasn't moved: libfaketime isn't on this machine, or doesn't work in a box"
        )
        findings.append(
            GateFinding(
                code="no-faketime",
                gravity="note",
                message=message,
                advice="on Debian and Ubuntu: apt install libfaketime",
            )
        )
    bad = {name for name, where in failing.items() if where}
    return GateEvidence(
        name=NAME,
        status="failed" if bad or not bench.counted else "passed",
        summary=f"{len(bench.counted) - len(bad)} of {len(bench.counted)} tests passed all "
        f"{len(runs)} runs of the reference",
        findings=tuple(findings),
        facts={
            "runs": len(runs),
            "date moved": later,
            **{f"seconds, {name}": round(value, 2) for name, value in times.items()},
        },
        seconds=round(seconds, 2),
    )


def _why(result: SuiteResult, test: str) -> str:
    seen = result.tests.get(test)
    said = " ".join(seen.message.split())[:160] if seen else ""
    return f" ({seen.exception}: {said})" if seen and seen.exception else ""


def _findings(failing: dict[str, list[str]], runs: int) -> list[GateFinding]:
    """One finding for what always fails, one for each way of wobbling."""
    groups: dict[tuple[str, Gravity, str], list[str]] = {}
    for test, where in failing.items():
        if len(where) == runs:
            key: tuple[str, Gravity, str] = ("reference-fails", "grave", where[0])
        else:
            names = "; ".join(sorted({part.partition(" (")[0] for part in where}))
            key = ("unstable-test", "serious", names)
        groups.setdefault(key, []).append(test)
    return [
        GateFinding(
            code=code,
            gravity=gravity,
            message=f"the reference doesn't pass {len(ids)} counted tests: {said}",
            advice="take them out of the score (--fix), or mend what they depend on",
            ids=tuple(ids),
        )
        for (code, gravity, said), ids in groups.items()
    ]
