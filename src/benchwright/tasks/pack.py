"""Packing: a task as two archives, one for everybody and one for the judge.

The same task gives the same bytes. Every member of the sealed archive carries the task's canary,
so that a copy of it that turns up somewhere can be told.
"""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

import tomli_w

from benchwright.formats import StorageError, boundary

from .task import Task
from .tree import walk

SEALED = ("tests", "solution", "validation")
TIME = 1_577_836_800
"""Of every member: the start of 2020."""


def pack(task: Task, out: Path) -> tuple[Path, Path]:
    """Write `NAME.public.tar.gz` and `NAME.sealed.tar.gz` into the folder `out`.

    Raises:
        StorageError: they can't be written.
    """
    name = task.name.replace("/", "-")
    public, sealed = out / f"{name}.public.tar.gz", out / f"{name}.sealed.tar.gz"
    canary = task.settings.canary
    with boundary(StorageError, f"{out}: can't be written"):
        out.mkdir(parents=True, exist_ok=True)
        _write(public, _public(task), {})
        _write(sealed, _sealed(task), {"comment": canary} if canary else {})
    return public, sealed


def _public(task: Task) -> Iterator[tuple[str, Path | bytes]]:
    """What an agent may see; the canary is only for sealed files."""
    config = task.config.model_dump(mode="json", exclude_none=True)
    config["benchwright"].pop("canary", None)
    yield "task.toml", tomli_w.dumps(config).encode()
    yield "instruction.md", task.instruction
    yield from _below(task.root, "environment")


def _sealed(task: Task) -> Iterator[tuple[str, Path | bytes]]:
    yield "task.toml", task.root / "task.toml"
    for part in SEALED:
        yield from _below(task.root, part)


def _below(root: Path, part: str) -> Iterator[tuple[str, Path]]:
    """Every folder, file and link of a part, empty folders included."""
    found = {f"{part}/{name}": path for name, path in walk(root / part)}
    for folder, folders, _ in os.walk(root / part):
        folders[:] = [f for f in folders if f != "__pycache__"]
        found[Path(folder).relative_to(root).as_posix()] = Path(folder)
    yield from sorted(found.items())


def _write(
    path: Path, members: Iterator[tuple[str, Path | bytes]], headers: dict[str, str]
) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
    try:
        with (
            os.fdopen(handle, "wb") as file,
            gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=TIME) as packed,
            tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
        ):
            for name, source in members:
                _add(archive, name, source, headers)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _add(
    archive: tarfile.TarFile, name: str, source: Path | bytes, headers: dict[str, str]
) -> None:
    info = tarfile.TarInfo(name)
    info.mtime, info.pax_headers = TIME, dict(headers)
    if isinstance(source, bytes):
        info.size = len(source)
        archive.addfile(info, io.BytesIO(source))
    elif source.is_symlink():
        info.type, info.linkname, info.mode = tarfile.SYMTYPE, str(source.readlink()), 0o777
        archive.addfile(info)
    elif source.is_dir():
        info.type, info.mode = tarfile.DIRTYPE, 0o755
        archive.addfile(info)
    else:
        with source.open("rb") as file:
            info.size = source.stat().st_size
            info.mode = 0o755 if os.access(source, os.X_OK) else 0o644
            archive.addfile(info, file)
