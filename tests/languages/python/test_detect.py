from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchwright.formats import SourceError
from benchwright.languages import Project
from benchwright.languages.python.detect import detect, missing, project

Write = Callable[[Mapping[str, str]], Path]
PROJECT = '[project]\nname = "mine"\nversion = "1.0"\nrequires-python = ">=3.9"\n'
FLAT = {
    "pyproject.toml": PROJECT,
    "mine/__init__.py": "x = 1\n",
    "tests/test_x.py": "def test_x(): pass\n",
}


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def make(files: Mapping[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path

    return make


def found(tree: Path) -> Project:
    project = detect(tree)
    assert project is not None
    return project


def test_a_folder_without_project_files_is_not_python_s(write: Write) -> None:
    assert detect(write({"main.go": ""})) is None


@pytest.mark.parametrize(
    ("files", "paths", "roots", "modules"),
    [
        ({"mine/__init__.py": ""}, ("mine",), (".",), ("mine",)),
        ({"src/mine/__init__.py": ""}, ("src/mine",), ("src",), ("mine",)),
        ({"mine.py": ""}, ("mine.py",), (".",), ("mine",)),
        ({"src/mine.py": "", "src/_mine.py": ""}, ("src/mine.py",), ("src",), ("mine",)),
        ({"other/__init__.py": "", "setup.py": ""}, ("other",), (".",), ("other",)),
        (
            {"a/__init__.py": "", "b.py": "", "setup.py": "from setuptools import setup\n"
             "MODS = ['b']\nsetup(packages=['a', 'a.c'], py_modules=MODS)\n"},
            ("a", "b.py"), (".",), ("a", "b"),
        ),
        (
            {"lib/a/__init__.py": "", "setup.cfg": "[options]\npackage_dir =\n    = lib\n"
             "packages = a\n"},
            ("lib/a",), ("lib",), ("a",),
        ),
        (
            {"a/__init__.py": "", "b/__init__.py": "", "m.egg-info/top_level.txt": "a\nb\n"},
            ("a", "b"), (".",), ("a", "b"),
        ),
    ],
)  # fmt: skip
def test_where_the_product_is(
    write: Write,
    files: dict[str, str],
    paths: tuple[str, ...],
    roots: tuple[str, ...],
    modules: tuple[str, ...],
) -> None:
    project = found(
        write({"pyproject.toml": PROJECT, "tests/test_x.py": "def test_x(): pass\n", **files})
    )

    product = project.product
    assert (product.paths, product.roots, product.modules) == (paths, roots, modules)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"tests/test_x.py": "", "tests/data.py": ""}, ""),
        ({"tests/test_x.py": None}, "no tests in this source.*test_\\*.py"),
        ({"mine/__init__.py": None}, "no importable package"),
        ({"pyproject.toml": '[project]\nname = "naïve"\n'}, r"its name is 'na\\xefve'"),
        ({"pyproject.toml": "not toml"}, "doesn't state its name"),
        ({"pyproject.toml": PROJECT.replace(">=3.9", "<3")}, "it needs Python <3"),
        (
            {"setup.py": "setup(ext_modules=[Extension('mine._c', ['c.c'])])",
             "mine/__init__.py": "from mine._c import f\n"},
            r"needs an extension in C \(mine._c\)",
        ),
        (
            {"pyproject.toml": PROJECT + '[build-system]\nbuild-backend = "maturin"\n'},
            "needs an extension in C.*maturin",
        ),
    ],
)  # fmt: skip
def test_what_can_t_become_a_task_is_said(
    write: Write, files: dict[str, str | None], message: str
) -> None:
    merged = {**FLAT, **files}
    tree = write({name: text for name, text in merged.items() if text is not None})

    if message:
        with pytest.raises(SourceError, match=message):
            detect(tree)
    else:
        assert found(tree).name == "mine"


def test_an_optional_extension_is_left_out_and_said(write: Write) -> None:
    tree = write(
        {
            **FLAT,
            "setup.py": "setup(ext_modules=[Extension('mine._speed', ['speed.c'])])",
            "mine/__init__.py": "try:\n    from mine._speed import f\n"
            "except ImportError:\n    from mine.slow import f\n",
        }
    )

    assert found(tree).notes == ("the compiled parts (mine._speed) are optional and left out",)


