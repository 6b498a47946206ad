"""What mutants stand on: the reference in a judged tree, and what its suite takes and touches."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchwright.environments import Environment
from benchwright.formats import RuleSet, TaskError
from benchwright.judge import assemble
from benchwright.languages import Language, Measured, SuiteRun
from benchwright.sandbox import Caps, Completed, Mount, Sandbox, Spec
from benchwright.tasks import Task, digest, walk

from .together import together

PART = 50
"""Tests that are worth a box of their own when a suite is measured."""

Progress = Callable[[str], None]


@dataclass(slots=True)
class Ground:
    """One task, ready for wrong implementations."""

    task: Task
    language: Language
    environment: Environment
    sandbox: Sandbox
    tree: Path
    """A judged tree with the reference."""
    say: Progress

    @classmethod
    def prepare(
        cls,
        task: Task,
        language: Language,
        environment: Environment,
        sandbox: Sandbox,
        work: Path,
        say: Progress,
    ) -> Ground:
        """Lay the judged tree with the reference into the new folder `work`."""
        assemble(task, task.solution, work)
        sandbox.give(work)
        return cls(task, language, environment, sandbox, work, say)

    @property
    def files(self) -> dict[str, bytes]:
        """The reference's files."""
        sealed = {name for name, _ in walk(self.task.hidden)}
        found = {n: p.read_bytes() for n, p in walk(self.task.solution) if p.is_file()}
        return {name: data for name, data in found.items() if name not in sealed}

    def rules(self) -> RuleSet:
        """The rules of the reference."""
        found, notes = self.language.rules(self.files, self.task.settings.product)
        return RuleSet(reference=digest(self.task.solution), rules=found, notes=notes)

    def measure(self) -> Measured:
        """Time the suite and see which lines each test runs.

        Raises:
            TaskError: it can't be measured.
        """
        self.say("matrix: measuring the suite on the reference")
        parts = min(os.cpu_count() or 1, 1 + len(self.task.manifest.counted) // PART)
        found = dict(together(partial(self.measure_part, parts=parts), range(parts), parts))
        return Measured.joined([found[number] for number in range(parts)])

    def measure_part(self, number: int, parts: int) -> Measured:
        """One of some parts of the suite, measured."""
        settings = self.task.settings
        run = self.language.measure(
            settings.runner,
            settings.product,
            sorted(self.files),
            part=(number, parts),
            metadata=self.task.metadata is not None,
        )
        done = self.run(run, 10 * settings.limits.suite_seconds)
        measured = self.language.read_measure(done.events)
        if not measured.complete:
            said = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
            raise TaskError(
                f"{self.task.root}: the suite can't be measured on the reference: {said}"
            )
        return measured

    def run(self, suite: SuiteRun, seconds: float) -> Completed:
        """Run a box on the tree."""
        limits = self.task.settings.limits
        mounts = [*self.environment.mounts, Mount("/work", "overlay", self.tree), *suite.mounts]
        if self.task.metadata is not None:
            mounts.append(Mount("/meta", "ro", self.task.metadata))
        caps = Caps(
            wall_seconds=seconds,
            memory=2 * limits.memory,
            processes=limits.processes,
            scratch=limits.disk,
            output=256 << 20,
        )
        env = {**self.environment.env, "PYTHONHASHSEED": "0", **suite.env}
        spec = Spec(suite.command, tuple(mounts), env, suite.cwd, caps, events=True)
        return self.sandbox.run(spec)
