"""What `check` runs: the workspace as it is, frozen, in the judge's own boxes, once.

The answers are counts, except for tests that are in the workspace anyway. A count can be forged by
the code that is checked; it is the agent's own loss, and no part of any score.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchwright.environments import build
from benchwright.formats import Gate, InfraError, printable
from benchwright.judge import Rig, SuiteResult, assemble, run_suite
from benchwright.judge.gates import run_gates
from benchwright.sandbox import Sandbox, freeze
from benchwright.tasks import Task

from .services import CheckKind, DeclinedError

LINTERS = ("ruff",)
SHOWN = 20
"""Failing visible tests that are named."""


@dataclass(frozen=True, slots=True)
class Checks:
    """The checks of one trial's workspace. Call it with a kind."""

    task: Task
    workspace: Path
    sandbox: Sandbox

    def __call__(self, kind: CheckKind) -> str:
        """The answer, for the agent.

        Raises:
            DeclinedError: the workspace can't be checked as it is, or the machine failed.
        """
        with tempfile.TemporaryDirectory(prefix="benchwright-") as folder:
            try:
                return self._check(kind, Path(folder))
            except InfraError:
                raise DeclinedError("the check couldn't be run; try again") from None

    def _check(self, kind: CheckKind, work: Path) -> str:
        frozen = work / "frozen"
        snapshot = freeze(self.workspace, frozen)
        if snapshot.unusable or not snapshot.entries:
            raise DeclinedError(snapshot.unusable or "the workspace is empty")
        if kind == "visible":
            return visible(self._run(frozen))
        assemble(self.task, frozen, work / "tree")
        if kind == "hidden-count":
            return self._hidden(self._run(work / "tree"))
        return self._gates(kind, work / "tree")

    def _run(self, tree: Path) -> SuiteResult:
        environment = build(self.task.recipe, self.task.lock)
        return run_suite(tree, Rig.of(self.task, environment, self.sandbox))

    def _hidden(self, result: SuiteResult) -> str:
        counted = self.task.manifest.counted
        passed = sum(result.outcome(test.id, test.file).outcome == "passed" for test in counted)
        return f"hidden tests: {passed} of {len(counted)} pass\n"

    def _gates(self, kind: CheckKind, tree: Path) -> str:
        def of_kind(gate: Gate) -> bool:
            return (gate.tool in LINTERS) == (kind == "lint")

        wanted = tuple(gate for gate in self.task.settings.gates if of_kind(gate))
        settings = self.task.settings.model_copy(update={"gates": wanted})
        config = self.task.config.model_copy(update={"benchwright": settings})
        environment = build(self.task.recipe, self.task.lock)
        results = run_gates(
            Task(self.task.root, config), tree, self.sandbox, environment, lambda _: None
        )
        lines = [f"{r.tool}: {'passed' if r.passed else f'{r.problems} problems'}" for r in results]
        return "\n".join(lines or [f"{kind}: this task has no such gate"]) + "\n"


def visible(result: SuiteResult) -> str:
    """What became of tests that the agent can read."""
    bad = [name for name, seen in result.tests.items() if seen.outcome in ("failed", "error")]
    passed = sum(seen.outcome == "passed" for seen in result.tests.values())
    lines = [f"visible tests: {passed} passed, {len(bad)} failed"]
    lines += [f"failed: {printable(name, 200)}" for name in bad[:SHOWN]]
    lines += [
        f"not collected: {printable(name, 200)}" for name in list(result.collect_errors)[:SHOWN]
    ]
    return "\n".join(lines) + "\n"