def test_nothing_is_run(write: Write, tmp_path: Path) -> None:
    bad = f"open({str(tmp_path / 'mark')!r}, 'w')\nfrom setuptools import setup\nsetup()\n"

    found(write({**FLAT, "setup.py": bad, "noxfile.py": bad, "tests/conftest.py": bad}))

    assert not (tmp_path / "mark").exists()


def test_everything_hidden_is_found(write: Write) -> None:
    tree = write(
        {
            **FLAT,
            "tests/data/snapshot.txt": "",
            "conftest.py": "",
            "mine/tests/test_y.py": "",
            "mine/tests/fixture.json": "",
            "mine/test_z.py": "",
            "docs/index.rst": "",
            "README.md": "",
        }
    )

    project = found(tree)

    assert project.tests == (
        "conftest.py", "mine/test_z.py", "mine/tests/fixture.json", "mine/tests/test_y.py",
        "tests/data/snapshot.txt", "tests/test_x.py",
    )  # fmt: skip
    assert project.docs == ("README.md", "docs/index.rst")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pytest.ini", "[pytest]\n{}"),
        ("tox.ini", "[pytest]\n{}"),
        ("setup.cfg", "[tool:pytest]\n{}"),
    ],
)
def test_the_runner_s_configuration_is_reduced(write: Write, name: str, text: str) -> None:
    settings = (
        "addopts = -x --lf -n auto --cov=mine --maxfail 2 --doctest-modules -p plug -p no:bad"
        " --import-mode=importlib -m 'not slow' --ignore=setup.py -ra --durations 3\n"
        "markers =\n    slow: it is\n    fast: it isn't\n"
        "testpaths = tests\ncache_dir = /tmp/x\nlog_cli = true\nxfail_strict = true\n"
    )

    runner = found(write({**FLAT, name: text.format(settings)})).runner

    assert runner.options == (
        "--doctest-modules", "--import-mode=importlib", "-m", "not slow", "--ignore=setup.py",
    )  # fmt: skip
    assert runner.plugins == ("plug",)
    assert runner.paths == ("tests",)
    assert runner.ini == {
        "markers": ["slow: it is", "fast: it isn't"],
        "xfail_strict": "true",
    }


def test_settings_in_the_project_file(write: Write) -> None:
    text = (
        '[tool.pytest.ini_options]\naddopts = ["--strict-markers", "--reruns", "3"]\n'
        'filterwarnings = ["error", "ignore:x:DeprecationWarning"]\nasyncio_mode = "auto"\n'
    )

    runner = found(write({**FLAT, "pyproject.toml": PROJECT + text})).runner

    assert runner.options == ("--strict-markers",)
    assert runner.ini == {
        "filterwarnings": ["error", "ignore:x:DeprecationWarning"],
        "asyncio_mode": "auto",
    }


REQUIRING = """
import os
import pytest
import yaml
from mine import x
from tests import helper
try:
    import optional_one
except ImportError:
    optional_one = None
frozen = pytest.importorskip("freezegun")

@pytest.mark.asyncio
async def test_x(mocker, tmp_path): ...
"""


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, ("pytest", "pytest-mock", "pytest-asyncio")),
        (
            {"pyproject.toml": PROJECT + 'dependencies = ["attrs>=20"]\n'
             '[project.optional-dependencies]\n'
             'test = ["pytest>=7", "PyYAML>5", "black", "pytest-cov"]\n'
             '[dependency-groups]\nlint = ["freezegun<2"]\ndev = [{include-group = "lint"}]\n'},
            ("attrs>=20", "pytest>=7", "freezegun<2", "PyYAML>5", "pytest-mock", "pytest-asyncio"),
        ),
        (
            {"tox.ini": "[testenv:lint]\ncommands = ruff\n[testenv:py]\ndeps =\n  py38: pytest<7\n"
             "  py{310,311}: pytest>=7,<8\n  -r more.txt\ncommands = pytest {posargs}\n",
             "more.txt": "optional-one==1  # why\n"},
            ("pytest>=7,<8", "optional-one==1", "pytest-mock", "pytest-asyncio"),
        ),
        (
            {"noxfile.py": "import nox\nREQS = ['pyyaml<7', 'pytest']\n@nox.session\n"
             "def tests(session):\n    session.install(*REQS, '.')\n"
             "    session.run('pytest', 'tests')\n"},
            ("pytest", "pyyaml<7", "pytest-mock", "pytest-asyncio"),
        ),
        (
            {"pyproject.toml": '[tool.poetry]\nname = "mine"\nversion = "1"\n'
             '[tool.poetry.dependencies]\npython = "^3.9"\n'
             '[tool.poetry.group.dev.dependencies]\n'
             'pytest = "^7.2"\npyyaml = {version = "~5.1"}\n'},
            ("pytest>=7.2,<8", "pyyaml>=5.1,<5.2", "pytest-mock", "pytest-asyncio"),
        ),
        (
            {"pyproject.toml": PROJECT + 'dependencies = ["a >> 1", "six"]\n'},
            ("six", "pytest", "pytest-mock", "pytest-asyncio"),
        ),
    ],
    ids=["nothing stated", "extras", "tox", "nox", "poetry", "unreadable"],
)  # fmt: skip
def test_only_what_tests_use_is_required(
    write: Write, files: dict[str, str], expected: tuple[str, ...]
) -> None:
    tree = write({**FLAT, "tests/helper.py": "", "tests/test_x.py": REQUIRING, **files})

    assert found(tree).recipe.requires == expected


