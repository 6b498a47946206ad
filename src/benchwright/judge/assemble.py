"""The judged tree: upstream's tree without the product, the submission's product, the hidden tests.

Everything is written by one writer with one time and two modes, so that a file's metadata says
nothing about where it came from. Of a submission only the product's paths cross, and of those not
what would steer the interpreter or the runner.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from benchwright.formats import Edit, InfraError, Settings, apply, boundary
from benchwright.tasks import Task, walk

EPOCH = 1_577_836_800
"""Time of every file in a judged tree: the start of 2020."""
BLOCK, INODE = 4096, 1024
HOOKS = ("sitecustomize", "usercustomize")
ENDINGS = (".pth", ".egg-info", ".dist-info")


@dataclass(frozen=True, slots=True)
class HiddenFile:
    """One hidden file as it will stand in the judged tree."""

    data: bytes
    executable: bool = False
    link: str = ""
    """Where it leads, if it is a link."""


def assemble(task: Task, product: Path | None, dest: Path) -> tuple[str, ...]:
    """Build the judged tree in the new folder `dest`.

    Args:
        task: whose scaffold and hidden tests.
        product: a frozen tree to take the product's paths from; None for no product at all.
        dest: doesn't exist yet.

    Returns:
        Files of the product that were left out, because they would steer the judge.
    """
    with boundary(InfraError, "the judged tree can't be written"):
        dest.mkdir(parents=True)
        if task.scaffold.is_dir():
            for name, path in walk(task.scaffold):
                put(dest, name, path)
        dropped = []
        for name, path in product_files(task.settings, product) if product else ():
            if steers(name, task.settings):
                dropped.append(name)
                own = task.workspace / name
                if own.is_file() and not own.is_symlink():
                    put(dest, name, own)
            else:
                put(dest, name, path)
        write_tests(dest, hidden(task))
    return tuple(dropped)


def product_files(settings: Settings, tree: Path) -> Iterator[tuple[str, Path]]:
    """The files and links of a frozen tree that are the product's."""
    for top in settings.product.paths:
        path = tree / top
        if not inside_plain(tree, top):
            continue
        if path.is_dir() and not path.is_symlink():
            for below, file in walk(path):
                name = (PurePosixPath(top) / below).as_posix()
                if name not in settings.product.without and not replaced(name, top, settings):
                    yield name, file
        elif path.is_symlink() or path.is_file():
            yield PurePosixPath(top).as_posix(), path


def replaced(name: str, top: str, settings: Settings) -> bool:
    """Whether a file stands among the tests inside a product's folder: all of those are the
    task's. A resolution's workspace shows its tests; what of them is hidden is laid over.
    """
    if settings.kind == "resolution":
        return False
    inner = [path for path in settings.runner.paths if path != top]
    return any(
        PurePosixPath(path).is_relative_to(top) and PurePosixPath(name).is_relative_to(path)
        for path in inner
    )


def inside_plain(tree: Path, name: str) -> bool:
    """Whether no folder on the way to `name` is a link."""
    parents = list(PurePosixPath(name).parents)[:-1]
    return not any((tree / parent).is_symlink() for parent in parents)


def steers(name: str, settings: Settings) -> bool:
    """Whether a file of a submission would act on the interpreter or the runner by its place."""
    path = PurePosixPath(name)
    if path.suffix == ".pyc" or any(hooks(path, root) for root in settings.product.roots):
        return True
    return path.name == "conftest.py" and any(
        near(path.parent, PurePosixPath(top)) for top in settings.runner.paths or (".",)
    )


def hooks(path: PurePosixPath, root: str) -> bool:
    """Whether a file directly below a folder of the import path is more than a module there."""
    if not path.is_relative_to(root):
        return False
    top = "".join(path.relative_to(root).parts[:1])
    return top.partition(".")[0] in HOOKS or top.endswith(ENDINGS)


def near(folder: PurePosixPath, collected: PurePosixPath) -> bool:
    """Whether the runner looks for its configuration in `folder` when it collects `collected`."""
    return folder.is_relative_to(collected) or collected.is_relative_to(folder)


def put(dest: Path, name: str, source: Path) -> None:
    """Copy one file or link to `name` below `dest`; nothing is written through a link."""
    target = make_way(dest, name)
    if source.is_symlink():
        target.symlink_to(source.readlink())
    else:
        shutil.copyfile(source, target)
        target.chmod(0o755 if os.access(source, os.X_OK) else 0o644)


def make_way(dest: Path, name: str) -> Path:
    """The path of `name` below `dest`, free and with real folders all the way."""
    target = dest
    for part in PurePosixPath(name).parts[:-1]:
        target = target / part
        if target.is_symlink() or target.is_file():
            target.unlink()
        target.mkdir(exist_ok=True)
    target = dest / name
    if target.is_symlink() or target.is_file():
        target.unlink()
    elif target.is_dir():
        shutil.rmtree(target)
    return target


def hidden(task: Task) -> dict[str, HiddenFile]:
    """Every hidden file."""
    return {name: read_hidden(path) for name, path in walk(task.hidden)}


def read_hidden(path: Path) -> HiddenFile:
    """One hidden file."""
    if path.is_symlink():
        return HiddenFile(b"", link=str(path.readlink()))
    return HiddenFile(path.read_bytes(), os.access(path, os.X_OK))


def edited(files: Mapping[str, HiddenFile], edits: Iterable[Edit]) -> dict[str, HiddenFile]:
    """The hidden files with edits made."""
    by_file: dict[str, dict[Edit, None]] = {}
    for edit in edits:
        by_file.setdefault(edit.file, {})[edit] = None
    return {
        name: replace(file, data=apply(file.data, by_file.get(name, ())))
        for name, file in files.items()
    }


def write_tests(dest: Path, files: Mapping[str, HiddenFile]) -> None:
    """Write every hidden file, changed or not, in one order and with one time."""
    for name in sorted(files):
        file, target = files[name], make_way(dest, name)
        if file.link:
            target.symlink_to(file.link)
        else:
            target.write_bytes(file.data)
            target.chmod(0o755 if file.executable else 0o644)
    stamp(dest)


def stamp(dest: Path) -> None:
    """Give every file and folder the same time, and folders the same mode."""
    for folder, _, files in os.walk(dest, topdown=False):
        for name in files:
            os.utime(Path(folder, name), (EPOCH, EPOCH), follow_symlinks=False)
        Path(folder).chmod(0o755)
        os.utime(folder, (EPOCH, EPOCH))


def weight(tree: Path) -> int:
    """Bytes of scratch space that a copy of a tree takes."""
    found = 0
    for folder, folders, files in os.walk(tree):
        sizes = [os.lstat(Path(folder, name)).st_size for name in files]
        found += sum(-(-size // BLOCK) * BLOCK for size in sizes)
        found += INODE * (len(files) + len(folders))
    return found
