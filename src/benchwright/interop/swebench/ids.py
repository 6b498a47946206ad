"""From a runner's exact ids to the ids in a row.

The published ids were read from logs: some are cut at the first space (an unclosed `[`), some
stand for several tests at once, some are artefacts of the log that no runner can ever print. Each
row id is mapped to the exact ids it stands for, and what can't be mapped is named, not guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from benchwright.formats import Record

BARE = re.compile(r"\w+")
DJANGO = re.compile(r"(?P<name>\S+) \((?P<where>[\w.]+)\)")


class Match(Record):
    """What one row id stands for."""

    row_id: str
    ids: tuple[str, ...]
    """Exact ids; several where the row's id was cut and all begin like it."""
    how: str
    """`exact`, `bare` (a function's name alone), `basename`, `truncated`, `ambiguous` (several), or
    `absent`.
    """


def match(row_ids: Iterable[str], known: Iterable[str]) -> tuple[Match, ...]:
    """Map every row id to exact ids of the runner."""
    exact = list(known)
    by_id = set(exact)
    short: dict[str, list[str]] = {}
    bare: dict[str, list[str]] = {}
    for name in exact:
        short.setdefault(shorten(name), []).append(name)
        bare.setdefault(name.rpartition("::")[2].partition("[")[0], []).append(name)
    return tuple(_one(row_id, exact, by_id, short, bare) for row_id in row_ids)


def _one(
    row_id: str,
    exact: list[str],
    by_id: set[str],
    short: dict[str, list[str]],
    bare: dict[str, list[str]],
) -> Match:
    if row_id in by_id:
        return Match(row_id=row_id, ids=(row_id,), how="exact")
    if BARE.fullmatch(row_id) and (same := bare.get(row_id)):
        how = "bare" if len(same) == 1 else "ambiguous"
        return Match(row_id=row_id, ids=tuple(same), how=how)
    if same := short.get(shorten(row_id)):
        how = "basename" if len(same) == 1 else "ambiguous"
        return Match(row_id=row_id, ids=tuple(same), how=how)
    if row_id.count("[") > row_id.count("]"):
        begun = tuple(name for name in exact if name.startswith(row_id))
        if begun:
            how = "truncated" if len(begun) == 1 else "ambiguous"
            return Match(row_id=row_id, ids=begun, how=how)
    return Match(row_id=row_id, ids=(), how="absent")


def shorten(name: str) -> str:
    """The id as the published parsers wrote it: a path in the parameter becomes its last part."""
    head, bracket, option = name.partition("[")
    if not bracket or not option.startswith("/") or option.startswith("//") or "*" in option:
        return name
    return f"{head}[/{option.rsplit('/', 1)[-1]}"


def unittest_id(row_id: str) -> str | None:
    """`module.Class.test` of Django's and unittest's verbose form `test (module.Class)`."""
    found = DJANGO.fullmatch(row_id)
    return f"{found['where']}.{found['name']}" if found else None
