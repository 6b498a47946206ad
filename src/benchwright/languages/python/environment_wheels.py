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

GLIBC = 28
"""Wheels for an older or equal manylinux are taken, whatever this machine could run."""


def wheels(packages: Sequence[Locked], version: str, progress: Callable[[str], None]) -> list[Path]:
    """A wheel on this machine for each package, in their order.

    Raises:
        RecipeError: a package has no wheel that fits this interpreter.
        BuildError: the index can't be reached, or gives other bytes than were locked.
    """
    with ThreadPoolExecutor(max_workers=8) as pool:
        return list(pool.map(lambda item: wheel(item, version, progress), packages))


def wheel(item: Locked, version: str, progress: Callable[[str], None]) -> Path:
    """The best wheel of one package: from the cache if it is there, else downloaded."""
    kept = [w for h in item.hashes if (w := _kept(h)) and rank(w.name, version) is not None]
    if kept:
        return min(kept, key=lambda w: rank(w.name, version) or 0)
    fitting: list[tuple[int, DistributionPackage]] = []
    for file in files(item.name):
        place = rank(file.filename, version) if file.package_type == "wheel" else None
        if place is not None and f"sha256:{file.digests.get('sha256')}" in item.hashes:
            fitting.append((place, file))
    if not fitting:
        raise RecipeError(f"{item.name} {item.version}: no wheel of it fits Python {version}")
    best = min(fitting, key=lambda pair: pair[0])[1]
    progress(f"downloading {best.filename}")
    return keep(best, item)


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
