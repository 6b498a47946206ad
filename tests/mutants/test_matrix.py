"""Wrong implementations in real boxes: who notices what, whatever the mutant does."""

from pathlib import Path

import pytest

from benchwright.formats import KillMatrix, TaskError, positions
from benchwright.mutants import Ground, kill_matrix
from judge import shapes
from mutants.conftest import Make, ran

HIDDEN = shapes.HIDDEN[: shapes.HIDDEN.index("@pytest.mark")]

PRODUCT = """\
import functools

LIMIT = 3


def twice(wrapped):
    @functools.wraps(wrapped)
    def inner(*args):
        return wrapped(*args) * 2
    return inner


class Box:
    def __init__(self, size=2):
        self.size = size

    @property
    def area(self):
        return self.size * self.size

    def grow(self, by):
        while by > 0:
            self.size += 1
            by -= 1
        return self


@twice
def doubled(x):
    return x + 1


def capped(x):
    return min(x, LIMIT)


def unused():
    return 1
"""
TESTS = """\
import subprocess
import sys

import shapes


def test_area():
    assert shapes.Box(3).area == 9


def test_default():
    assert shapes.Box().size == 2


def test_grow():
    assert shapes.Box(1).grow(2).size == 3


def test_doubled():
    assert shapes.doubled(2) == 6


def test_capped():
    assert shapes.capped(5) == 3


def test_elsewhere():
    code = "import shapes; print(shapes.capped(9))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).stdout == b"3\\n"
"""


def test_each_way_of_putting_a_mutant_in_finds_the_same_as_the_judge_would(
    make: Make, tmp_path: Path
) -> None:
    found = ran(
        make(PRODUCT, TESTS),
        tmp_path,
        {
            "self.size * self.size": "self.size + self.size",  # a property
            "size=2": "size=5",  # a default
            "wrapped(*args) * 2": "wrapped(*args) * 3",  # a closure made at import
            "x + 1": "x + 2",  # a decorated function
            "LIMIT = 3": "LIMIT = 4",  # the module's own level
            "min(x, LIMIT)": "max(x, LIMIT)",  # seen by another process, too
        },
    )

    assert {name: failed for name, (_, failed) in found.items()} == {
        "self.size + self.size": {"area"},
        "size=5": {"default"},
        "wrapped(*args) * 3": {"doubled"},
        "x + 2": {"doubled"},
        "LIMIT = 4": {"capped", "elsewhere"},
        "max(x, LIMIT)": {"capped", "elsewhere"},
    }


def test_whatever_a_mutant_does_costs_only_its_tests(make: Make, tmp_path: Path) -> None:
    tests = "tests/test_shapes.py"
    found = ran(
        make(PRODUCT, TESTS),
        tmp_path,
        {
            "by -= 1": "by += 1",
            "self.size * self.size": "__import__('os')._exit(0)",
            "x + 1": "[x.__class__(0) for _ in iter(int, 1)]",
            "self.size = size": "self.size = [__import__('os').fork() for _ in range(3)] and size",
            "min(x, LIMIT)": f"__import__('os').unlink('/work/{tests}') or min(x, LIMIT)",
            "return self\n": "return bytearray(1 << 40)\n",
            "LIMIT = 3": "LIMIT = nowhere",
            "return wrapped(*args) * 2": "print('x' * 5_000_000); return wrapped(*args) * 2",
        },
    )

    grow, area = found["by += 1"], found["__import__('os')._exit(0)"]
    assert (grow[1], grow[0].timeouts) == ({"grow"}, 1)
    assert (area[1], area[0].crashes) == ({"area"}, 1)
    assert found["[x.__class__(0) for _ in iter(int, 1)]"][1] == {"doubled"}
    assert found["return bytearray(1 << 40)\n"][1] == {"grow"}
    assert found["LIMIT = nowhere"][0].broken == "import"
    assert found["print('x' * 5_000_000); return wrapped(*args) * 2"][1] == set()
    assert found[f"__import__('os').unlink('/work/{tests}') or min(x, LIMIT)"][1] <= {"elsewhere"}


REMEMBERS = """
from functools import lru_cache


@lru_cache
def slow(x):
    return x + 1
"""
KEEPS = """
KEPT = {}


def slow(x):
    if x not in KEPT:
        KEPT[x] = made(x)
    return KEPT[x]


def made(x):
    return x + 1
"""
ASKED_TWICE = """
from shapes import slow


def test_one():
    assert slow(1) == 2


def test_other():
    assert slow(1) < 3
"""


