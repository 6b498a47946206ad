"""A tiny task with controls written by hand, and submissions for it, honest and otherwise."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from benchwright.environments import Environment, build, lock
from benchwright.formats import (
    Control,
    ControlSet,
    Edit,
    ExpectedTest,
    Failure,
    Gate,
    Group,
    Kind,
    Limits,
    Lock,
    Manifest,
    Product,
    Recipe,
    Runner,
    Settings,
    SourcePin,
    TaskConfig,
    Verdict,
    edit,
)
from benchwright.tasks import Task, save_config, save_recipe

Judge = Callable[..., Verdict]
"""Judges a text of this module."""
RECIPE = Recipe(language="python", version="3.11", requires=("pytest==8.4.2",))
FILE = "tests/test_shapes.py"
REFERENCE = """\
def area(width, height):
    if width < 0:
        raise ValueError("negative width")
    return width * height


def perimeter(width, height):
    return 2 * (width + height)


def scale(sides, factor):
    return [side * factor for side in sides]


def name(sides):
    return {3: "triangle", 4: "quadrilateral", 5: "pentagon"}[sides]
"""
STUBS = REFERENCE.replace("return ", "raise NotImplementedError\n    return ")
HIDDEN = """\
import pytest

from shapes import area, name, perimeter, scale


def test_area():
    assert area(2, 3) == 6


def test_area_of_nothing():
    assert area(0, 7) == 0


def test_negative_area():
    with pytest.raises(ValueError):
        area(-1, 2)


def test_perimeter():
    assert perimeter(2, 3) == 10


def test_long_perimeter():
    first = perimeter(10, 1)
    assert first == 22
    assert perimeter(20, 1) == 42


@pytest.mark.parametrize(("factor", "result"), [(1, [1, 2]), (2, [2, 4]), (3, [3, 6])])
def test_scale(factor, result):
    assert scale([1, 2], factor) == result


def test_triangle():
    assert name(3) == "triangle"


def test_pentagon():
    assert name(5) == "pentagon"


def test_names_are_text():
    name(4)
