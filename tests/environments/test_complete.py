from pathlib import Path

import pytest

from benchwright.environments import Environment, complete
from benchwright.formats import RecipeError
from benchwright.languages import Project, detect
from local_index import Index, wheel

from .conftest import failing_imports

PYPROJECT = """
[build-system]
requires = []
build-backend = "none"
[project]
name = "mine"
version = "1"
requires-python = ">=3.11,<3.12"
dependencies = {dependencies}
[tool.pytest.ini_options]
filterwarnings = ["error", "ignore::gone.GoneWarning", "ignore::mine.Own", "ignore::pytest.X"]
[dependency-groups]
lint = ["named>=1"]
"""
PLUGIN = "[pytest11]\nplugged = plugged.hooks\n"


@pytest.fixture
def tree(tmp_path: Path, index: Index) -> Path:
    root = tmp_path / "tree"
    (root / "tests").mkdir(parents=True)
    (root / "mine.py").write_text("")
    (root / "tests" / "test_mine.py").write_text("import helper_one\n")
    (root / "pyproject.toml").write_text(PYPROJECT.format(dependencies=[]))
    index.add(*wheel("pytest", "8.0", {"pytest.py": ""}))
    index.add(*wheel("helper_one", "1.0", {"helper_one.py": ""}))
    index.add(*wheel("named", "1.0", {"named.py": ""}))
    index.add(*wheel("plugged", "1.0", {"plugged/hooks.py": ""}, (), PLUGIN))
    return root


def test_what_the_suite_misses_is_added_and_said(tree: Path) -> None:
    language, project = detect(tree)

    def missing(_: Project, environment: Environment) -> list[str]:
        found = failing_imports(environment, "helper_one", "plugged", "mine")
        return [name for name, how in found.items() if how != "imported"]

    prepared = complete(language, tree, project, missing)

    names = [p.name for p in prepared.lock.packages]
    assert names == ["helper-one", "plugged", "pytest"]
    assert prepared.project.runner.plugins == ("plugged.hooks",)
    assert prepared.project.runner.ini == {
        "filterwarnings": ["error", "ignore::mine.Own", "ignore::pytest.X"]
    }
    assert "not stated anywhere, but imported" in " ".join(prepared.project.notes)


def test_the_project_s_own_words_come_first(tree: Path) -> None:
    language, project = detect(tree)

    prepared = complete(language, tree, project, lambda *_: ["named", "json", "mine.inner"])

    assert prepared.project.recipe.requires == ("pytest", "named>=1")


def test_a_pin_that_doesn_t_fit_is_given_up_and_said(tree: Path) -> None:
    (tree / "requirements-test.txt").write_text("pytest==7.0\n")
    language, project = detect(tree)

    prepared = complete(language, tree, project, lambda *_: [])

    assert [p.version for p in prepared.lock.packages] == ["8.0"]
    assert "given up to find versions: exact pins" in " ".join(prepared.project.notes)


def test_what_never_fits_is_said(tree: Path) -> None:
    (tree / "pyproject.toml").write_text(PYPROJECT.format(dependencies=["named>5"]))
    language, project = detect(tree)

    with pytest.raises(RecipeError, match=r"no versions fit together.*named>5"):
        complete(language, tree, project, lambda *_: [])
