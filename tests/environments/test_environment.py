import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchwright.environments import build, dockerfile, lock
from benchwright.formats import BuildError, Recipe, RecipeError
from benchwright.languages.python import environment_python as interpreters
from benchwright.languages.python.environment_tools import VERSIONS
from benchwright.tasks import digest
from local_index import Index, sdist, wheel

from .conftest import failing_imports, fresh, run

TINY = Recipe(language="python", version="3.11", requires=("tiny",))


def fill(index: Index) -> None:
    index.add(*wheel("tiny", "1.0", {"tiny.py": "VALUE = 1\n"}), "2020-01-01T00:00:00Z")
    index.add(*wheel("tiny", "2.0", {"tiny.py": "VALUE = 2\n"}), "2022-01-01T00:00:00Z")


def test_a_lock_holds_versions_and_hashes_and_no_address(index: Index) -> None:
    fill(index)

    chosen = lock(TINY)

    assert [(p.name, p.version, len(p.hashes)) for p in chosen.packages] == [("tiny", "2.0", 1)]
    assert "127.0.0.1" not in chosen.dumps()


def test_nothing_newer_than_the_recipe_s_date_is_chosen(index: Index) -> None:
    fill(index)

    chosen = lock(TINY.model_copy(update={"newest": datetime(2021, 1, 1, tzinfo=UTC)}))

    assert [p.version for p in chosen.packages] == ["1.0"]


def test_what_can_t_be_met_is_said_in_one_line(index: Index) -> None:
    fill(index)

    with pytest.raises(RecipeError, match=r"no versions fit together.*tiny>2") as caught:
        lock(TINY.model_copy(update={"requires": ("tiny>2",)}))

    assert "\n" not in str(caught.value)


def test_no_network_is_the_machine_s_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UV_DEFAULT_INDEX", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")

    with pytest.raises(BuildError, match="the package index can't be reached"):
        lock(TINY)


def test_an_absent_interpreter_is_named() -> None:
    with pytest.raises(RecipeError, match=r"Python 2\.6 isn't on this machine"):
        lock(TINY.model_copy(update={"version": "2.6"}))


def test_an_environment_holds_what_was_locked(index: Index) -> None:
    fill(index)
    environment = build(TINY, lock(TINY))

    done = run(environment, "import sys, tiny; print(tiny.VALUE, sys.prefix, sys.base_prefix)")

    assert done.stdout.decode().split() == ["2", "/env", "/python"]


@pytest.mark.parametrize("version", [v for v in VERSIONS if interpreters.find(v)])
def test_every_interpreter_of_this_machine_gets_an_environment(index: Index, version: str) -> None:
    fill(index)
    recipe = TINY.model_copy(update={"version": version})
    environment = build(recipe, lock(recipe))

    done = run(environment, "import sys, tiny; print(tiny.VALUE, *sys.version_info[:2])")

    assert done.stdout.decode().split() == ["2", *version.split(".")]


def test_an_environment_is_built_once_and_without_network_after_that(index: Index) -> None:
    fill(index)
    chosen = lock(TINY)
    first = build(TINY, chosen)
    index.asked.clear()

    assert (build(TINY, chosen), index.asked) == (first, [])


def test_every_machine_builds_the_same_bytes(index: Index, cache: Path) -> None:
    index.add(*wheel("tiny", "1.0", {"tiny.py": "V = 1\n"}, (), "[console_scripts]\nt = tiny:V\n"))
    chosen = lock(TINY)
    first = build(TINY, chosen)
    content = digest(first.folder())
    compiled = sorted((p.name, p.read_bytes()) for p in first.folder().rglob("*.pyc"))
    fresh(cache)

    second = build(TINY, chosen)

    assert second.digest == first.digest
    assert digest(second.folder()) == content
    assert sorted((p.name, p.read_bytes()) for p in second.folder().rglob("*.pyc")) == compiled
    assert [n for n, _ in compiled] == ["tiny.cpython-311.pyc"]


def test_nothing_of_this_machine_shows(index: Index) -> None:
    fill(index)
    environment = build(TINY, lock(TINY))
    code = """import json, sys, sysconfig
used = [sys.executable, sys.prefix, sys.base_prefix, sys.exec_prefix, *filter(None, sys.path)]
print(json.dumps([used, str(sysconfig.get_config_vars())]))"""

    used, built = json.loads(run(environment, code).stdout)

    assert used[0] == "/env/bin/python"
    assert {path.split("/")[1] for path in used} == {"env", "python"}
    # what Debian built its Python for is `/usr`, on every machine alike
    told = {sys.base_prefix, str(Path.home()), str(environment.folder().parent)} - {"/usr"}
    assert [folder for folder in told if folder in built] == []


def test_an_environment_can_t_be_written(index: Index) -> None:
    fill(index)
    environment = build(TINY, lock(TINY))

    done = run(environment, "open('/env/lib/python3.11/site-packages/tiny.py', 'w')")

    assert b"Read-only file system" in done.stderr
    assert {p.stat().st_mode & 0o222 for p in environment.folder().rglob("*.py")} == {0}


