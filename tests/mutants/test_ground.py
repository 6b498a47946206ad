"""A suite, measured on the reference in real boxes."""

from pathlib import Path

from benchwright.languages import Measured, get
from benchwright.mutants import Ground
from benchwright.sandbox import choose
from judge import shapes
from mutants.conftest import Make

PRODUCT = """
def near(x):
    return x + 1


def far(x):
    return x * 1000
"""

NEAR = """
import shapes


def test_near():
    assert shapes.near(1) == 2


def test_again():
    assert shapes.near(2) == 3
"""

FAR = """
import shapes


def test_far():
    assert shapes.far(1) == 1000
"""


def test_a_suite_measured_in_parts_is_the_suite_measured_whole(make: Make, tmp_path: Path) -> None:
    task = make(PRODUCT, NEAR).task
    (task.hidden / "tests" / "test_zfar.py").write_text(FAR)
    ground = Ground.prepare(
        task, get("python"), shapes.environment(), choose(), tmp_path / "again", lambda _: None
    )

    parts = [ground.measure_part(number, 2) for number in range(2)]
    joined, whole = Measured.joined(parts), ground.measure_part(0, 1)

    assert [len(part.tests) for part in parts] == [2, 1]
    assert joined.lines == whole.lines
    assert {name: test.outcome for name, test in joined.tests.items()} == {
        "tests/test_shapes.py::test_near": "passed",
        "tests/test_shapes.py::test_again": "passed",
        "tests/test_zfar.py::test_far": "passed",
    }
    assert joined.complete
