"""What the library promises: these names, and that they load when they are used."""

import subprocess
import sys
from types import FunctionType, ModuleType

import benchwright as bw

PROMISED = {
    "Agent", "BenchwrightError", "Evidence", "InfraError", "InputError", "JobResult", "JobSummary",
    "Task", "TrialResult", "Verdict", "author", "doctor", "judge", "replay", "report", "run",
    "show", "validate", "verify",
}  # fmt: skip


def test_the_public_names_are_exactly_these() -> None:
    assert set(bw.__all__) == PROMISED
    assert {name for name in PROMISED if hasattr(bw, name)} == PROMISED
    assert set(dir(bw)) >= PROMISED


def test_what_can_be_called_is_a_function_even_where_a_package_has_its_name() -> None:
    from benchwright.judge import judge

    assert isinstance(bw.judge, FunctionType)
    assert bw.judge is judge
    assert isinstance(sys.modules["benchwright.judge"], ModuleType)
    for name in ("author", "doctor", "replay", "report", "run", "show", "validate", "verify"):
        assert isinstance(getattr(bw, name), FunctionType)


def test_importing_the_library_loads_nothing() -> None:
    code = "import sys, benchwright; print([m for m in sys.modules if m.startswith('benchwright')])"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "['benchwright']\n"


def test_every_public_name_says_what_it_is() -> None:
    assert [name for name in bw.__all__ if not (getattr(bw, name).__doc__ or "").strip()] == []


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(bw, "no_such_name")
