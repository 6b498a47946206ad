"""What the tests of a resolution do on the base and on the reference, three times each."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchwright.formats import ExpectedTest, Manifest, Record, SourceError, printable
from benchwright.formats.manifest import Group
from benchwright.judge import SuiteResult, Variation, assemble
from benchwright.tasks import Task

from .reference import Bench

RUNS = (Variation(), Variation(hash_seed=1), Variation(hash_seed=4242))
"""The same order three times: tests that need another are upstream's to mend."""


class Listed(Record):
    """Which exact ids belong to which group."""

    fail_to_pass: tuple[str, ...]
    pass_to_pass: tuple[str, ...]
    lost: dict[str, str] = {}
    """Ids that were asked for and stand for no test, with the reason."""
    needed: frozenset[str] = frozenset()
    """Those of the lost ids without which the change isn't shown."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What was seen."""

    base: tuple[SuiteResult, ...]
    reference: tuple[SuiteResult, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """Every id that ran, in order."""
        runs = (*self.reference, *self.base)
        return tuple(dict.fromkeys(name for run in runs for name in (*run.order, *run.tests)))

    @property
    def described(self) -> dict[str, str]:
        """What tests say they are, where they do."""
        runs = (*self.base, *self.reference)
        return {name: text for run in runs for name, text in run.described.items()}

    def outcomes(self, name: str, runs: Sequence[SuiteResult]) -> tuple[str, ...]:
        """What became of an id in each of some runs."""
        return tuple(run.outcome(name).outcome for run in runs)

    def record(self) -> dict[str, object]:
        """Everything by id, to be kept."""
        told: dict[str, object] = {
            "seconds": {
                "base": [round(run.seconds, 2) for run in self.base],
                "reference": [round(run.seconds, 2) for run in self.reference],
            }
        }
        told["tests"] = {
            name: {
                "base": self.outcomes(name, self.base),
                "reference": self.outcomes(name, self.reference),
            }
            for name in self.ids
        }
        return told


Lists = Callable[[Measured], Listed]
"""Sorts the ids that a runner showed into groups."""


def measure(task: Task, bench: Bench, tell: Callable[[str], None]) -> Measured:
    """Run the hidden tests on the untouched workspace and on the reference, as the judge does."""
    found = []
    for label, product in (("the base", task.workspace), ("the reference", task.solution)):
        with tempfile.TemporaryDirectory(prefix="benchwright-") as scratch:
            tree = Path(scratch) / "work"
            assemble(task, product, tree)
            runs = []
            for number, variation in enumerate(RUNS, 1):
                tell(f"running {label}, {number} of {len(RUNS)}")
                runs.append(bench.run(tree, variation))
        found.append(tuple(runs))
    return Measured(*found)


def by_execution(measured: Measured) -> Listed:
    """The groups as execution shows them."""
    gained, kept = [], []
    for name in measured.ids:
        after = set(measured.outcomes(name, measured.reference))
        before = set(measured.outcomes(name, measured.base))
        if after == {"passed"}:
            if "passed" not in before:
                gained.append(name)
            elif before == {"passed"}:
                kept.append(name)
    return Listed(fail_to_pass=tuple(gained), pass_to_pass=tuple(kept))


def manifest(measured: Measured, listed: Listed, files: Iterable[str]) -> Manifest:
    """The expected ids: those of both groups count where execution bears them out.

    Raises:
        SourceError: not all tests that must show the change do; the message says what they did.
    """
    places = sorted(files, key=len, reverse=True)
    groups = _groups(measured, listed)
    tests = []
    for name in measured.ids:
        reason = _reason(measured, name, groups.get(name))
        seen = [run.outcome(name).seconds for run in measured.reference]
        tests.append(
            ExpectedTest(
                id=name,
                file=next((p for p in places if name.startswith(p)), places[-1]),
                group=groups.get(name, "test"),
                seconds=round(sum(seen) / len(seen), 3),
                counted=not reason,
                reason=reason,
            )
        )
    gained = [test for test in tests if test.group == "fail_to_pass"]
    if not any(test.counted for test in gained):
        raise SourceError(f"no test shows the change: {_why(measured, tests, listed.lost)}")
    short = [f"{test.id}: {test.reason}" for test in gained if not test.counted]
    short += [f"{name}: {listed.lost[name]}" for name in sorted(listed.needed)]
    if short:
        rows = printable("; ".join(row[:250] for row in short[:3]), 900)
        raise SourceError(f"{len(short)} tests that must show the change can't: {rows}")
    return Manifest(tests=tuple(tests), dropped=listed.lost)


def _groups(measured: Measured, listed: Listed) -> dict[str, Group]:
    """The group of each listed id. A test that is said to show the change and passes without it
    shows nothing, but is still asked for: logs that were misread put it on the list.
    """
    groups: dict[str, Group] = dict.fromkeys(listed.pass_to_pass, "pass_to_pass")
    for name in listed.fail_to_pass:
        kept = set(measured.outcomes(name, measured.base)) == {"passed"}
        groups[name] = "pass_to_pass" if kept else "fail_to_pass"
    return groups


def _reason(measured: Measured, name: str, group: Group | None) -> str:
    """Why an id doesn't count; nothing if it does."""
    if group is None:
        return "unlisted: not one of the change's tests"
    after = measured.outcomes(name, measured.reference)
    if set(after) != {"passed"}:
        word = "unstable: " if len(set(after)) > 1 else ""
        return f"{word}{', '.join(dict.fromkeys(after))} on the reference{_said(measured, name)}"
    if group == "fail_to_pass" and "passed" in measured.outcomes(name, measured.base):
        return "unstable: passes on the base now and then"
    return ""


def _said(measured: Measured, name: str) -> str:
    seen = [run.outcome(name) for run in measured.reference]
    bad = next(one for one in seen if one.outcome != "passed")
    return printable(f": {bad.exception} {bad.message}".rstrip(), 200) if bad.exception else ""


def _why(measured: Measured, tests: Sequence[ExpectedTest], lost: Mapping[str, str]) -> str:
    rows = [f"{t.id}: {t.reason}" for t in tests if t.group == "fail_to_pass"]
    for run in measured.reference[:1]:
        rows += [f"{file}: {seen.message}" for file, seen in run.collect_errors.items()]
        rows += run.notes
    rows += [f"{name}: {why}" for name, why in lost.items()]
    return printable("; ".join(row[:250] for row in rows[:3]), 900) or "none changes its outcome"