def test_variables_that_tox_sets_are_taken(write: Write) -> None:
    tox = "[testenv]\nsetenv =\n  MINE=1\n  HERE={toxinidir}\n  PIP_X=1\ncommands = pytest\n"

    assert found(write({**FLAT, "tox.ini": tox})).runner.env == {"MINE": "1"}


def test_releases_up_to_a_few_days_later_are_taken(write: Write) -> None:
    project = detect(write(FLAT), datetime(2024, 1, 1, tzinfo=UTC))

    assert project is not None
    assert project.recipe.newest == datetime(2024, 1, 5, tzinfo=UTC)


def test_the_product_and_its_modules_are_denied(write: Write) -> None:
    assert found(write(FLAT)).recipe.denied == ("mine",)


def test_the_twin_in_the_standard_library_is_denied_too(write: Write) -> None:
    files = {
        "pyproject.toml": '[project]\nname = "tomli"\nversion = "1"\n',
        "tomli/__init__.py": "x = 1\n",
        "tests/test_x.py": "def test_x(): pass\n",
    }

    assert found(write(files)).recipe.denied == ("tomli", "tomllib")


@pytest.mark.parametrize(
    ("module", "named", "expected"),
    [
        ("yaml", {"pyyaml"}, "pyyaml"),
        ("yaml.nodes", set(), "pyyaml"),
        ("pkg_resources", set(), "setuptools<81"),
        ("pretend", set(), "pretend"),
        ("dateutil", {"python-dateutil", "dateutil-x"}, "python-dateutil"),
        ("some_thing.inner", {"some.thing"}, "some-thing"),
    ],
)
def test_what_brings_a_missing_module(module: str, named: set[str], expected: str) -> None:
    assert missing(module, named) == expected


@pytest.mark.parametrize(
    ("here", "requires", "version"),
    [
        (("3.11", "3.12"), ">=3.8", "3.11"),
        (("3.12",), ">=3.8", "3.12"),
        (("3.12", "3.10"), "<3.11", "3.10"),
        ((), ">=3.13", "3.13"),
    ],
)
def test_an_interpreter_of_this_machine_is_taken(
    monkeypatch: pytest.MonkeyPatch, here: tuple[str, ...], requires: str, version: str
) -> None:
    monkeypatch.setattr(project, "find", lambda v: v in here)

    assert project.interpreter(requires) == (version, [])


def test_the_interpreter_asked_for_is_taken_even_where_the_project_would_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(project, "find", lambda _: True)

    assert project.interpreter(">=3.8", "3.10") == ("3.10", [])
    version, notes = project.interpreter(">=3.11", "3.10")
    assert version == "3.10"
    assert ">=3.11" in notes[0]


@pytest.mark.parametrize("asked", ["3", "three", "3.10.1", "3.\u0661", "-c", "2.7"])
def test_what_is_no_version_is_said(asked: str) -> None:
    with pytest.raises(SourceError, match="not a version of Python"):
        project.interpreter("", asked)
