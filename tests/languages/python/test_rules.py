"""A rule has a sentence in public words and an edit that takes exactly it out."""

import pytest

from benchwright.formats import Rule, apply
from benchwright.languages.python.mutate import sources
from benchwright.languages.python.rules import omission, rules

TEXT = b'''\
"""A module."""
import warnings

CODES = {"a": 1, "b": 2, "c": 3}


class Wrong(ValueError):
    """Says so."""


def add(items, item, limit=10, *, strict=False, note=None):
    """Add an item.

    More.
    """
    if strict:
        items = list(items)
    if item == "":
        return items
    if len(items) >= limit:
        raise Wrong(f"more than {limit} items")
    try:
        items.append(item)
    except AttributeError:
        items = [item]
    warnings.warn("slow", DeprecationWarning)
    return sorted(items, key=str.lower, reverse=True)


def _clean(text):
    return text.strip().lower()


def main(parser):
    parser.add_argument("-o", "--output", help="where")
    raise SystemExit(2)
'''


def found(text: bytes = TEXT) -> list[Rule]:
    read, _ = sources({"pkg/m.py": text}, {"pkg/m.py": "pkg.m"})
    return list(rules(read))


def without(kind: str, number: int = 0) -> str:
    rule = [rule for rule in found() if rule.kind == kind][number]
    return apply(TEXT, rule.edits).decode()


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("default", "`pkg.m.add`: `limit` is `10` unless it is given."),
        ("guard", "`pkg.m.add` raises `Wrong` (“more than”) when `len(items) >= limit`."),
        ("message", "The `Wrong` of `pkg.m.add` says `f'more than {limit} items'`."),
        ("option", "`pkg.m.add`, when `strict`: `items` is `list(items)`."),
        ("special", "`pkg.m.add`, when `item == ''`: the result is `items`."),
        ("fallback", "`pkg.m.add` handles `AttributeError`: `items` is `[item]`."),
        ("table", "The table `CODES` of `pkg.m` holds `1` for `'a'`."),
        ("order", "`pkg.m.add` sorts `items`."),
        ("warning", "`pkg.m.add` warns with `DeprecationWarning`: “slow”."),
        ("cli", "The command line of `pkg.m.main` knows `-o`."),
        ("hierarchy", "`pkg.m.Wrong` is a `ValueError`."),
        ("operation", "`pkg.m.add` works: Add an item."),
    ],
)
def test_a_rule_is_said_in_public_words(kind: str, expected: str) -> None:
    assert next(rule for rule in found() if rule.kind == kind).sentence == expected


@pytest.mark.parametrize(
    ("kind", "number", "gone", "there"),
    [
        ("default", 0, "limit=10", "limit=11"),
        ("default", 1, "strict=False", "strict=True"),
        ("default", 2, "note=None", "note=..."),
        ("guard", 0, "if len(items) >= limit:", "if (len(items) >= limit) and False:"),
        ("message", 0, 'f"more', "raise Wrong('')"),
        ("option", 0, "if strict:", "if False:"),
        ("fallback", 0, "except AttributeError:", "except ():"),
        ("table", 0, '"a": 1, ', 'CODES = {"b": 2'),
        ("table", 2, '"c": 3', '"b": 2}'),
        ("order", 0, "sorted(", "return list(items)"),
        ("order", 1, "key=str.lower, ", "sorted(items, reverse=True)"),
        ("normalise", 0, ".lower()", "return text.strip()\n"),
        ("normalise", 1, ".strip()", "return text.lower()\n"),
        ("warning", 0, "warnings.warn(", "    pass\n    return sorted"),
        ("cli", 1, '"--output"', "'--absent__output', dest='output', help"),
        ("hierarchy", 0, "(ValueError)", "class Wrong(Exception):"),
    ],
)
def test_its_edit_takes_exactly_it_out(kind: str, number: int, gone: str, there: str) -> None:
    text = without(kind, number)

    assert gone not in text
    assert there in text
    compile(text, "m.py", "exec")


def test_an_operation_keeps_its_documentation() -> None:
    text = without("operation")

    assert 'More.\n    """\n    raise NotImplementedError\n\n\ndef _clean' in text


def test_private_helpers_are_marked() -> None:
    assert {rule.subject for rule in found() if not rule.public} == {"pkg.m._clean"}


def test_reexported_names_are_said_as_users_say_them() -> None:
    files = {"p/__init__.py": b"from .core import f\n", "p/core.py": b"def f(a=1):\n    return a\n"}
    read, _ = sources(files, {"p/__init__.py": "p", "p/core.py": "p.core"})

    assert {rule.subject for rule in rules(read)} == {"p.f"}


def test_rules_are_the_same_on_every_run() -> None:
    first, second = found(), found()

    assert first == second
    assert len({rule.id for rule in first}) == len(first)


def test_an_omission_names_its_rule() -> None:
    read, _ = sources({"pkg/m.py": TEXT}, {"pkg/m.py": "pkg.m"})
    rule = next(rule for rule in rules(read) if rule.kind == "option")

    mutant = omission(rule, read[0])

    assert (mutant.sort, mutant.rule, mutant.change) == ("omission", rule.id, "strict → False")
