"""What every gate works on: the task, what it runs on, and runs of its suite on any product."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchwright.environments import Environment
from benchwright.formats import ExpectedTest, Limits
from benchwright.judge import Rig, SuiteResult, Variation, assemble, run_suite
from benchwright.languages import Language
from benchwright.sandbox import Sandbox
from benchwright.tasks import Task, plant, walk

Progress = Callable[[str], None]
PLAIN = Variation()


@dataclass(slots=True)
class Bench:
    """One task being validated."""

    task: Task
    language: Language
    environment: Environment
    sandbox: Sandbox
    work: Path
    """Scratch."""
    say: Progress
    _trees: int = field(default=0)

    @property
    def counted(self) -> tuple[ExpectedTest, ...]:
        """The tests that make the score."""
        return self.task.manifest.counted

    def reference(self) -> dict[str, bytes]:
        """The product's files as upstream has them."""
        return {name: p.read_bytes() for name, p in walk(self.task.solution) if p.is_file()}

    def tree(self, product: Path | None) -> Path:
        """A new judged tree with this product."""
        self._trees += 1
        dest = self.work / f"tree-{self._trees}"
        assemble(self.task, product, dest)
        return dest

    def product(self, files: Mapping[str, bytes]) -> Path:
        """A product's tree of these files."""
        self._trees += 1
        dest = self.work / f"product-{self._trees}"
        dest.mkdir()
        plant(files, dest)
        return dest

    def run(
        self, product: Path | None, variation: Variation = PLAIN, limits: Limits | None = None
    ) -> SuiteResult:
        """Run the suite once on a product, within the task's limits or others."""
        tree = self.tree(product)
        try:
            return self.run_tree(tree, variation, limits)
        finally:
            shutil.rmtree(tree, ignore_errors=True)

    def run_tree(
        self, tree: Path, variation: Variation = PLAIN, limits: Limits | None = None
    ) -> SuiteResult:
        """Run the suite once on a judged tree."""
        rig = Rig.of(self.task, self.environment, self.sandbox)
        return run_suite(
            tree,
            rig if limits is None else rig.within(limits),
            variation=variation,
            skip=self.task.manifest.idle,
            tests=tuple(sorted({test.file for test in self.task.manifest.tests})),
        )

    def outcomes(self, result: SuiteResult) -> dict[str, str]:
        """What became of each counted test."""
        return {t.id: str(result.outcome(t.id, t.file).outcome) for t in self.counted}

    def passed(self, result: SuiteResult) -> tuple[str, ...]:
        """The counted tests that passed."""
        return tuple(t for t, outcome in self.outcomes(result).items() if outcome == "passed")
