"""`pypi:NAME==VERSION`: a source distribution of the package index."""

from __future__ import annotations

import re
from pathlib import Path

from packaging.utils import canonicalize_name, canonicalize_version
from packaging.version import Version
from pypi_simple import DistributionPackage

from benchwright.formats import SourceError, SourcePin, cache_root, once, parse, read_bytes, seal
from benchwright.tasks import digest

from . import index
from .spec import Fetched, Progress
from .unpack import unpack

SPEC = re.compile(
    r"(?P<name>[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)(?:==(?P<version>[^=\s]+))?"
)
ARCHIVES = (".tar.gz", ".zip", ".tgz", ".tar.bz2", ".tar.xz")


def fetch(rest: str, progress: Progress) -> Fetched:
    """Fetch `NAME==VERSION`, or the newest version of `NAME` that has a source distribution.

    Raises:
        SourceError: not a project name, no such project or version, no source distribution, or an
            archive that can't be unpacked safely.
        BuildError: the index can't be reached.
    """
    match = SPEC.fullmatch(rest)
    if match is None:
        raise SourceError(
            f"pypi:{rest!a}: not a project and version",
            hint="as pypi:tinydb==4.8.0; names have only ASCII letters, digits, '.', '_' and '-'",
        )
    name, wanted = canonicalize_name(match["name"]), match["version"]
    if wanted:
        kept = _folder(name, wanted)
        if kept.exists():
            return _read(kept)
    progress(f"asking the package index for {name}")
    package = choose(name, wanted, index.files(name))
    folder = _folder(name, str(package.version))
    return _read(once(folder, lambda made: _make(made, name, package, progress)))


def choose(name: str, wanted: str | None, files: list[DistributionPackage]) -> DistributionPackage:
    """The source distribution that was asked for, or the newest one."""
    versions = {v for f in files if (v := index.parsed(f.version))}
    sdists = [(v, f) for f in files if f.package_type == "sdist" and (v := index.parsed(f.version))]
    if wanted is None:
        finals = [(v, f) for v, f in sdists if not v.is_prerelease and not f.is_yanked]
        if not sdists:
            raise SourceError(f"{name}: no version has a source distribution", hint=WITHOUT)
        return max(finals or sdists, key=lambda pair: pair[0])[1]
    version = index.parsed(wanted)
    if version is None or version not in versions:
        raise SourceError(f"{name}: there is no version {wanted}", hint=_nearest(version, versions))
    found = [f for v, f in sdists if v == version and f.filename.endswith(ARCHIVES)]
    if not found:
        raise SourceError(f"{name} {wanted} has no source distribution", hint=WITHOUT)
    return min(
        found, key=lambda f: ARCHIVES.index(next(a for a in ARCHIVES if f.filename.endswith(a)))
    )


WITHOUT = "only a source distribution can hold tests; try another version"


def _nearest(version: Version | None, versions: set[Version]) -> str:
    ordered = sorted(versions)
    if version is None:
        near = ordered[-5:]
    else:
        below = [v for v in ordered if v < version][-3:]
        near = below + [v for v in ordered if v > version][: 5 - len(below)]
    return f"nearest: {', '.join(map(str, near))}" if near else "it has no versions at all"


def _folder(name: str, version: str) -> Path:
    return cache_root() / "sources" / "pypi" / name / canonicalize_version(version)


def _make(made: Path, name: str, package: DistributionPackage, progress: Progress) -> None:
    size = f" ({package.size / 1024:.0f} KiB)" if package.size else ""
    progress(f"downloading {package.filename}{size}")
    archive = made / package.filename
    sha256 = index.download(package, archive)
    notes = unpack(archive, made / "tree")
    pin = SourcePin(
        spec=f"pypi:{name}=={package.version}",
        archive=sha256,
        tree=digest(made / "tree"),
        released=package.upload_time,
    )
    (made / "notes.txt").write_text("\n".join(notes))
    (made / "pin.json").write_text(pin.model_dump_json())
    seal(made)


def _read(folder: Path) -> Fetched:
    path = folder / "pin.json"
    notes = (folder / "notes.txt").read_text().splitlines()
    return Fetched(parse(SourcePin, read_bytes(path), path), folder / "tree", tuple(notes))
