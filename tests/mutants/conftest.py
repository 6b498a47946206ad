from collections.abc import Callable
from pathlib import Path

import pytest

from benchwright.formats import ExpectedTest, Manifest, Mutant, edit
from benchwright.languages import Ran, get
from benchwright.mutants import Ground, Runner
from benchwright.sandbox import choose
from benchwright.tasks import Task
from judge import shapes

Make = Callable[[str, str], Ground]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Ground of a task whose product and test file are given as texts."""

    def ground(product: str, tests: str) -> Ground:
        task = shapes.write_task(tmp_path / "task", guarded=False)
        (task.solution / "shapes.py").write_text(product)
        (task.solution / "README.md").write_text("It's not a program.\n")
        (task.hidden / shapes.FILE).write_text(tests)
        names = [
            line[4:].partition("(")[0] for line in tests.splitlines() if line[:9] == "def test_"
        ]
        found = tuple(ExpectedTest(id=f"{shapes.FILE}::{n}", file=shapes.FILE) for n in names)
        Manifest(tests=found).write(task.manifest_path)
        return Ground.prepare(
            Task.load(task.root), get("python"), shapes.environment(), choose(),
            tmp_path / "ground", lambda _: None,
        )  # fmt: skip

    return ground


def ran(ground: Ground, tmp_path: Path, changes: dict[str, str]) -> dict[str, tuple[Ran, set[str]]]:
    """What the tests said of the product with each text replaced by another."""
    source = ground.files["shapes.py"]
    mutants = []
    for old, new in changes.items():
        start = source.index(old.encode())
        line = source.count(b"\n", 0, start) + 1
        mutants.append(
            Mutant(
                id=new, sort="mutant", operator="by-hand", file="shapes.py", line=line,
                end_line=line, subject="shapes", change=new,
                edits=(edit("shapes.py", source, start, start + len(old.encode()), new),),
            )
        )  # fmt: skip
    measured = ground.measure()
    tests = tuple(test.id for test in ground.task.manifest.counted)
    runner = Runner(ground, measured, tests, mutants, tmp_path / "kept")
    found = runner.compare(runner.run(workers=1), workers=1)
    short = [test.rpartition("::test_")[2] for test in tests]
    return {m.id: (found[n], {short[t] for t in found[n].failed}) for n, m in enumerate(mutants)}
