"""Every requirement that the project names anywhere for its tests, the most telling place first.

These are the tox or nox environment that runs the tests, extras, dependency groups and
requirements files.
"""

from __future__ import annotations

import ast
import configparser
import re
from dataclasses import dataclass, field
from pathlib import Path

from packaging.utils import canonicalize_name

from . import static
from .known import TEST_WORDS
from .metadata import Metadata, read, requirement
from .runner import shlex_words

RUNNERS = re.compile(r"\b(py\.?test|unittest|coverage run|nose2?tests|trial)\b")


@dataclass(slots=True)
class Session:
    """How the project itself runs its tests, as far as it says so."""

    requires: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    """What it requires for other interpreter versions only."""
    extras: list[str] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    """The words after the runner's name in the command."""
    env: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Pool:
    """Requirements by distribution; the first place that names one is the one that counts."""

    session: Session = field(default_factory=Session)
    named: dict[str, list[str]] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)

    def add(self, place: str, lines: list[str]) -> None:
        """Take requirements over; a distribution may have several lines with different markers."""
        for line in lines:
            parsed = requirement(line)
            if parsed is not None:
                name = canonicalize_name(parsed.name)
                if self.places.setdefault(name, place) == place:
                    self.named.setdefault(name, []).append(line)


def gather(tree: Path, data: Metadata, version: str) -> Pool:
    """Gather what the project names, for an interpreter version."""
    pool = Pool(session=_tox(tree, version) or _nox(tree) or Session())
    pool.add("install requirements", data.dependencies)
    pool.add("tox or nox", pool.session.requires)
    for number, line in enumerate(pool.session.others):
        pool.add(f"tox, line {number} for other versions", [line])
    named = {**data.groups, **data.extras}
    chosen = [n for n in (*pool.session.extras, *pool.session.groups) if n in named]
    for name in chosen + sorted(named, key=_rank):
        pool.add(f"extra or group {name}", named[name])
    for path in sorted(_requirement_files(tree), key=lambda p: (_rank(p.stem), p.as_posix())):
        pool.add(path.relative_to(tree).as_posix(), read_requirements(tree, path))
    return pool


def _rank(name: str) -> int:
    words = re.split(r"[-_. \d]+", name.lower())
    return next((i for i, word in enumerate(TEST_WORDS) if word in words), len(TEST_WORDS))


def _requirement_files(tree: Path) -> list[Path]:
    found = [
        *tree.glob("*requirements*.txt"), *tree.glob("*requirements*.in"),
        *tree.glob("requirements/*.txt"), *tree.glob("requirements/*.in"),
        *tree.glob("test*/*requirements*.txt"), *tree.glob("ci/*requirements*.txt"),
        *tree.glob("*_requirements.txt"), *tree.glob("dev*.txt"), *tree.glob("test*.txt"),
    ]  # fmt: skip
    return [p for p in dict.fromkeys(found) if p.is_file() and not p.is_symlink()]


def read_requirements(tree: Path, path: Path, seen: tuple[Path, ...] = ()) -> list[str]:
    """The requirements of a file and of those it includes, below the tree."""
    if path in seen or not path.resolve().is_relative_to(tree.resolve()):
        return []
    lines: list[str] = []
    for line in static.text(path).replace("\\\n", " ").splitlines():
        line = re.sub(r"(^|\s)#.*$", "", line)
        line = re.split(r"\s--hash", line)[0].strip()
        included = re.match(r"(?:-r|--requirement)[ =]?\s*(\S+)", line)
        if included:
            lines += read_requirements(tree, path.parent / included[1], (*seen, path))
        elif line and not line.startswith("-"):
            lines.append(line)
    return lines


def _tox(tree: Path, version: str) -> Session | None:
    """The tox environment that runs the tests: `testenv` if it does, else the first that does."""
    parser = static.ini(tree / "tox.ini")
    legacy = static.tables(static.toml(tree / "pyproject.toml"), "tool", "tox").get(
        "legacy_tox_ini"
    )
    if isinstance(legacy, str) and not parser.has_section("testenv"):
        parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
        try:
            parser.read_string(legacy)
        except configparser.Error:
            return None
    sections = [s for s in parser.sections() if s.startswith("testenv")]
    for section in sorted(sections, key=lambda s: (s != "testenv", sections.index(s))):
        commands = _substituted(parser, section, "commands")
        if RUNNERS.search(commands):
            session = Session(words=_words(commands))
            for line in _substituted(parser, section, "deps").splitlines():
                _dep(tree, session, line, version)
            session.extras = re.split(r"[\s,]+", _substituted(parser, section, "extras").strip())
            groups = _substituted(parser, section, "dependency_groups")
            session.groups = re.split(r"[\s,]+", groups.strip())
            session.env = _env(
                _substituted(parser, section, "setenv")
                + "\n"
                + _substituted(parser, section, "set_env")
            )
            return session
    return None