"""
IDS = {
    "test_area": ("area(2, 3) == 6", ("5", "7", "8", "4", "9", "12")),
    "test_area_of_nothing": ("area(0, 7) == 0", ("7", "1")),
    "test_perimeter": ("perimeter(2, 3) == 10", ("12", "8", "9")),
    "test_triangle": ('name(3) == "triangle"', ('"pentagon"', '"quadrilateral"')),
    "test_pentagon": ('name(5) == "pentagon"', ('"triangle"', '"hexagon"')),
}
"""Per test, its check and other values to expect."""
ROWS = {
    "[1, 2]": ("[2, 2]", "[1, 3]"),
    "[2, 4]": ("[2, 5]", "[4, 2]"),
    "[3, 6]": ("[6, 3]", "[3, 5]"),
}
SCALES = tuple(f"test_scale[{n + 1}-result{n}]" for n in range(3))
TESTS = (
    "test_area", "test_area_of_nothing", "test_negative_area", "test_perimeter",
    "test_long_perimeter", *SCALES, "test_triangle", "test_pentagon", "test_names_are_text",
)  # fmt: skip


def controls() -> ControlSet:
    """Controls of everything but `test_names_are_text`."""
    found = []
    for test, (check, values) in IDS.items():
        left = check.partition(" == ")[0]
        found += [swap(f"assert {check}", f"assert {left} == {v}", test) for v in values]
    long = "test_long_perimeter"
    found += [swap("first == 22", f"first == {v}", long) for v in ("24", "20", "42")]
    old = "perimeter(20, 1) == 42"
    found += [swap(old, f"perimeter(20, 1) == {v}", long) for v in ("44", "40", "22")]
    for row, (old, values) in enumerate(ROWS.items()):
        factor = row + 1
        check = "scale([1, 2], factor) == result"
        for value in values:
            test = f"test_scale[{factor}-result{row}]"
            found.append(swap(f"({factor}, {old})", f"({factor}, {value})", test, check))
    raises = "with pytest.raises(ValueError)"
    for value in ("(1, 2)", "(0, 2)"):
        new = f"area{value}"
        one = swap("area(-1, 2)", new, "test_negative_area", raises, "Failed")
        found.append(one.model_copy(update={"exclusive": False}))  # an error may always be raised
    return ControlSet(
        normalise=(edit_of("(3, [3, 6])])", "(3, [3, 6])], ids=['0', '1', '2'])", tail=1),),
        aliases={f"{FILE}::test_scale[{n}]": f"{FILE}::{row}" for n, row in enumerate(SCALES)},
        controls=tuple(found),
    )


def edit_of(old: str, new: str, tail: int = 0) -> Edit:
    """The edit of the one occurrence of `old`; with `tail`, only what stands before its end."""
    source = HIDDEN.encode()
    assert HIDDEN.count(old) == 1, old
    end = HIDDEN.index(old) + len(old)
    if tail:
        return edit(FILE, source, end - tail, end, new[len(old) - tail :])
    return edit(FILE, source, end - len(old), end, new)


def swap(
    old: str, new: str, tests: str, check: str = "", exception: str = "AssertionError"
) -> Control:
    """A strong, exclusive, unavoidable control of the one check that `old` (or `check`) is in.

    `tests` are the names that fail, separated by spaces.
    """
    line = HIDDEN[: HIDDEN.index(check or old)].count("\n") + 1
    ids = tuple(f"{FILE}::{test}" for test in tests.split())
    failure = Failure(exception=exception, file=FILE, line=line)
    return Control(
        id=f"{tests}:{old}:{new}",
        operator="by-hand",
        check=f"{FILE}:{line}:4",
        edits=(edit_of(old, new),),
        ids=ids,
        strength="strong",
        exclusive=True,
        unavoidable=True,
        failures=dict.fromkeys(ids, failure),
    )


@cache
def locked() -> Lock:
    """What `RECIPE` comes to today."""
    return lock(RECIPE)


def environment() -> Environment:
    """Python 3.11 with pytest."""
    return build(RECIPE, locked())


def write_task(
    root: Path,
    kind: Kind = "completion",
    *,
    guarded: bool = True,
    gates: tuple[Gate, ...] = (),
    fail_to_pass: tuple[str, ...] = (),
    disk: int = 1 << 30,
) -> Task:
    """The task, whose product is one module, `shapes`."""
    for name, text in {
        "instruction.md": "Write `shapes`.\n",
        f"tests/files/{FILE}": HIDDEN,
        "tests/scaffold/README.md": "Shapes.\n",
        "solution/files/shapes.py": REFERENCE,
        "environment/workspace/shapes.py": STUBS,
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    save_recipe(root, RECIPE, locked())
    settings = Settings(
        kind=kind,
        language="python",
        source=SourcePin(spec="path:shapes"),
        product=Product(paths=("shapes.py",), modules=("shapes",)),
        runner=Runner(paths=("tests",)),
        limits=Limits(test_seconds=2.0, disk=disk),
        gates=gates,
    )
    save_config(root, TaskConfig(task={"name": "tests/shapes"}, benchwright=settings))

    def group(name: str) -> Group:
        if kind != "resolution":
            return "test"
        return "fail_to_pass" if name in fail_to_pass else "pass_to_pass"

    tests = (ExpectedTest(id=f"{FILE}::{name}", file=FILE, group=group(name)) for name in TESTS)
    Manifest(tests=tuple(tests)).write(root / "tests" / "manifest.json")
    if guarded:
        controls().write(root / "validation" / "controls.json")
    return Task.load(root)


def submission(root: Path, text: str = REFERENCE, **others: str) -> Path:
    """A workspace with this `shapes.py`, and other files."""
    root.mkdir(parents=True)
    (root / "shapes.py").write_text(text)
    for name, content in others.items():
        (root / name).write_text(content)
    return root
