"""What a project says about itself in `pyproject.toml`, `setup.cfg`, `setup.py` and `PKG-INFO`."""

from __future__ import annotations

import email.parser
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from . import static


@dataclass(slots=True)
class Metadata:
    """Collected from the most to the least reliable place; what is known first stays."""

    name: str = ""
    version: str = ""
    requires_python: str = ""
    dependencies: list[str] = field(default_factory=list)
    extras: dict[str, list[str]] = field(default_factory=dict)
    groups: dict[str, list[str]] = field(default_factory=dict)
    build_requires: list[str] = field(default_factory=list)
    backend: str = ""
    notes: list[str] = field(default_factory=list)

    def take(self, where: str, **values: Any) -> None:
        """Take over what isn't known yet; requirements that can't be read are noted."""
        for key in ("name", "version", "requires_python", "backend"):
            value = values.get(key)
            if isinstance(value, str) and value.strip() and not getattr(self, key):
                setattr(self, key, value.strip())
        for key in ("dependencies", "build_requires"):
            if not getattr(self, key):
                setattr(self, key, self.readable(where, values.get(key)))
        for key in ("extras", "groups"):
            known: dict[str, list[str]] = getattr(self, key)
            for name, items in (values.get(key) or {}).items():
                readable = self.readable(where, items)
                if readable and name not in known:
                    known[str(name)] = readable

    def readable(self, where: str, items: Any) -> list[str]:
        """Those of the requirements that follow the notation."""
        good = []
        for item in static.strings(items):
            line = item.split(" #")[0].strip()
            if line and not line.startswith("#"):
                if requirement(line) is None:
                    self.notes.append(f"{where}: the requirement {line!a} can't be read: left out")
                else:
                    good.append(line)
        return good


def requirement(line: str) -> Requirement | None:
    """A requirement, or None where it can't be read or names a place instead of a version."""
    try:
        parsed = Requirement(line)
    except InvalidRequirement:
        return None
    return None if parsed.url else parsed


def read(tree: Path) -> Metadata:
    """Everything the tree states, without running any of it."""
    data = Metadata()
    project = static.toml(tree / "pyproject.toml")
    _pyproject(data, project)
    _poetry(data, static.tables(project, "tool", "poetry"))
    _flit(data, static.tables(project, "tool", "flit"))
    _setup_cfg(data, tree / "setup.cfg")
    _setup_py(data, tree / "setup.py")
    for place in (tree / "PKG-INFO", *sorted(tree.glob("*.egg-info/PKG-INFO"))):
        _pkg_info(data, place)
    if "requires" not in static.tables(project, "build-system"):
        data.build_requires = ["setuptools"]
    if any(same(r.name, "setuptools") for r in map(requirement, data.build_requires) if r):
        data.build_requires.append("wheel")  # older ones ask for it only when they run
    return data


def _pyproject(data: Metadata, table: dict[str, Any]) -> None:
    project = static.tables(table, "project")
    data.take(
        "pyproject.toml",
        name=project.get("name"),
        version=project.get("version"),
        requires_python=project.get("requires-python"),
        dependencies=project.get("dependencies"),
        extras=static.tables(project, "optional-dependencies"),
        groups=_groups(static.tables(table, "dependency-groups")),
        build_requires=static.tables(table, "build-system").get("requires"),
        backend=static.tables(table, "build-system").get("build-backend"),
    )
    pdm = static.tables(table, "tool", "pdm", "dev-dependencies")
    uv = static.tables(table, "tool", "uv").get("dev-dependencies")
    data.take("pyproject.toml", groups={**pdm, "uv-dev": uv})
    for name, env in static.tables(table, "tool", "hatch", "envs").items():
        wanted = static.strings(static.tables(env).get("dependencies"))
        wanted += static.strings(static.tables(env).get("extra-dependencies"))
        data.take("pyproject.toml", groups={f"hatch-{name}": wanted})


def _groups(groups: dict[str, Any]) -> dict[str, list[str]]:
    """Dependency groups with the groups they include."""

    def flat(name: str, seen: tuple[str, ...]) -> list[str]:
        found: list[str] = []
        for item in groups.get(name) or []:
            if isinstance(item, str):
                found.append(item)
            elif isinstance(item, dict) and item.get("include-group") not in (None, *seen):
                found += flat(str(item["include-group"]), (*seen, name))
        return found

    return {name: flat(name, (name,)) for name in groups if isinstance(groups[name], list)}


def _poetry(data: Metadata, poetry: dict[str, Any]) -> None:
    if not poetry:
        return
    wanted = dict(static.tables(poetry, "dependencies"))
    python = wanted.pop("python", "")
    optional = {k for k, v in wanted.items() if static.tables(v).get("optional")}
    lines = {name: poetry_lines(name, value) for name, value in wanted.items()}
    groups = {"dev": static.tables(poetry, "dev-dependencies")}
    for name, group in static.tables(poetry, "group").items():
        groups[name] = static.tables(group, "dependencies")
    data.take(
        "pyproject.toml",
        name=poetry.get("name"),
        version=poetry.get("version"),
        requires_python=_poetry_range(python) if isinstance(python, str) else "",
        dependencies=[x for name, some in lines.items() if name not in optional for x in some],
        extras={
            extra: [line for n in static.strings(names) for line in lines.get(n, ())]
            for extra, names in static.tables(poetry, "extras").items()
        },
        groups={
            name: [line for n, v in group.items() for line in poetry_lines(n, v)]
            for name, group in groups.items()
        },
    )


