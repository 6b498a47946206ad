"""The runner's configuration as upstream has it, reduced to what decides which tests there are and
how they are imported. Whatever stops, repeats, spreads, times or reports tests is dropped.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from . import static

KEPT = {
    "python_files", "python_classes", "python_functions", "markers", "filterwarnings",
    "asyncio_mode", "asyncio_default_fixture_loop_scope", "asyncio_default_test_loop_scope",
    "anyio_mode", "trio_mode", "doctest_optionflags", "doctest_encoding", "xfail_strict",
    "usefixtures", "norecursedirs", "collect_ignore", "consider_namespace_packages", "pythonpath",
    "empty_parameter_set_mark", "enable_assertion_pass_hook", "truncation_limit_lines",
    "disable_test_id_escaping_and_forfeit_all_rights_to_community_support", "django_find_project",
    "mock_use_standalone_module", "env", "DJANGO_SETTINGS_MODULE", "verbosity_subtests",
    "strict_markers", "strict", "strict_xfail", "strict_parametrization_ids",
}  # fmt: skip
LISTS = {
    "python_files", "python_classes", "python_functions", "norecursedirs", "pythonpath",
    "usefixtures", "doctest_optionflags", "testpaths",
}  # fmt: skip
LINES = {"markers", "filterwarnings", "env"}
VALUED = {
    "--import-mode", "--doctest-glob", "-p", "-m", "-k", "--ignore", "--ignore-glob", "--deselect",
    "--doctest-continue-on-failure", "--asyncio-mode", "--ds", "--strict-parametrization-ids",
}  # fmt: skip
"""Options with a value that are kept."""
FLAGS = {"--doctest-modules", "--strict-markers", "--pyargs", "--doctest-continue-on-failure"}
OTHER_VALUED = re.compile(
    r"-[ncWor]|--(?:tb|cov-config|durations|maxfail|numprocesses|dist|timeout|basetemp|rootdir|"
    r"confcutdir|junit-?xml|junit-prefix|color|capture|show-capture|log-[a-z-]+|override-ini|"
    r"pythonwarnings|cov-report|cov-fail-under|benchmark-[a-z-]+|reruns|html|config-file)"
)
"""Options that are dropped together with the word after them."""


@dataclass(slots=True)
class Configuration:
    """What the runner is told."""

    ini: dict[str, str | list[str] | bool] = field(default_factory=dict)
    options: list[str] = field(default_factory=list)
    plugins: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)


def name(tree: Path) -> Literal["pytest", "django"]:
    """Which runner the suite needs: Django's own tests can't be set up by another."""
    text = static.text(tree / "tests" / "runtests.py")
    return "django" if "def django_tests(" in text else "pytest"


def read(tree: Path) -> Configuration:
    """The configuration that the runner would find, in its own order of places."""
    for path, keys in (
        ("pytest.ini", ("pytest",)), (".pytest.ini", ("pytest",)), ("pyproject.toml", ()),
        ("tox.ini", ("pytest",)), ("setup.cfg", ("tool:pytest",)),
    ):  # fmt: skip
        if not keys:
            table = static.tables(static.toml(tree / path), "tool", "pytest")
            table = static.tables(table, "ini_options") or {
                k: v for k, v in table.items() if k != "ini_options"
            }
        else:
            parser = static.ini(tree / path)
            table = dict(parser.items(keys[0])) if parser.has_section(keys[0]) else {}
        if table or (path == "pytest.ini" and (tree / path).is_file()):
            return _filtered(table)
    return Configuration()


def _filtered(table: dict[str, Any]) -> Configuration:
    found = Configuration(paths=_words(table.get("testpaths")))
    for key, value in table.items():
        if key not in KEPT or value is None:
            continue
        if isinstance(value, bool):
            found.ini[key] = value
        elif key in LISTS:
            found.ini[key] = _words(value)
        elif key in LINES:
            found.ini[key] = static.strings(value)
        elif isinstance(value, str | int | float):
            found.ini[key] = str(value).strip()
    added = table.get("addopts")
    words = shlex_words(added) if isinstance(added, str) else static.strings(added)
    options(found, words)
    return found


def options(found: Configuration, words: list[str]) -> list[str]:
    """Take the options that matter; gives the words that are no options (paths)."""
    rest, words = [], list(words)
    while words:
        word = words.pop(0)
        name, equals, value = word.partition("=")
        if name in VALUED:
            _keep(found, name, value if equals else (words.pop(0) if words else ""))
        elif re.fullmatch(r"-[pmk].+", word):
            _keep(found, word[:2], word[2:])
        elif word in FLAGS:
            found.options.append(word)
        elif word.startswith("-"):
            if OTHER_VALUED.fullmatch(word) and words and not words[0].startswith("-"):
                words.pop(0)
        else:
            rest.append(word)
    return rest


def _keep(found: Configuration, name: str, value: str) -> None:
    if name == "-p":
        if not value.startswith("no:"):
            found.plugins.append(value)
    elif name == "--doctest-glob" and not value:
        found.options = [o for o in found.options if not o.startswith("--doctest-glob=")]
    else:
        found.options += [name, value] if len(name) == 2 else [f"{name}={value}"]


def shlex_words(line: str) -> list[str]:
    """The words of a command line, or none where its quotes don't match."""
    try:
        return shlex.split(line.replace("\\\n", " "), comments=False)
    except ValueError:
        return []


def _words(value: Any) -> list[str]:
    return value.split() if isinstance(value, str) else static.strings(value)
