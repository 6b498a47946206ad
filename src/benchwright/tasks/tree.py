"""Trees we write ourselves, and their digests (submitted ones go through the sandbox's freeze)."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from benchwright.formats import canonical


def walk(root: Path, skip: tuple[str, ...] = ()) -> Iterator[tuple[str, Path]]:
    """Every file and link below `root` with its POSIX path, sorted; caches are left out."""
    for folder, folders, files in os.walk(root):
        base = Path(folder).relative_to(root)
        folders[:] = sorted(
            f for f in folders if f != "__pycache__" and (base / f).as_posix() not in skip
        )
        linked = [f for f in folders if (Path(folder) / f).is_symlink()]
        for name in sorted([*files, *linked]):
            if not name.endswith(".pyc"):
                yield (base / name).as_posix(), Path(folder) / name


def plant(files: Mapping[str, bytes], root: Path) -> None:
    """Write files below `root`, with the folders that they need."""
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


@cache
def program() -> str:
    """The digest of this program's own files: what it made before it changed isn't used again."""
    return digest(Path(__file__).parents[1])


def digest(root: Path, skip: tuple[str, ...] = ()) -> str:
    """`sha256:…` of the names, kinds, execute bits and bytes of a tree."""
    entries: list[list[str]] = []
    for name, path in walk(root, skip):
        if path.is_symlink():
            entries.append([name, "link", str(path.readlink())])
        else:
            kind = "exec" if os.access(path, os.X_OK) else "file"
            entries.append([name, kind, hashlib.sha256(path.read_bytes()).hexdigest()])
    return "sha256:" + hashlib.sha256(canonical(sorted(entries))).hexdigest()
