"""What an instance's environment holds, as far as reading tells."""

from pathlib import Path

import pytest

from benchwright.environments import lock
from benchwright.formats import Recipe, RecipeError
from benchwright.interop.swebench import Row
from benchwright.interop.swebench.environment import created, extras, recipes, required
from benchwright.interop.swebench.pins import Pins
from benchwright.languages import detect

ROW = Row(
    repo="o/n",
    instance_id="o__n-1",
    base_commit="0" * 40,
    patch="",
    test_patch="",
    problem_statement="",
    FAIL_TO_PASS=(),
    PASS_TO_PASS=(),
    created_at="2022-03-03T15:14:54Z",
    eval_script="cd /testbed\npython -m pip install -e .[test,dev] --verbose\n",
)


def test_requirements_are_those_of_the_interpreter_and_the_extras(tmp_path: Path) -> None:
    folder = tmp_path / "n-1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: n\nVersion: 1\n"
        "Requires-Dist: always>=1\n"
        "Requires-Dist: old; python_version < '3.8'\n"
        "Requires-Dist: tested; extra == 'test'\n"
        "Requires-Dist: documented; extra == 'docs'\n"
    )

    assert required(tmp_path, extras(ROW), "3.9") == ("always>=1", "tested")
    assert required(None, extras(ROW), "3.9") == ()


def test_dates_of_both_published_forms() -> None:
    other = ROW.model_copy(update={"created_at": "2023-01-23 04:10:47"})

    assert [when and when.isoformat() for when in (created(ROW), created(other))] == [
        "2022-03-03T15:14:54+00:00",
        "2023-01-23T04:10:47+00:00",
    ]


def test_what_the_pins_lack_is_of_the_row_s_time_and_the_runner_needn_t_be(tmp_path: Path) -> None:
    info = tmp_path / "n-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: n\nVersion: 1\nRequires-Dist: iniconfig\n")
    for name, text in {"setup.py": "", "n.py": "", "tests/test_n.py": "def test(): pass\n"}.items():
        (tmp_path / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tree" / name).write_text(text)
    (tmp_path / "tree" / "setup.cfg").write_text("[metadata]\nname = n\nversion = 1\n")
    _, project = detect(tmp_path / "tree")
    row = ROW.model_copy(update={"created_at": "2021-08-01T00:00:00Z"})

    made = recipes(row, Pins(python="3.11", pip=(), conda=()), lambda _: None)(project, tmp_path)

    assert {"iniconfig==1.1.1", "py==1.11.0", "pytest==8.3.3"} <= set(made.requires)


@pytest.mark.parametrize("line", ["attrs>=20", "attrs", "attrs==23.*", "attrs @ file:///x"])
def test_a_closed_recipe_holds_exact_versions_only(line: str) -> None:
    recipe = Recipe(language="python", version="3.11", requires=(line,), closed=True)

    with pytest.raises(RecipeError, match="not an exact version in a closed recipe"):
        lock(recipe)
