from collections.abc import Callable
from pathlib import Path

import pytest

from benchwright.environments import Environment
from benchwright.formats import Limits, Product, Runner, SandboxError, Settings, SourcePin
from benchwright.judge import Rig, SuiteResult, Variation, run_suite
from benchwright.judge import suite as suites
from benchwright.languages import get
from benchwright.sandbox import Sandbox

Run = Callable[..., SuiteResult]
SHORT = Limits(test_seconds=1.5)
PLAIN = Variation()


@pytest.fixture
def run(tmp_path: Path, environment: Environment, sandbox: Sandbox) -> Run:
    """Run test files, given by name and text, as a suite."""

    def run(
        files: dict[str, str],
        limits: Limits = SHORT,
        variation: Variation = PLAIN,
        **more: object,
    ) -> SuiteResult:
        for name, text in files.items():
            (tmp_path / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "tree" / name).write_text(text)
        settings = Settings(
            kind="completion",
            language="python",
            source=SourcePin(spec="path:x"),
            product=Product(paths=("pkg",)),
            runner=Runner(paths=("tests",)),
            limits=limits,
        )
        return run_suite(
            tmp_path / "tree",
            Rig(get("python"), settings, environment, sandbox),
            variation=variation,
            **more,
        )

    return run


def outcomes(result: SuiteResult) -> dict[str, str]:
    return {name.partition("::")[2]: seen.outcome for name, seen in result.tests.items()}


CRASHES = """\
import ctypes, os, sys, time
import pytest

def test_first(): pass
def test_exit(): os._exit(0)
def test_after_exit(): pass
def test_sys_exit(): sys.exit(0)
def test_interrupt(): raise KeyboardInterrupt
def test_fault(): ctypes.string_at(0)
def test_hang(): time.sleep(60)
def test_stop(): pytest.exit("enough")
def test_last(): assert sys.argv[0] == "pytest"
"""


def test_what_ends_a_box_costs_one_id(run: Run) -> None:
    result = run({"tests/test_a.py": CRASHES})

    assert outcomes(result) == {
        "test_first": "passed",
        "test_exit": "crash",
        "test_after_exit": "passed",
        "test_sys_exit": "failed",
        "test_interrupt": "error",
        "test_fault": "crash",
        "test_hang": "timeout",
        "test_stop": "error",
        "test_last": "passed",
    }
    assert result.tests["tests/test_a.py::test_exit"].message == ("the process ended (exit code 0)")
    assert 1.5 <= result.tests["tests/test_a.py::test_hang"].seconds < 5
    assert len(result.order) == 9
    assert result.restarts == 5


def test_what_ends_a_box_at_collection_costs_one_file(run: Run) -> None:
    result = run(
        {
            "tests/test_a.py": "def test_a(): pass\n",
            "tests/test_b.py": "import os\nos._exit(3)\n",
            "tests/test_c.py": "def test_c(): pass\n",
        }
    )

    assert outcomes(result) == {"test_a": "passed", "test_c": "passed"}
    assert result.outcome("tests/test_b.py::test_b", "tests/test_b.py").outcome == "crash"
    assert result.outcome("tests/test_c.py::other", "tests/test_c.py").outcome == "missing"


def test_restarts_are_bounded(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suites, "RESTARTS", 2)
    text = "import os\n" + "".join(f"def test_{n}(): os._exit(0)\n" for n in range(5))

    result = run({"tests/test_a.py": text})

    assert outcomes(result) == {"test_0": "crash", "test_1": "crash", "test_2": "crash"}
    assert result.outcome("tests/test_a.py::test_4").outcome == "missing"
    assert result.notes == ("given up after 2 restarts",)


@pytest.mark.parametrize(("hanging", "outcome"), [(2, "passed"), (3, "timeout")])
def test_once_some_tests_hung_the_others_are_waited_for_less(
    run: Run, hanging: int, outcome: str
) -> None:
    naps = [60] * hanging + [1]
    text = "import time\n" + "".join(
        f"def test_{n}(): time.sleep({nap})\n" for n, nap in enumerate(naps)
    )

    result = run({"tests/test_a.py": text}, hurried=Limits(test_seconds=0.3))

    assert list(outcomes(result).values()) == ["timeout"] * hanging + [outcome]


