"""Boxes that measure a suite or run it on mutants, and what they say.

The files in `box/` run on the task's interpreter beside the judge's own runner; here they become
read-only files at `/judge`, with the plan for this one run.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any

from benchwright.formats import Mutant, Product, Runner, positions
from benchwright.languages.measured import Measured, Ran, Timing
from benchwright.languages.protocol import SuiteRun
from benchwright.languages.python.suite import HOME, PYTHON, suite
from benchwright.sandbox import Mount

from .reach import Placed, place
from .source import Source

PARTS = (
    "mutate", "mutate_codes", "mutate_compare", "mutate_engine", "mutate_fork", "mutate_measure",
    "mutate_run", "mutate_session", "mutate_switch", "mutate_trace", "mutate_tree",
    "mutate_witness",
)  # fmt: skip
FLOOR, FACTOR = 0.25, 10.0
"""CPU seconds a test may take on a mutant: a floor, and a multiple of what the reference takes."""
WALL_FLOOR, WALL_FACTOR = 3.0, 20.0


def _run(base: SuiteRun, plan: Mapping[str, Any]) -> SuiteRun:
    source = files("benchwright.languages.python") / "mutate" / "box"
    content = {f"{name}.py": (source / f"{name}.py").read_bytes() for name in PARTS}
    content["plan.json"] = json.dumps(plan).encode()
    mounts = [Mount(f"{HOME}/{name}", "data", content=text) for name, text in content.items()]
    command = (PYTHON, "-s", "-B", f"{HOME}/mutate.py")
    return replace(base, command=command, mounts=(*base.mounts, *mounts))


def measure(
    runner: Runner,
    product: Product,
    names: Sequence[str],
    *,
    part: tuple[int, int] = (0, 1),
    skip: Sequence[str] = (),
    patience: float = 60.0,
    metadata: bool = False,
) -> SuiteRun:
    """How to time the suite of the tree at `/work`, and to see which lines each test runs."""
    base = suite(runner, product, skip, metadata=metadata)
    plan = {"mode": "measure", "files": list(names), "part": part, "patience": patience}
    return _run(base, plan)


def read_measure(data: bytes) -> Measured:
    """What a measuring box said; strange lines are passed over."""
    tests: dict[str, Timing] = {}
    lines: dict[str, dict[str, frozenset[int]]] = {}
    started: set[str] = set()
    imported: dict[str, frozenset[int]] = {}
    modules: tuple[str, ...] = ()
    collect, complete = 0.0, False
    for said in _objects(data):
        match said:
            case {"test": str(name), "outcome": str(word), "cpu": cpu, "wall": wall}:
                tests[name] = Timing(word, float(cpu), float(wall))
            case {"traced": str(name), "lines": dict(found), "started": bool(others)}:
                before = lines.setdefault(name, {})
                for file, numbers in _lines(found).items():
                    before[file] = before.get(file, frozenset()) | numbers
                started |= {name} if others else set()
            case {"lines": dict(found), "seconds": seconds}:
                imported, collect = _lines(found), float(seconds)
            case {"modules": list(found)}:
                modules = tuple(str(name) for name in found)
            case {"done": True}:
                complete = True
    return Measured(tests, lines, frozenset(started), imported, modules, collect, complete)


def _lines(found: Mapping[str, str]) -> dict[str, frozenset[int]]:
    return {name: positions(numbers) for name, numbers in found.items()}


def _objects(data: bytes) -> Iterator[dict[str, Any]]:
    for line in data.splitlines():
        try:
            said = json.loads(line)
        except ValueError:
            continue
        if isinstance(said, dict):
            yield said


def selected(placed: Placed, file: str, tests: Sequence[str], measured: Measured) -> list[int]:
    """Positions of the tests that may notice a mutant."""
    if placed.lines is None:
        return list(range(len(tests)))
    return [
        number
        for number, name in enumerate(tests)
        if name in measured.started
        or placed.lines & measured.lines.get(name, {}).get(file, frozenset())
    ]


def choose(
    sources: Mapping[str, Source],
    mutants: Sequence[Mutant],
    tests: Sequence[str],
    measured: Measured,
) -> list[dict[str, Any]]:
    """For each mutant how it is run and on which tests, in their order."""
    rows = []
    for number, mutant in enumerate(mutants):
        placed = place(sources[mutant.file], mutant, measured)
        row = {
            "n": number,
            "file": mutant.file,
            "how": placed.how,
            "unit": placed.unit,
            "edits": [[e.start, e.end, e.text] for e in mutant.edits],
            "tests": selected(placed, mutant.file, tests, measured),
        }
        rows.append(row)
    return rows


def run(
    runner: Runner,
    product: Product,
    rows: Sequence[Mapping[str, Any]],
    tests: Sequence[str],
    measured: Measured,
    *,
    names: Sequence[str],
    skip: Sequence[str] = (),
    patience: float = 60.0,
    metadata: bool = False,
    compare: bool = False,
) -> SuiteRun:
    """How to run chosen mutants on the tree at `/work`, or to compare them with the reference."""
    timing = measured.tests
    plan = {
        "mode": "compare" if compare else "run",
        "files": list(names),
        "mutants": list(rows),
        "tests": list(tests),
        "preload": list(measured.modules),
        "collect": 2.0 + FACTOR * measured.collect,
        "patience": patience,
        "cpu": {name: FLOOR + FACTOR * timing[name].cpu for name in tests},
        "wall": {name: WALL_FLOOR + WALL_FACTOR * timing[name].wall for name in tests},
    }
    return _run(suite(runner, product, skip, metadata=metadata), plan)


def read_run(data: bytes) -> tuple[dict[int, Ran], bool]:
    """What a box said of each mutant, and whether it came to its end."""
    found: dict[int, Ran] = {}
    complete = False
    for said in _objects(data):
        match said:
            case {"n": int(number), "failed": list(failed), "broken": str(broken)}:
                found[number] = Ran(
                    frozenset(failed),
                    int(said.get("timeouts", 0)),
                    int(said.get("crashes", 0)),
                    broken,
                    float(said.get("seconds", 0.0)),
                    said.get("differs"),
                )
            case {"done": True}:
                complete = True
    return found, complete
