"""The judge looks again at a share of the kill matrix."""

from dataclasses import replace
from pathlib import Path

from benchwright.mutants import agree, kill_matrix
from benchwright.sandbox import Completed, Spec
from mutants.conftest import Make

PRODUCT = """
def near(x):
    return x + 1
"""

TESTS = """
import shapes


def test_near():
    assert shapes.near(1) == 2
"""


class NoBox:
    """A sandbox that starts nothing."""

    def run(self, spec: Spec) -> Completed:
        raise AssertionError(f"a box was started: {spec.command}")


def test_what_the_judge_sees_otherwise_is_named_and_what_it_saw_is_kept(
    make: Make, tmp_path: Path
) -> None:
    ground = make(PRODUCT, TESTS)
    _, matrix = kill_matrix(ground, tmp_path / "kept")
    product = ground.task.settings.product
    mutants = {m.id: m for m in ground.language.wrong(ground.files, product, (), {}).mutants}
    rows = [r.model_copy(update={"kills": ""}) for r in matrix.rows if r.id in mutants]
    forged = matrix.model_copy(update={"rows": tuple(rows)})

    seen = agree(ground, forged, mutants, tmp_path / "again", "seed")
    again = agree(
        replace(ground, sandbox=NoBox()), forged, mutants, tmp_path / "again", "seed"  # type: ignore[arg-type]
    )  # fmt: skip

    assert (seen.cells, seen.agreed) == (1, 0)
    assert [line.rpartition(": ")[2] for line in seen.disagreements] == [
        "fast says passed, judge says failed"
    ]
    assert again == seen
