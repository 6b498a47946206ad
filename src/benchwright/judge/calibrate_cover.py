"""What the controls of a task guard, check by check, and why the rest stays open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchwright.formats import Control, ControlSet, Coverage
from benchwright.languages import Candidates, Checked

from .calibrate_try import Trial

NEGATED = "it can only be negated, which can be read from it"
TOLD = "whoever reads the test can tell which of its versions is the right one"
BLIND = "its controls fail whatever the product gives, or not in every mix"
BESIDE = "its stronger candidates failed beside every check, or not at all"
QUIET = "it only shows that nothing is raised, and no other input was found that raises"


def cover(found: Candidates, trial: Trial, controls: ControlSet) -> tuple[Coverage, ...]:
    """The coverage of every check."""
    by_check: dict[str, list[Control]] = {}
    for control in controls.controls:
        by_check.setdefault(control.check, []).append(control)
    hopeful = {control.check for control in found.controls if control.strength == "strong"}
    counted = {t.id for t in trial.stage.tests}
    rows = []
    for check in found.checks:
        if counted.isdisjoint(check.ids):
            continue
        have = by_check.get(check.name, [])
        strong = any(c.strength == "strong" for c in have)
        rows.append(
            Coverage(
                check=check.name,
                strength="strong" if strong else "weak" if have else "none",
                tried=trial.tried[check.name],
                reason="" if strong else reason(check, trial, check.name in hopeful),
            )
        )
    return tuple(rows)


def recover(rows: Iterable[Coverage], controls: ControlSet) -> tuple[Coverage, ...]:
    """The coverage of the same checks by a smaller set of controls."""
    left: dict[str, set[str]] = {}
    for control in controls.controls:
        left.setdefault(control.check, set()).add(control.strength)
    found = []
    for row in rows:
        have = left.get(row.check, set())
        strength = "strong" if "strong" in have else "weak" if have else "none"
        if strength != row.strength:
            lost = {"strength": strength, "reason": "its controls didn't hold in every mix"}
            row = row.model_copy(update=lost)
        found.append(row)
    return tuple(found)


def reason(check: Checked, trial: Trial, hopeful: bool) -> str:
    """Why no strong control guards a check; `hopeful` where it had strong candidates."""
    name, proven = check.name, trial.proven[check.name]
    if check.kind == "quiet":
        return QUIET
    if proven and all(control.operator == "negate" for control in proven):
        return NEGATED
    if proven and any(control.strength == "strong" for control in proven):
        return BLIND
    if proven:
        return BESIDE if hopeful else TOLD
    tried, held = trial.tried[name], trial.held[name]
    if not tried:
        return "nothing in it can be replaced by another value"
    if held == tried:
        return f"it holds with each of {tried} other values: it decides little"
    if trial.checks[name] and not held:
        return "the run budget was used up before its candidates were tried"
    return f"of {tried} candidates none failed alone, at the check, every time"


def figures(
    coverage: Sequence[Coverage], counted: Sequence[str], controls: ControlSet
) -> dict[str, float]:
    """Counts and shares."""
    strong = {t for c in controls.controls if c.strength == "strong" for t in c.ids}
    some = {t for c in controls.controls for t in c.ids}
    return {
        "checks": len(coverage),
        "checks_strong": share(c.strength == "strong" for c in coverage),
        "checks_any": share(c.strength != "none" for c in coverage),
        "ids": len(counted),
        "ids_strong": share(t in strong for t in counted),
        "ids_any": share(t in some for t in counted),
        "controls": len(controls.controls),
        "interferes": len(controls.interferes),
    }


def share(values: Iterable[bool]) -> float:
    """The share of true ones, 1 where there are none."""
    known = list(values)
    return round(sum(known) / len(known), 4) if known else 1.0