def test_denied_packages_and_their_copies_are_absent(index: Index) -> None:
    index.add(*wheel("answer", "1.0", {"answer.py": ""}))
    copies = {
        "user/__init__.py": "",
        "user/_vendor/__init__.py": "",
        "user/_vendor/answer/__init__.py": "",
        "user/_vendor/other.py": "",
        "user/answer_free.py": "",
    }
    index.add(*wheel("user", "1.0", copies, ("answer",)))
    recipe = TINY.model_copy(update={"requires": ("user",), "denied": ("answer", "tomllib")})

    chosen = lock(recipe)
    environment = build(recipe, chosen)

    assert failing_imports(
        environment, "answer", "user._vendor.answer", "tomllib", "user._vendor.other",
        "user.answer_free", "json", "pip", "idlelib", "test.test_json",
    ) == {
        "answer": "ModuleNotFoundError",
        "user._vendor.answer": "ModuleNotFoundError",
        "tomllib": "ModuleNotFoundError",
        "user._vendor.other": "imported",
        "user.answer_free": "imported",
        "json": "imported",
        "pip": "ModuleNotFoundError",
        "idlelib": "ModuleNotFoundError",
        "test.test_json": "ModuleNotFoundError",
    }  # fmt: skip
    found = [p for folder in ("/env", "/python") for p in environment.folder(folder).rglob("*")]
    assert [p for p in found if p.name.split(".")[0] in ("answer", "tomllib")] == []
    assert [p for p in found if p.suffix == ".whl"] == []


def test_a_part_of_the_interpreter_itself_can_t_be_denied(index: Index) -> None:
    fill(index)
    recipe = TINY.model_copy(update={"denied": ("marshal",)})

    with pytest.raises(RecipeError, match="part of the interpreter itself: marshal"):
        build(recipe, lock(recipe))


def test_denying_something_makes_another_environment(index: Index) -> None:
    fill(index)
    denying = TINY.model_copy(update={"denied": ("tomllib",)})

    plain, other = build(TINY, lock(TINY)), build(denying, lock(denying))

    assert plain.digest != other.digest
    assert failing_imports(plain, "tomllib") == {"tomllib": "imported"}


def test_a_package_without_a_wheel_is_built_in_a_box(index: Index) -> None:
    name, data = sdist("sourced", "1.0")
    index.add(name, data)
    recipe = TINY.model_copy(update={"requires": ("sourced",)})

    environment = build(recipe, lock(recipe))

    assert run(environment, "import sourced; print(sourced.VALUE)").stdout == b"7\n"


def test_a_lock_made_elsewhere_builds_what_has_no_wheel(index: Index, cache: Path) -> None:
    index.add(*sdist("sourced", "1.0"))
    recipe = TINY.model_copy(update={"requires": ("sourced",)})
    chosen = lock(recipe)
    fresh(cache)

    environment = build(recipe, chosen)

    assert failing_imports(environment, "sourced") == {"sourced": "imported"}


def test_other_bytes_than_were_locked_are_refused(index: Index, cache: Path) -> None:
    fill(index)
    chosen = lock(TINY)
    index.add(*wheel("tiny", "2.0", {"tiny.py": "VALUE = 'other'\n"}))

    with pytest.raises(RecipeError, match=r"tiny 2\.0: no file of it fits"):
        build(TINY, chosen)

    assert list((cache / "environments").glob("[!.]*")) == []


def test_two_processes_build_one_environment(index: Index, cache: Path) -> None:
    fill(index)
    chosen = lock(TINY)
    (cache / "lock.json").write_text(chosen.dumps())
    (cache / "recipe.json").write_text(TINY.dumps())
    code = """
import sys
from pathlib import Path
from benchwright.environments import build
from benchwright.formats import Lock, Recipe
root = Path(sys.argv[1])
print(build(Recipe.read(root / "recipe.json"), Lock.read(root / "lock.json")).digest)
"""
    command = [sys.executable, "-c", code, str(cache)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(2)]
    said = {process.communicate()[0] for process in both}

    assert [process.returncode for process in both] == [0, 0]
    assert len(said) == 1
    assert len([p for p in (cache / "environments").iterdir() if p.is_dir()]) == 1


def test_a_dockerfile_installs_the_same(index: Index) -> None:
    fill(index)
    recipe = TINY.model_copy(update={"system": ("locales",), "denied": ("tomllib",)})
    chosen = lock(recipe)

    text = dockerfile(recipe, chosen)

    assert f"tiny==2.0 --hash={chosen.packages[0].hashes[0]}" in text.splitlines()
    assert "rm -rf /usr/local/lib/python3.11/tomllib" in text
    assert "apt-get install -y --no-install-recommends locales" in text


def test_a_dockerfile_takes_no_shell_words() -> None:
    recipe = TINY.model_copy(update={"requires": (), "denied": ("x; touch /mark",)})

    with pytest.raises(RecipeError, match="not a package's name"):
        dockerfile(recipe, lock(recipe))