def test_a_suite_that_takes_too_long_ends(run: Run) -> None:
    text = "import time\n" + "".join(f"def test_{n}(): time.sleep(2)\n" for n in range(9))

    result = run({"tests/test_a.py": text}, Limits(test_seconds=20), seconds=9.0)

    assert result.seconds < 16
    assert outcomes(result)["test_0"] == "passed"
    assert outcomes(result)["test_8"] == "timeout"


def test_a_file_that_is_collected_for_ever_costs_its_own_tests(run: Run) -> None:
    files = {
        "tests/test_a.py": "while True: pass\ndef test_a(): pass\n",
        "tests/test_b.py": "def test_b(): pass\n",
    }

    result = run(files, Limits(collect_seconds=3.0))

    assert outcomes(result) == {"test_b": "passed"}
    assert result.outcome("tests/test_a.py::test_a", "tests/test_a.py").outcome == "timeout"
    assert result.seconds < 30


def test_a_test_that_eats_memory_is_a_crash(run: Run) -> None:
    text = "def test_a():\n    x = [bytearray(1 << 20) for _ in range(4000)]\ndef test_b(): pass\n"

    result = run({"tests/test_a.py": text}, Limits(test_seconds=20, memory=200 << 20))

    assert outcomes(result)["test_b"] == "passed"
    assert outcomes(result)["test_a"] in ("crash", "failed")


def test_a_tree_is_writable_and_every_box_sees_it_new(run: Run, tmp_path: Path) -> None:
    text = """\
import os
from pathlib import Path

def test_write():
    Path("tests/test_a.py").write_text("")
    Path("left").write_text("x")
    os._exit(0)

def test_later():
    assert not Path("left").exists()
"""

    result = run({"tests/test_a.py": text})

    assert outcomes(result) == {"test_write": "crash", "test_later": "passed"}
    assert not (tmp_path / "tree" / "left").exists()


def test_variations_reach_the_suite(run: Run) -> None:
    text = """\
import os, time

def test_zone(): assert time.tzname == ("JST", "JST")
def test_hash(): assert os.environ["PYTHONHASHSEED"] == "7"
def test_core(): assert len(os.sched_getaffinity(0)) == 1
"""
    variation = Variation(order_seed=1, hash_seed=7, env={"TZ": "JST-9"}, cores=1)

    result = run({"tests/test_a.py": text}, variation=variation)

    assert set(outcomes(result).values()) == {"passed"}
    assert len(result.order) == 3


def test_ids_can_be_left_out(run: Run) -> None:
    text = "def test_a(): pass\ndef test_b(): pass\n"

    result = run({"tests/test_a.py": text}, skip=frozenset({"tests/test_a.py::test_a"}))

    assert outcomes(result) == {"test_b": "passed"}


def test_processes_that_outlive_their_test_delay_nothing(run: Run) -> None:
    text = """\
import subprocess

def test_a():
    subprocess.Popen(["sleep", "60"], start_new_session=True)
"""

    result = run({"tests/test_a.py": text})

    assert outcomes(result) == {"test_a": "passed"}
    assert result.seconds < 20


def test_a_runner_that_does_not_start_is_the_machines_fault(
    tmp_path: Path, environment: Environment, sandbox: Sandbox
) -> None:
    (tmp_path / "tree").mkdir()
    settings = Settings(
        kind="completion",
        language="python",
        source=SourcePin(spec="path:x"),
        product=Product(paths=("pkg",)),
        runner=Runner(paths=("tests",)),
    )
    bare = Environment("", (environment.mounts[0],)[:0], environment.env)

    with pytest.raises(SandboxError, match="the test runner didn't start"):
        run_suite(tmp_path / "tree", Rig(get("python"), settings, bare, sandbox))
