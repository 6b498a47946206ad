"""Distributions that come without wheels: built in a box, offline, before they are chosen or used.

The lock names the source distribution's sha256; the wheel that is built from it stays on this
machine.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from benchwright.formats import Lock, Locked, Recipe, RecipeError, cache_root, once, seal
from benchwright.sandbox import Mount
from benchwright.sources import Fetched, fetch, files

from .detect import metadata, static
from .environment_box import inside, reclaim

Install = Callable[[Recipe, Lock, Path], None]
"""Builds an environment into a folder."""
Choose = Callable[[Recipe, tuple[str, ...]], tuple[Locked, ...]]
"""Chooses versions for requirements."""


def newest(name: str, requires: tuple[str, ...], until: datetime | None) -> Fetched:
    """The newest source distribution of a project that requirements and a date allow.

    Raises:
        RecipeError: there is none.
    """
    allowed = [r.specifier for line in requires if (r := _named(line, name))]
    found: list[Version] = []
    for file in files(name):
        late = until and file.upload_time and file.upload_time > until
        if file.package_type == "sdist" and not file.is_yanked and not late:
            version = _version(file.version)
            if version and all(version in specifier for specifier in allowed):
                found.append(version)
    if not found:
        raise RecipeError(f"{name}: neither a wheel nor a source of it fits")
    return fetch(f"pypi:{name}=={max(found)}")


def _named(line: str, name: str) -> Requirement | None:
    try:
        parsed = Requirement(line)
    except InvalidRequirement:
        return None
    return parsed if canonicalize_name(parsed.name) == canonicalize_name(name) else None


def _version(text: str | None) -> Version | None:
    try:
        return Version(text or "")
    except InvalidVersion:
        return None


def wheel(source: Fetched, recipe: Recipe, choose: Choose, install: Install) -> Path:
    """The wheel of a source distribution, built once for this interpreter version.

    Raises:
        RecipeError: its build fails; the last line of its complaint is given.
    """
    folder = cache_root() / "built" / f"{source.pin.archive}-{recipe.version}"
    return next(once(folder, lambda made: _build(source, recipe, choose, install, made)).iterdir())


def _build(source: Fetched, recipe: Recipe, choose: Choose, install: Install, made: Path) -> None:
    said = metadata.read(source.tree)
    system = static.tables(static.toml(source.tree / "pyproject.toml"), "build-system")
    plain = Recipe(language="python", version=recipe.version, newest=recipe.newest)
    lock = Lock(recipe="", packages=choose(plain, tuple(said.build_requires)))
    config = {
        "what": "wheel",
        "backend": said.backend or "setuptools.build_meta:__legacy__",
        "path": static.strings(system.get("backend-path")),
    }
    with tempfile.TemporaryDirectory(prefix="benchwright-", ignore_cleanup_errors=True) as scratch:
        env, out = Path(scratch) / "built", Path(scratch) / "out"
        env.mkdir()
        out.mkdir()
        install(plain, lock, env)
        mounts = [Mount(f"/{p.name}", "ro", p) for p in sorted(env.iterdir())]
        mounts += [Mount("/src", "overlay", source.tree, size=1 << 30), Mount("/out", "rw", out)]
        done = inside("build", config, mounts, writable=out, python="/env/bin/python")
        reclaim(out)
        wheels = [p for p in out.glob("*.whl") if p.is_file() and not p.is_symlink()]
        if done.exit_code or len(wheels) != 1:
            lines = done.stderr.decode(errors="replace").strip().splitlines() or ["no reason given"]
            why = ascii(lines[-1])[1:200]
            raise RecipeError(f"{said.name} {said.version} has no wheel and can't be built: {why}")
        shutil.copyfile(wheels[0], made / wheels[0].name)
    seal(made)
