"""Wheels: the one file of each locked package that fits, downloaded and checked."""

from __future__ import annotations

import hashlib
import os
import platform
import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from packaging.tags import Tag, compatible_tags, cpython_tags
from packaging.utils import InvalidWheelFilename, parse_wheel_filename
from pypi_simple import DistributionPackage

from benchwright.formats import BuildError, Locked, RecipeError, cache_root, once
from benchwright.sources import download, files

Build = Callable[[Locked], Path]
"""Builds the wheel of a package from its locked source."""
GLIBC = 28
"""Wheels for an older or equal manylinux are taken, whatever this machine could run."""


def wheels(
    packages: Sequence[Locked], version: str, build: Build, progress: Callable[[str], None]
) -> list[Path]:
    """A wheel on this machine for each package, in their order; `build` makes what has none.

    Raises:
        RecipeError: a package has no file that fits this interpreter.
        BuildError: the index can't be reached, or gives other bytes than were locked.
    """
    with ThreadPoolExecutor(max_workers=8) as pool:
        return list(pool.map(lambda item: wheel(item, version, build, progress), packages))


def wheel(item: Locked, version: str, build: Build, progress: Callable[[str], None]) -> Path:
    """The best wheel of one package: from the cache if it is there, else downloaded or built."""
    kept = [w for h in item.hashes if (w := _kept(h)) and rank(w.name, version) is not None]
    if kept:
        return min(kept, key=lambda w: rank(w.name, version) or 0)
    locked = [f for f in files(item.name) if f"sha256:{f.digests.get('sha256')}" in item.hashes]
    places = {f.filename: p for f in locked if (p := rank(f.filename, version)) is not None}
    if places:
        best = min((f for f in locked if f.filename in places), key=lambda f: places[f.filename])
        progress(f"downloading {best.filename}")
        return keep(best, item)
    if any(f.package_type == "sdist" for f in locked):
        progress(f"building {item.name} {item.version}, which has no wheel")
        return build(item)
    raise RecipeError(f"{item.name} {item.version}: no file of it fits Python {version}")


def keep(file: DistributionPackage, item: Locked) -> Path:
    """Download a file into the cache under its own sha256."""
    sha256 = file.digests["sha256"]

    def make(made: Path) -> None:
        download(file, made / Path(file.filename).name)
        found = hashlib.sha256((made / Path(file.filename).name).read_bytes()).hexdigest()
        if f"sha256:{found}" not in item.hashes:
            raise BuildError(f"{file.filename}: the index gave other bytes than were locked")

    folder = once(_folder(sha256), make)
    return next(folder.iterdir())


def _folder(sha256: str) -> Path:
    return cache_root() / "wheels" / sha256


def _kept(digest: str) -> Path | None:
    folder = _folder(digest.removeprefix("sha256:"))
    return next(folder.iterdir()) if folder.is_dir() else None


def rank(filename: str, version: str) -> int | None:
    """How well a wheel fits an interpreter (lower is better), or None where it doesn't."""
    try:
        tags = parse_wheel_filename(os.path.basename(filename))[3]  # noqa: PTH119 - a name of others
    except InvalidWheelFilename:
        return None
    order = _order(version)
    return min((order[tag] for tag in tags if tag in order), default=None)


@cache
def _order(version: str) -> dict[Tag, int]:
    major, minor = (int(n) for n in re.findall(r"\d+", version)[:2])
    machine = platform.machine()
    platforms = [f"manylinux_2_{n}_{machine}" for n in range(GLIBC, 4, -1)]
    if machine in ("x86_64", "aarch64"):
        platforms.append(f"manylinux2014_{machine}")
    if machine == "x86_64":
        platforms += ["manylinux2010_x86_64", "manylinux1_x86_64"]
    platforms.append(f"linux_{machine}")
    tags = [
        *cpython_tags((major, minor), platforms=platforms),
        *compatible_tags((major, minor), f"cp{major}{minor}", platforms),
    ]
    return {tag: i for i, tag in reversed(list(enumerate(tags)))}
