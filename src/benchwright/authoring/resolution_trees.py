"""The trees of a resolution: the base, the reference, and what the tests' change touches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchwright.formats import SourceError
from benchwright.judge import apply_patch
from benchwright.sandbox import Sandbox
from benchwright.tasks import walk


@dataclass(frozen=True, slots=True)
class Trees:
    """Three trees and how they differ."""

    base: Path
    """What the agent starts from."""
    solution: Path
    """The base with the reference change."""
    tested: Path
    """The base with the tests' change."""
    hidden: tuple[str, ...]
    """Files that the tests' change adds or alters, at their final state in `tested`."""
    without: tuple[str, ...]
    """Files that the tests' change removes or renames away."""
    applied: Mapping[str, str]
    """How each of the two patches was applied."""


def grow(base: Path, patch: bytes, test_patch: bytes, work: Path, sandbox: Sandbox) -> Trees:
    """Apply both patches, each to the base.

    Raises:
        SourceError: one doesn't apply, or the tests' change touches nothing.
        SandboxError: no box, or no git in it.
    """
    ways = {}
    for name, text in (("patch", patch), ("test_patch", test_patch)):
        applied = apply_patch(base, text, work / name, sandbox)
        if not applied:
            raise SourceError(f"the {name} doesn't apply to the base: {applied.why}")
        ways[name] = applied.how
    changed, removed = compare(base, work / "test_patch")
    if not changed:
        raise SourceError("the tests' change adds and alters no file")
    return Trees(base, work / "patch", work / "test_patch", changed, removed, ways)


def compare(before: Path, after: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The files that are new or different, and those that are gone."""
    old, new = dict(walk(before)), dict(walk(after))
    changed = [n for n, path in new.items() if n not in old or _differ(old[n], path)]
    return tuple(changed), tuple(name for name in old if name not in new)


def _differ(one: Path, other: Path) -> bool:
    if one.is_symlink() or other.is_symlink():
        return not (one.is_symlink() and other.is_symlink() and one.readlink() == other.readlink())
    if (one.stat().st_mode ^ other.stat().st_mode) & 0o100:
        return True
    return one.stat().st_size != other.stat().st_size or one.read_bytes() != other.read_bytes()