@pytest.mark.parametrize("product", [REMEMBERS, KEEPS])
def test_what_one_test_makes_the_product_remember_is_run_by_the_others_too(
    product: str, make: Make, tmp_path: Path
) -> None:
    found = ran(make(product, ASKED_TWICE), tmp_path, {"x + 1": "x + 2"})

    assert found["x + 2"][1] == {"one", "other"}


def test_a_stopped_run_goes_on_where_it_was(make: Make, tmp_path: Path) -> None:
    ground = make(PRODUCT, TESTS)
    first = ran(ground, tmp_path, {"x + 1": "x + 2"})
    kept = list((tmp_path / "kept").iterdir())
    kept[0].write_text(kept[0].read_text().replace("[", "[", 1))
    (ground.tree / "shapes.py").write_text("raise SystemError\n")

    runner_again = ran(make_again(ground), tmp_path, {"x + 1": "x + 2"})

    assert len(kept) == 1
    assert runner_again == first


def make_again(ground: Ground) -> Ground:
    """The same ground, its tree as it was."""
    (ground.tree / "shapes.py").write_text(PRODUCT)
    return ground


def test_the_matrix_is_complete_and_the_judge_agrees(make: Make, tmp_path: Path) -> None:
    rules, matrix = kill_matrix(make(shapes.REFERENCE, HIDDEN), tmp_path / "kept")

    agreement = matrix.agreement
    assert agreement is not None
    assert agreement.agreed == agreement.cells
    assert agreement.share >= 0.05
    assert {row.rule for row in matrix.rows if row.sort == "omission"} <= {
        r.id for r in rules.rules
    }
    guard = next(row for row in matrix.rows if row.operator == "guard")
    assert {matrix.tests[n] for n in positions(guard.kills)} == {
        f"{shapes.FILE}::test_negative_area"
    }
    assert KillMatrix.model_validate_json(matrix.model_dump_json()) == matrix


LOOSE = """\
import datetime
import random


class Pot:
    def __init__(self):
        self.held = []

    def put(self, thing):
        self.held = self.held + [thing]
        return len(self.held) > 0


def near(x):
    try:
        return abs(x) + 0
    except TypeError:
        raise ValueError("no number") from None


def given(items):
    items.append(1)
    return True


def stepped(n):
    for i in range(n):
        yield i * 1


def tossed(n):
    return random.random() < n + 2


def dated(n):
    return datetime.date(2000, 1, n + 1)
"""
LAX = """\
import pytest
import shapes


def test_pot():
    assert shapes.Pot().put("x")


def test_near():
    assert shapes.near(-2)
    with pytest.raises(ValueError):
        shapes.near("x")


def test_given():
    assert shapes.given([])


def test_stepped():
    assert list(shapes.stepped(3))


def test_tossed():
    assert shapes.tossed(1)


def test_dated():
    assert shapes.dated(1)
"""


def test_survivors_are_told_by_whether_they_change_anything(make: Make, tmp_path: Path) -> None:
    found = ran(
        make(LOOSE, LAX),
        tmp_path,
        {
            "len(self.held) > 0": "len(self.held) >= 1",  # the same
            "self.held + [thing]": "self.held + [thing, thing]",  # only the object shows it
            "abs(x) + 0": "abs(x) - 0",  # the same, also where it raises
            '"no number"': '"not a number"',  # only the error shows it
            "items.append(1)": "items.append(2)",  # only the argument shows it
            "i * 1": "i * 2",  # only what is yielded shows it
            "n + 2": "n + 3",  # the same
            "n + 1": "n + 4",  # only what can't be looked at shows it
        },
    )

    assert {name: result.differs for name, (result, failed) in found.items() if not failed} == {
        "len(self.held) >= 1": False,
        "self.held + [thing, thing]": True,
        "abs(x) - 0": False,
        '"not a number"': True,
        "items.append(2)": True,
        "i * 2": True,
        "n + 3": False,
        "n + 4": None,
    }


def test_waivers_need_a_reason(make: Make, tmp_path: Path) -> None:
    ground = make(PRODUCT, TESTS)
    ground.task.validation.mkdir(exist_ok=True)
    (ground.task.validation / "waivers.toml").write_text('[equivalent]\n"x" = ""\n')

    with pytest.raises(TaskError, match="reason"):
        kill_matrix(ground, tmp_path / "kept", limit=0)


def test_a_suite_that_fails_on_the_reference_is_refused(make: Make, tmp_path: Path) -> None:
    ground = make("x = 1\n", "def test_it():\n    assert False\n")

    with pytest.raises(TaskError, match="no counted test passes"):
        kill_matrix(ground, tmp_path / "kept")
