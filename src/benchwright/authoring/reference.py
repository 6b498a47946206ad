"""What the hidden suite does on the reference: the ids that can be expected, and which count."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchwright.formats import ExpectedTest, Manifest, SourceError, printable
from benchwright.judge import Observed, Rig, SuiteResult, Variation, run_suite
from benchwright.languages import Collected
from benchwright.sandbox import Caps, Mount, Spec

from .parts import Parts, copy
from .variations import variations

DATES = (
    "%Y-%m-%d",
    "%Y%m%d",
    "%Y/%m/%d",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d.%m.%Y",
    "%d %b %Y",
    "%b %d, %Y",
)
OFFLINE = re.compile(
    r"gaierror|Name or service not known|name resolution|Network is unreachable"
    r"|ConnectionError|URLError|ConnectError|NewConnectionError"
)
"""What a test says that misses the network."""
PLAIN = Variation()
ENOUGH = 0.5
"""Share of the ids that ran which must pass, or the suite isn't fit."""


@dataclass(frozen=True, slots=True)
class Bench:
    """Everything that running one project's suite takes."""

    rig: Rig
    tests: tuple[str, ...]
    """The hidden files."""

    def run(self, tree: Path, variation: Variation = PLAIN) -> SuiteResult:
        """Run the suite on a judged tree."""
        return run_suite(tree, self.rig, variation=variation, tests=self.tests)

    def collect(self, tree: Path, variation: Variation = PLAIN) -> Collected:
        """Collect the suite on a judged tree and import its product."""
        rig, settings, limits = self.rig, self.rig.settings, self.rig.settings.limits
        suite = rig.language.probe(
            settings.runner,
            settings.product,
            tests=self.tests,
            metadata=rig.metadata is not None,
        )
        mounts = [*rig.environment.mounts, Mount("/work", "overlay", tree), *suite.mounts]
        if rig.metadata is not None:
            mounts.append(Mount("/meta", "ro", rig.metadata))
        caps = Caps(wall_seconds=300, memory=limits.memory, processes=limits.processes)
        env = {
            **rig.environment.env,
            "PYTHONHASHSEED": str(variation.hash_seed),
            **suite.env,
            **variation.env,
        }
        command = (*variation.prefix, *suite.command)
        spec = Spec(command, tuple(mounts), env, suite.cwd, caps, events=True)
        return rig.language.read_probe(rig.sandbox.run(spec).events)


@contextmanager
def whole(parts: Parts) -> Iterator[Path]:
    """The judged tree of the reference, for as long as it is needed."""
    with tempfile.TemporaryDirectory(prefix="benchwright-") as scratch:
        tree = Path(scratch) / "work"
        copy(parts.tree, (*parts.scaffold, *parts.product, *parts.hidden), tree)
        yield tree


def measure(bench: Bench, tree: Path, first: Collected, tell: Callable[[str], None]) -> Manifest:
    """The expected ids, from a collection and runs of the reference that differ in everything that
    mustn't matter.

    Raises:
        SourceError: nothing is collected, or too little passes; the message says what happened.
    """
    if not first.complete:
        raise SourceError(
            f"{printable(first.last) or 'the suite'}: collecting it ends the process or never ends"
        )
    if not first.ids:
        said = first.errors or {first.last: "the last file that was begun, and it gave no test"}
        raise SourceError(f"no test can be collected: {_reasons(said.items())}")
    every = variations(bench.rig.sandbox)
    runs = []
    for number, (name, variation) in enumerate(every.items(), 1):
        tell(f"running the reference, {number} of {len(every)}: {name}")
        runs.append(bench.run(tree, variation))
    orders = [run.order for run in runs if run.order]
    dropped = unstable(first.ids, orders, datetime.now(UTC))
    tests = tuple(
        _expected(name, first.files.get(name, ""), runs)
        for name in first.ids
        if name not in dropped
    )
    _check(tests, runs)
    return Manifest(tests=tests, dropped=dropped)


def unstable(
    first: Sequence[str], others: Sequence[Sequence[str]], now: datetime
) -> dict[str, str]:
    """Ids that can't be expected another time, with the reason."""
    everywhere = {*first}.intersection(*others)
    differs = "its id differs from one collection to the next"
    found = {name: differs for name in first if name not in everywhere}
    days = {now + timedelta(days=step) for step in (-1, 0, 1)}
    dates = {day.strftime(form) for day in days for form in DATES}
    for name in first:
        if name not in found and any(date in name for date in dates):
            found[name] = "its id holds the date of the day it was collected"
    return found


def _expected(name: str, file: str, runs: list[SuiteResult]) -> ExpectedTest:
    seen = [run.outcome(name, file) for run in runs]
    passed = all(one.outcome == "passed" for one in seen)
    return ExpectedTest(
        id=name,
        file=file,
        seconds=round(sum(one.seconds for one in seen) / len(seen), 3),
        counted=passed,
        reason="" if passed else _reason(seen),
    )


def _reason(seen: list[Observed]) -> str:
    """A word, and after a colon what happened."""
    outcomes = [one.outcome for one in seen]
    bad = next(one for one in seen if one.outcome != "passed")
    said = printable(f"{bad.exception} {bad.message}".strip(), 200)
    if len(set(outcomes)) > 1:
        return f"unstable: {', '.join(outcomes)} on the reference; {said}".rstrip("; ")
    if bad.outcome in ("skipped", "xfailed", "xpassed"):
        return bad.outcome
    if OFFLINE.search(said):
        return f"network: it needs the network, and there is none: {said}"
    return f"fails: {bad.outcome} on the reference: {said}".rstrip(": ")


def _check(tests: tuple[ExpectedTest, ...], runs: list[SuiteResult]) -> None:
    ran = [t for t in tests if t.reason not in ("skipped", "xfailed", "xpassed")]
    passed = [t for t in ran if t.counted]
    if passed and len(passed) >= ENOUGH * len(ran):
        return
    if not ran:
        raise SourceError(f"none of {len(tests)} tests runs: each is skipped or expected to fail")
    failing = [(t.id, t.reason) for t in ran if not t.counted]
    failing += [(file, error.message) for file, error in runs[0].collect_errors.items()]
    raise SourceError(
        f"only {len(passed)} of {len(ran)} tests pass on the reference: {_reasons(failing)}",
        hint="the suite must pass offline, in an empty home, as an ordinary user",
    )


def _reasons(failing: Iterable[tuple[str, str]]) -> str:
    rows = [f"{name}: {why}" for name, why in failing]
    more = f"; and {len(rows) - 3} more" if len(rows) > 3 else ""
    return printable("; ".join(row[:250] for row in rows[:3]) + more, 1000) or "nothing was said"
