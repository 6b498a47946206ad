"""A completion's workspace: the product without its bodies, but still importable and collectable.

Which bodies must stay is found by execution: the functions of the reference that run while the
product is imported and its tests are collected. The skeleton is then collected itself; what runs in
it that didn't run in the reference stays too, until every test is collected.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchwright.formats import SourceError, printable
from benchwright.languages import Collected, Language, Stub

from .parts import Parts, copy
from .reference import Bench

TRIES = 6


@dataclass(frozen=True, slots=True)
class Skeleton:
    """What is left of the product."""

    files: Mapping[str, bytes]
    """Path -> text of every file that was changed."""
    removed: int
    """Bodies that were taken out."""
    kept: tuple[str, ...]
    """`file: function: reason` of those that stayed."""


def skeleton(
    bench: Bench,
    parts: Parts,
    wanted: Collected,
    ids: frozenset[str],
    tell: Callable[[str], None],
) -> Skeleton:
    """Make the skeleton of the product, in which all `ids` must be collected.

    Args:
        bench: what the suite runs on.
        parts: upstream's tree.
        wanted: what collecting the suite on the reference showed.
        ids: the tests that must be there.
        tell: told what is being done.

    Raises:
        SourceError: no skeleton can be made that collects every test the reference collects.
    """
    keep = {file: set(names) for file, names in wanted.entered.items()}
    for number in range(1, TRIES + 1):
        tell(f"making the skeleton, try {number}")
        made = _make(bench.rig.language, parts, keep)
        if not made.removed:
            raise SourceError("nothing is left to implement: every function runs at import")
        found = _collect(bench, parts, made)
        lacking = ids - set(found.ids)
        broken = {k: v for k, v in found.broken.items() if k not in wanted.broken}
        if not lacking and not broken:
            return made
        more = _more(found, keep)
        if not more:
            break
    why = next(iter([*broken.items(), *found.errors.items()]), ("", ""))
    raise SourceError(
        f"no skeleton collects all tests: {len(lacking)} are lost: "
        f"{printable(f'{why[0]}: {why[1]}', 400)}"
    )


def _make(language: Language, parts: Parts, keep: Mapping[str, set[str]]) -> Skeleton:
    files: dict[str, bytes] = {}
    kept: list[str] = []
    removed = 0
    for name in parts.product:
        path = parts.tree / name
        if not name.endswith(language.sources) or path.is_symlink():
            continue
        source = path.read_bytes()
        try:
            stub: Stub = language.stub(source, frozenset(keep.get(name, ())))
        except SourceError as error:
            raise SourceError(f"{name}: {error}") from None
        removed += stub.removed
        kept += [f"{name}: {reason}" for reason in stub.kept]
        if stub.text != source:
            files[name] = stub.text
    return Skeleton(files, removed, tuple(kept))


def _collect(bench: Bench, parts: Parts, made: Skeleton) -> Collected:
    with tempfile.TemporaryDirectory(prefix="benchwright-") as scratch:
        tree = Path(scratch) / "work"
        copy(
            parts.tree,
            (*parts.scaffold, *parts.product, *parts.hidden),
            tree,
            lambda name, old: made.files.get(name, old),
        )
        return bench.collect(tree)


def _more(found: Collected, keep: dict[str, set[str]]) -> bool:
    """Keep what ran in the skeleton's collection too; whether that is anything new."""
    new = False
    for file, names in found.entered.items():
        have = keep.setdefault(file, set())
        new = new or not names <= have
        have |= names
    return new
