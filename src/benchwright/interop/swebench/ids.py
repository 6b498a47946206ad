"""From a runner's exact ids to the ids in a row.

The published ids were read from logs: some are cut at the first space (an unclosed `[`), some
stand for several tests at once, some are artefacts of the log that no runner can ever print. Each
row id is mapped to the exact ids it stands for, and what can't be mapped is named, not guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from benchwright.formats import Record

BARE = re.compile(r"\w+")
VERBOSE = re.compile(r"(?P<name>\S+) \((?P<where>[\w.]+)\)")
"""What unittest prints of a test; since Python 3.11 the name stands in the parentheses, too."""


class Match(Record):
    """What one row id stands for."""

    row_id: str
    ids: tuple[str, ...]
    """Exact ids; several where the row's id was cut and all begin like it."""
    how: str
    """`exact`, `dotted` (unittest's form), `bare` (a function's name alone), `basename`,
    `described` (what its docstring says first), `truncated`, `ambiguous` (several), or `absent`.
    """


@dataclass(frozen=True, slots=True)
class _Known:
    """The runner's ids, by whatever a row may call them."""

    exact: tuple[str, ...]
    names: Mapping[str, Mapping[str, list[str]]]
    """By way of naming, then by name."""

    @classmethod
    def of(cls, ids: Iterable[str], described: Mapping[str, str]) -> _Known:
        exact = tuple(ids)
        names: dict[str, dict[str, list[str]]] = {}

        def note(how: str, name: str, test: str) -> None:
            names.setdefault(how, {}).setdefault(name, []).append(test)

        for test in exact:
            note("exact", test, test)
            note("bare", test.rpartition("::")[2].partition("[")[0], test)
            note("basename", shorten(test), test)
            for name in dotted(test):
                note("dotted", name, test)
            if test in described:
                note("described", described[test].strip(), test)
        return cls(exact, names)


def match(
    row_ids: Iterable[str], known: Iterable[str], described: Mapping[str, str] | None = None
) -> tuple[Match, ...]:
    """Map every row id to exact ids of the runner.

    Args:
        row_ids: ids as a row has them.
        known: exact ids, `file::Class::test[parameters]`.
        described: what tests say they are, by exact id; the published ids of tests with a docstring
            are its first line.
    """
    found = _Known.of(known, described or {})
    return tuple(_one(row_id, found) for row_id in row_ids)


def _one(row_id: str, known: _Known) -> Match:
    for how, name in _spellings(row_id):
        same = known.names.get(how, {}).get(name)
        if same:
            unique = how == "exact" or len(same) == 1
            return Match(row_id=row_id, ids=tuple(same), how=how if unique else "ambiguous")
    if row_id.count("[") > row_id.count("]"):
        begun = tuple(name for name in known.exact if name.startswith(row_id))
        if begun:
            how = "truncated" if len(begun) == 1 else "ambiguous"
            return Match(row_id=row_id, ids=begun, how=how)
    return Match(row_id=row_id, ids=(), how="absent")


def _spellings(row_id: str) -> Iterator[tuple[str, str]]:
    """The ways in which a row's id may name a test, the surest first."""
    yield "exact", row_id
    verbose = unittest_id(row_id)
    if verbose:
        yield "dotted", verbose
    if BARE.fullmatch(row_id):
        yield "bare", row_id
    yield "basename", shorten(row_id)
    yield "described", row_id.strip()


def shorten(name: str) -> str:
    """The id as the published parsers wrote it: a path in the parameter becomes its last part."""
    head, bracket, option = name.partition("[")
    if not bracket or not option.startswith("/") or option.startswith("//") or "*" in option:
        return name
    return f"{head}[/{option.rsplit('/', 1)[-1]}"


def dotted(test: str) -> Iterator[str]:
    """`file::Class::test` as Python imports it, from each folder of its path that may be on the
    import path.
    """
    file, *rest = test.partition("[")[0].split("::")
    folders = file.removesuffix(".py").removesuffix("/__init__").split("/")
    for start in range(len(folders)):
        yield ".".join([*folders[start:], *rest])


def unittest_id(row_id: str) -> str | None:
    """`module.Class.test` of Django's and unittest's verbose form `test (module.Class)`."""
    found = VERBOSE.fullmatch(row_id)
    if found is None:
        return None
    where, name = found["where"], found["name"]
    return where if where.endswith(f".{name}") else f"{where}.{name}"
