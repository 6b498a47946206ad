import json

from benchwright.formats import Product, Runner
from benchwright.languages.python.suite import ini, suite


def test_the_configuration_is_what_the_task_says_and_no_more() -> None:
    runner = Runner(
        paths=("tests", "tests/slow.py"),
        plugins=("pytest_mock",),
        options=("--doctest-modules",),
        env={"LANG": "C"},
    )  # fmt: skip

    run = suite(runner, Product(paths=("pkg",)), ("b", "a"), skip_files=("tests/slow.py",))

    told = {mount.target: mount.content for mount in run.mounts}
    assert set(told) == {
        "/judge/run.json",
        "/judge/pytest.ini",
        "/judge/launch.py",
        "/judge/judge_stream.py",
        "/judge/judge_events.py",
        "/judge/judge_django.py",
    }
    assert json.loads(told["/judge/run.json"]) == {
        "runner": "pytest", "tree": "/work", "roots": ["."], "metadata": "", "paths": ["tests"],
        "plugins": ["pytest_mock"], "options": ["--doctest-modules"], "skip": ["a", "b"],
        "skip_files": ["tests/slow.py"], "seed": None, "tests": ["tests", "tests/slow.py"],
        "product": ["pkg"], "own": False,
    }  # fmt: skip
    assert run.env["LANG"] == "C"
    assert run.cwd == "/work"


def test_ini_values_of_every_kind() -> None:
    runner = Runner(
        ini={
            "xfail_strict": True,
            "pythonpath": "src lib",
            "filterwarnings": ["error", "ignore::X"],
        }
    )

    assert ini(runner) == (
        "[pytest]\n"
        "xfail_strict = true\n"
        "pythonpath =\n    /work/src\n    /work/lib\n"
        "filterwarnings =\n    error\n    ignore::X\n"
    )