def _substituted(parser: configparser.RawConfigParser, section: str, key: str) -> str:
    value = parser.get(section, key, fallback="") or ""
    for _ in range(3):
        value = re.sub(
            r"\{\[([^\]]+)\](\w+)\}",
            lambda m: parser.get(m[1], m[2], fallback="") or "",
            value,
        )
    return value


def _dep(tree: Path, session: Session, line: str, version: str) -> None:
    line = line.replace("{toxinidir}", ".").replace("{tox_root}", ".").strip()
    factor = re.match(r"[\w{},!.-]+:\s+(.*)", line) or re.match(r"[\w{},!.-]+:([^:/].*)", line)
    fits = not factor or _fits(line.partition(":")[0], version)
    line = factor[1] if factor else line
    included = re.match(r"-r\s*(\S+)", line)
    if included:
        session.requires += read_requirements(tree, tree / included[1])
    elif line and not line.startswith(("-", ".")):
        (session.requires if fits else session.others).append(line.split(" #")[0].strip())


def _fits(factors: str, version: str) -> bool:
    """Whether tox's factors before a line, such as `py{310,311}-x`, are for an interpreter."""
    expanded = re.sub(
        r"(\w*)\{([^}]*)\}", lambda m: ",".join(m[1] + part for part in m[2].split(",")), factors
    )
    named = [w for w in re.split(r"[-,\s]+", expanded) if re.fullmatch(r"!?py(\d+|py.*)?", w)]
    mine = {"py", "py3", f"py{version.replace('.', '')}"}
    return not named or any(w in mine or (w[0] == "!" and w[1:] not in mine) for w in named)


def _env(lines: str) -> dict[str, str]:
    """Variables with plain values; what depends on tox's own folders is left out."""
    found = {}
    for line in lines.splitlines():
        name, equals, value = line.strip().partition("=")
        name, value = name.strip(), value.strip()
        if equals and "{" not in value and re.fullmatch(r"[A-Z][A-Z0-9_]*", name):
            found[name] = value
    return {
        k: v for k, v in found.items() if not k.startswith(("PIP_", "TOX_", "COVERAGE_", "COV_"))
    }


def _words(commands: str) -> list[str]:
    """What follows the runner's name in the first command that names it."""
    joined = re.sub(r"\\\s*\n", " ", commands)
    for line in joined.splitlines():
        match = re.search(r"\bpy\.?test\b", line)
        if match:
            rest = re.sub(r"\{posargs:?([^}]*)\}", r"\1", line[match.end() :])
            words = shlex_words(re.sub(r"\[?\{?toxinidir\}?\]?/", "", rest))
            return [w for w in words if "{" not in w]
    return []


def _nox(tree: Path) -> Session | None:
    """The nox session that runs the tests; what it installs and the arguments that stand there."""
    module = static.parse(static.text(tree / "noxfile.py"))
    if module is None:
        return None
    names = static.assigned(module)
    for function in module.body:
        if not isinstance(function, ast.FunctionDef):
            continue
        runs = [_literals(c, names) for c in static.calls(function, "run")]
        runs = [r for r in runs if RUNNERS.search(" ".join(r))]
        if runs:
            session = Session(words=_words(" ".join(w for w in runs[0] if "{" not in w)))
            for call in static.calls(function, "install"):
                _installed(tree, session, _literals(call, names))
            return session
    return None


def _literals(call: ast.Call, names: dict[str, object]) -> list[str]:
    found = []
    for argument in call.args:
        inner = argument.value if isinstance(argument, ast.Starred) else argument
        value = static.literal(inner, names)
        found += [value] if isinstance(value, str) else static.strings(value)
    return found


def _installed(tree: Path, session: Session, words: list[str]) -> None:
    words = list(words)
    while words:
        word = words.pop(0)
        extras = re.match(r"\.\[([^\]]+)\]", word)
        if extras:
            session.extras += re.split(r"\s*,\s*", extras[1])
        elif word in ("-r", "--requirement") and words:
            session.requires += read_requirements(tree, tree / words.pop(0))
        elif word == "--group" and words:
            session.groups.append(words.pop(0))
        elif not word.startswith(("-", ".")):
            session.requires.append(word)


def named(tree: Path, version: str) -> dict[str, list[str]]:
    """Every requirement the tree names, by distribution."""
    return gather(tree, read(tree), version).named
