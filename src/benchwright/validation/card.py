"""The task card: one self-contained page that shows how sound a task is.

No script, nothing from the network, everything escaped.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from benchwright.formats import (
    Evidence,
    GateEvidence,
    KillMatrix,
    Row,
    RuleSet,
    positions,
    printable,
)
from benchwright.mutants import MATRIX, RULES, Strength, by_kind, by_sort, strength
from benchwright.tasks import Task

Found = TypeVar("Found", RuleSet, KillMatrix)
COLUMNS = 160
"""Columns of the heat map; tests side by side share one where there are more."""
ROWS = 90
SURVIVORS = 40


@dataclass(frozen=True, slots=True)
class Stripe:
    """One row of the heat map: wrong implementations of one place of the code."""

    label: str
    count: int
    cells: tuple[float, ...]
    """Per column, -1 where nothing ran, else the share of runs that noticed."""
    noticed: Strength


def card(task: Task, evidence: Evidence) -> str:
    """The page."""
    rules = _read(RuleSet, task, RULES)
    matrix = _read(KillMatrix, task, MATRIX)
    manifest = task.manifest
    reasons = Counter(t.reason.partition(":")[0] for t in manifest.tests if not t.counted)
    return _template().render(
        task=task,
        evidence=evidence,
        settings=task.settings,
        counted=len(manifest.counted),
        total=len(manifest.tests),
        reasons=reasons.most_common(),
        dropped=manifest.dropped,
        uncounted=[t for t in manifest.tests if not t.counted],
        gates=evidence.gates,
        controls=gate(evidence, "controls"),
        cheats=gate(evidence, "cheats"),
        rules=rules.rules if rules else (),
        matrix=matrix,
        sorts=by_sort(matrix) if matrix else {},
        kinds=by_kind(matrix) if matrix else {},
        stripes=stripes(matrix) if matrix else (),
        survivors=survivors(matrix, rules) if matrix and rules else (),
    )


def gate(evidence: Evidence, name: str) -> GateEvidence | None:
    """A gate by name."""
    return next((g for g in evidence.gates if g.name == name), None)


def stripes(matrix: KillMatrix) -> tuple[Stripe, ...]:
    """The heat map: places of the code by tests."""
    places: dict[tuple[str, int, str], list[Row]] = {}
    for row in matrix.rows:
        if row.fate != "unusable" and row.sort != "missing":
            places.setdefault(place(row), []).append(row)
    groups = [places[key] for key in sorted(places)]
    step = -(-len(groups) // ROWS) or 1
    parts = [groups[n : n + step] for n in range(0, len(groups), step)]
    merged = [[row for group in part for row in group] for part in parts]
    width = -(-len(matrix.tests) // COLUMNS) or 1
    return tuple(_stripe(rows, len(matrix.tests), width) for rows in merged)


def place(row: Row) -> tuple[str, int, str]:
    """Where in the code: file, whether inside a definition, its qualified name; from the id."""
    parts = row.id.removeprefix("without ").split(":")
    name = ":".join(parts[1:-1])
    return row.file, name != "<module>", name


def marked(text: str) -> Markup:
    """A sentence with what stands between backticks as code; everything escaped."""
    parts = printable(text).split("`")
    shown = [
        Markup("<code>{}</code>").format(p) if n % 2 else escape(p) for n, p in enumerate(parts)
    ]
    return Markup("").join(shown)


def _stripe(rows: list[Row], tests: int, width: int) -> Stripe:
    columns = -(-tests // width)
    ran, killed = [0] * columns, [0] * columns
    for row in rows:
        for test in positions(row.ran):
            ran[test // width] += 1
        for test in positions(row.kills):
            killed[test // width] += 1
    shares = [min(1.0, k / r) if r else -1.0 for k, r in zip(killed, ran, strict=True)]
    file, _, name = place(rows[0])
    label = name if name != "<module>" else file
    return Stripe(label, len(rows), tuple(shares), strength(rows))


def survivors(matrix: KillMatrix, rules: RuleSet) -> list[tuple[Row, str]]:
    """Rules that nothing notices, with their sentences; public ones first."""
    by_id = {rule.id: rule for rule in rules.rules}
    found = [
        (row, by_id[row.rule].sentence)
        for row in matrix.rows
        if row.rule in by_id and row.fate in ("survived", "uncovered") and not row.waived
    ]
    found.sort(key=lambda pair: (not by_id[pair[0].rule].public, pair[0].file, pair[0].line))
    return found[:SURVIVORS]


def _read(kind: type[Found], task: Task, name: str) -> Found | None:
    path = task.validation / name
    return kind.read(path) if path.is_file() else None


def colour(share: float) -> str:
    """From dark red (nothing notices) over sand to deep green (all notice)."""
    if share < 0:
        return "var(--none)"
    return f"hsl({8 + 142 * share:.0f} {55 - 8 * share:.0f}% {52 - 14 * share:.0f}%)"


@cache
def _template() -> Template:
    pages = Environment(
        loader=PackageLoader("benchwright.validation", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    pages.filters |= {"printable": printable, "colour": colour, "marked": marked}
    return pages.get_template("card.html.j2")
