"""`validation/evidence.json`: the record that a task is sound, bound by digests to its content."""

from __future__ import annotations

from typing import Literal

from .base import Document, Record

GateStatus = Literal["passed", "failed", "not run"]
Gravity = Literal["grave", "serious", "minor", "note"]


class GateFinding(Record):
    """One thing a gate found out, and what to do about it."""

    code: str
    """Stable name, such as `vacuous-test`."""
    gravity: Gravity
    message: str
    """What is wrong, in plain words."""
    advice: str = ""
    """What to do."""
    ids: tuple[str, ...] = ()
    """Tests, rules or files it is about."""


class GateEvidence(Record):
    """What one gate did and saw."""

    name: str
    status: GateStatus
    summary: str
    """One line for people."""
    findings: tuple[GateFinding, ...] = ()
    facts: dict[str, str | int | float | bool] = {}
    seconds: float = 0.0


class Repair(Record):
    """A change that `--fix` made to the task."""

    file: str
    what: str
    ids: tuple[str, ...] = ()


class Evidence(Document):
    """The result of `benchwright validate`."""

    format: Literal["benchwright.evidence/1"] = "benchwright.evidence/1"
    task: str
    version: str
    """Of Benchwright."""
    task_digest: str
    environment_digest: str
    files: dict[str, str]
    """sha256 of every file of the task, so that a later change can be named."""
    attachments: dict[str, str] = {}
    """sha256 of the other files in `validation/` that this speaks of."""
    sandbox: str = ""
    gates: tuple[GateEvidence, ...]
    repairs: tuple[Repair, ...] = ()
    seconds: float = 0.0

    @property
    def valid(self) -> bool:
        """Whether nothing that ran has failed, and the two gates no task can do without ran."""
        status = {gate.name: gate.status for gate in self.gates}
        needed = all(status.get(name) == "passed" for name in ("reference", "start", "sealed"))
        return needed and "failed" not in status.values()
