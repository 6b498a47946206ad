"""One real library from the index, from its name to its tests in a box."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchwright import languages
from benchwright.environments import Environment, complete, metadata
from benchwright.formats import RecipeError
from benchwright.languages import Project
from benchwright.languages.python import environment_lock as locking
from benchwright.languages.python import environment_python as interpreters
from benchwright.languages.python.environment_wheels import rank
from benchwright.sandbox import Mount, Spec, choose
from benchwright.sources import fetch


def collect(tree: Path, project: Project, environment: Environment, *more: str) -> str:
    done = choose().run(
        Spec(
            command=(
                "/env/bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir",
                "/work", *project.runner.paths, *more,
            ),
            mounts=(*environment.mounts, Mount("/work", "overlay", tree)),
            env={**environment.env, "PYTHONPATH": "/work", "PYTHONDONTWRITEBYTECODE": "1"},
            cwd="/work",
        )
    )  # fmt: skip
    return done.stdout.decode()


def test_a_library_whose_metadata_pip_refuses(tmp_path: Path) -> None:
    source = fetch("pypi:tinydb==4.8.0")
    language, project = languages.detect(source.tree, source.pin.released)

    def missing(project: Project, environment: Environment) -> Sequence[str]:
        said = collect(source.tree, project, environment, "--collect-only")
        return re.findall(r"No module named '([^']+)'", said)

    prepared = complete(language, source.tree, project, missing)
    notes = metadata(source.tree, prepared.project.recipe, prepared.lock, tmp_path / "meta")

    assert [p.name for p in prepared.lock.packages] == [
        "iniconfig", "packaging", "pluggy", "pytest", "pyyaml",
    ]  # fmt: skip
    assert "201 passed" in collect(source.tree, prepared.project, prepared.environment)
    assert notes == ()
    assert [p.name for p in (tmp_path / "meta").iterdir()] == ["tinydb-4.8.0.dist-info"]


def test_what_the_test_runner_needs_can_t_be_a_task() -> None:
    recipe = languages.get("python").detect(fetch("pypi:tinydb==4.8.0").tree)
    assert recipe is not None
    denying = recipe.recipe.model_copy(update={"denied": ("pluggy",)})

    with pytest.raises(RecipeError, match="the test runner itself needs pluggy"):
        languages.get("python").lock(denying)


@pytest.mark.parametrize(
    ("name", "fits"),
    [
        ("a-1-py3-none-any.whl", True),
        ("a-1-py2.py3-none-any.whl", True),
        ("a-1-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl", True),
        ("a-1-cp37-abi3-manylinux_2_28_x86_64.whl", True),
        ("a-1-cp310-cp310-manylinux_2_17_x86_64.whl", False),
        ("a-1-cp311-cp311-manylinux_2_39_x86_64.whl", False),
        ("a-1-cp311-cp311-musllinux_1_1_x86_64.whl", False),
        ("a-1-cp311-cp311-win_amd64.whl", False),
        ("../a-1-py3-none-any.whl.exe", False),
    ],
)
def test_which_wheels_fit(monkeypatch: pytest.MonkeyPatch, name: str, fits: bool) -> None:
    monkeypatch.setattr("platform.machine", lambda: "x86_64")

    assert (rank(name, "3.11") is not None) == fits


def test_an_interpreter_is_found_by_what_it_says_of_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    liar = tmp_path / "python3.77"
    liar.write_text("#!/bin/sh\necho '{}'\n")
    liar.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    interpreters.find.cache_clear()

    assert interpreters.find("3.77") is None
    found = interpreters.require("3.11")
    assert (found.minor, found.name) == ("3.11", "cpython")


def test_a_lock_file_of_uv_is_read() -> None:
    hashes = " \\\n    --hash=sha256:{} \\\n    --hash=sha256:{}\n"
    text = f"A.b==1.0 ; python_version >= '3.8'{hashes}c==2\n"

    found = locking.read(text.format("b" * 64, "a" * 64))

    assert [(p.name, p.version, p.marker) for p in found] == [
        ("a-b", "1.0", "python_version >= '3.8'"),
        ("c", "2", ""),
    ]
    assert found[0].hashes == (f"sha256:{'a' * 64}", f"sha256:{'b' * 64}")