def poetry_lines(name: str, value: Any) -> list[str]:
    """A dependency, or several for several interpreters, as requirements."""
    values = value if isinstance(value, list) else [value]
    return [line for item in values if (line := poetry_line(name, item))]


def poetry_line(name: str, value: Any) -> str:
    """A dependency in Poetry's notation as a requirement; nothing for a path or a repository."""
    if isinstance(value, str):
        return f"{name}{_poetry_range(value)}"
    table = static.tables(value)
    if "version" not in table:
        return ""
    extras = f"[{','.join(static.strings(table.get('extras')))}]" if table.get("extras") else ""
    markers = [str(table["markers"])] if "markers" in table else []
    python = _poetry_range(str(table.get("python", "")))
    markers += [f"python_version{op}'{v}'" for op, v in re.findall(r"([<>=!~]+)([\d.*]+)", python)]
    tail = f"; {' and '.join(f'({m})' for m in markers)}" if markers else ""
    return f"{name}{extras}{_poetry_range(str(table['version']))}{tail}"


def _poetry_range(version: str) -> str:
    """Poetry's `^1.2`, `~1.2` and `1.2` as specifiers; of alternatives (`||`) the first."""
    if "||" in version:
        return _poetry_range(version.split("||")[0].strip()).split(",")[0]
    parts = []
    for part in filter(None, re.split(r"[,\s]+(?=[<>=!~^*\d])", version.strip())):
        match = re.fullmatch(r"([\^~])\s*(\d[\w.]*)", part)
        if part == "*":
            continue
        if match is None:
            parts.append(f"=={part}" if part[0].isdigit() else part)
            continue
        numbers = [int(n) for n in re.findall(r"\d+", match[2])]
        if match[1] == "^":
            at = next((i for i, n in enumerate(numbers) if n), len(numbers) - 1)
        else:
            at = min(1, len(numbers) - 1)
        upper = [*numbers[:at], numbers[at] + 1]
        parts.append(f">={match[2]},<{'.'.join(map(str, upper))}")
    return ",".join(parts)


def _flit(data: Metadata, flit: dict[str, Any]) -> None:
    table = static.tables(flit, "metadata")
    data.take(
        "pyproject.toml",
        name=table.get("dist-name") or table.get("module"),
        requires_python=table.get("requires-python"),
        dependencies=table.get("requires"),
        extras=static.tables(table, "requires-extra"),
    )


def _setup_cfg(data: Metadata, path: Path) -> None:
    parser = static.ini(path)

    def get(section: str, key: str) -> str:
        value = parser.get(section, key, fallback="") or ""
        return "" if value.startswith(("attr:", "file:")) else value

    extras = "options.extras_require"
    data.take(
        "setup.cfg",
        name=get("metadata", "name"),
        version=get("metadata", "version"),
        requires_python=get("options", "python_requires"),
        dependencies=get("options", "install_requires"),
        extras={k: v or "" for k, v in parser.items(extras)} if parser.has_section(extras) else {},
        groups={"tests_require": get("options", "tests_require")},
    )


def _setup_py(data: Metadata, path: Path) -> None:
    found = static.call_arguments(static.text(path), "setup")
    requires = found.get("extras_require")
    data.take(
        "setup.py",
        name=found.get("name"),
        version=found.get("version"),
        requires_python=found.get("python_requires"),
        dependencies=found.get("install_requires"),
        extras=requires if isinstance(requires, dict) else {},
        groups={"tests_require": found.get("tests_require")},
    )


def _pkg_info(data: Metadata, path: Path) -> None:
    message = email.parser.HeaderParser().parsestr(static.text(path))
    plain: list[str] = []
    extras: dict[str, list[str]] = {}
    for line in message.get_all("Requires-Dist") or []:
        extra = re.search(r"""extra\s*==\s*['"]([^'"]+)['"]""", str(line))
        if extra:
            bare = re.sub(r"""(\s+and\s+)?\(?\s*extra\s*==\s*['"][^'"]+['"]\)?""", "", str(line))
            extras.setdefault(extra[1], []).append(bare.rstrip().rstrip(";").rstrip())
        else:
            plain.append(str(line))
    data.take(
        path.name,
        name=str(message.get("Name") or ""),
        version=str(message.get("Version") or ""),
        requires_python=str(message.get("Requires-Python") or ""),
        dependencies=plain,
        extras=extras,
    )


def same(one: str, other: str) -> bool:
    """Whether two names are one distribution's."""
    return canonicalize_name(one) == canonicalize_name(other)
