"""The workspaces that attacks are tried on: untouched, half solved, solved but for a little."""

from __future__ import annotations

import ast
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from benchwright.formats import InputError, SourceError
from benchwright.languages import get
from benchwright.tasks import Task, plant, walk

Size = Literal["empty", "half", "most"]
SIZES: tuple[Size, ...] = ("empty", "half", "most")
WINDOW: dict[Size, tuple[float, float]] = {"half": (0.3, 0.7), "most": (0.85, 0.995)}
"""Shares of tests that should pass."""
START: dict[Size, float] = {"half": 0.12, "most": 0.02}
"""Shares of functions that are taken out at first."""
TRIES = 14

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Solved:
    """A workspace, and how much of it is solved."""

    path: Path
    size: Size
    removed: tuple[str, ...]
    """Functions that were taken out, as `file:name`."""


def grow(task: Task, size: Size, dest: Path, passes: Callable[[Path], float], seed: int) -> Solved:
    """Make a workspace of a size.

    Args:
        task: whose.
        size: how much is solved.
        dest: a folder for it, which doesn't exist yet.
        passes: measures the share of tests that pass on a workspace.
        seed: draws what is taken out.

    Raises:
        InputError: no such workspace can be made of this task.
    """
    if size == "empty":
        write(task.workspace, dest, {})
        return Solved(dest, size, ())
    names = removable(task)
    if not names:
        raise InputError(f"{task.root}: no function can be taken out of its reference")
    low, high = WINDOW[size]
    share = START[size]
    best: tuple[float, Path, list[str]] | None = None
    for attempt in range(TRIES):
        chance = random.Random(seed * 1000 + attempt)  # noqa: S311 - reproducible
        count = max(1, round(share * len(names)))
        removed = chance.sample(names, min(count, len(names)))
        path = dest.with_name(f"{dest.name}-{attempt}")
        write(task.workspace, path, mixed(task, removed))
        score = passes(path)
        off = max(low - score, score - high, 0.0)
        if best is None or off < best[0]:
            best = (off, path, removed)
        if not off:
            break
        share = min(0.9, share * 1.7) if score > high else share / 1.7
    assert best is not None
    best[1].rename(dest)
    return Solved(dest, size, tuple(best[2]))


def write(workspace: Path, dest: Path, files: dict[str, bytes]) -> None:
    """A workspace with some files replaced."""
    found = {name: p.read_bytes() for name, p in walk(workspace) if not p.is_symlink()}
    dest.mkdir(parents=True)
    plant({**found, **files}, dest)


def sources(task: Task) -> Iterator[tuple[str, bytes]]:
    """The reference's Python files."""
    for name, path in walk(task.solution):
        if PurePosixPath(name).suffix == ".py" and not path.is_symlink():
            yield name, path.read_bytes()


def removable(task: Task) -> list[str]:
    """Functions whose bodies the workspace doesn't have, as `file:name`."""
    found = []
    for name, data in sources(task):
        own = task.workspace / name
        skeleton = dict(functions(own.read_bytes())) if own.is_file() else {}
        for qualified, node in functions(data):
            own_node = skeleton.get(qualified)
            missing = own_node is None or ast.dump(own_node) != ast.dump(node)
            if missing and "<locals>" not in qualified:
                found.append(f"{name}:{qualified}")
    return found


def functions(source: bytes) -> list[tuple[str, Function]]:
    """The functions of a file by the names that skeletons use."""
    found: list[tuple[str, Function]] = []
    seen: Counter[str] = Counter()

    def visit(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            if isinstance(node, Function | ast.ClassDef):
                plain = prefix + node.name
                seen[plain] += 1
                name = plain if seen[plain] == 1 else f"{plain}#{seen[plain]}"
                if isinstance(node, Function):
                    found.append((name, node))
                    visit(node.body, f"{name}.<locals>.")
                else:
                    visit(node.body, f"{name}.")
            else:
                for field in ("body", "orelse", "finalbody"):
                    visit(getattr(node, field, []), prefix)
                for handler in getattr(node, "handlers", []):
                    visit(handler.body, prefix)

    try:
        visit(ast.parse(source).body, "")
    except (SyntaxError, ValueError):
        return []
    return found


def mixed(task: Task, removed: list[str]) -> dict[str, bytes]:
    """The reference without some functions."""
    language = get(task.settings.language)
    files = {name: p.read_bytes() for name, p in walk(task.solution) if not p.is_symlink()}
    for name, data in sources(task):
        mine = {r.partition(":")[2] for r in removed if r.partition(":")[0] == name}
        if not mine:
            continue
        keep = frozenset(q for q, _ in functions(data) if q not in mine)
        try:
            files[name] = language.stub(data, keep).text
        except SourceError:
            continue
    return files
