"""The rules of a Python reference: what it requires of anyone who writes it again.

Each extractor is a function from a node to `Found` rules; here they are numbered, named and turned
into records. A rule exists only if an edit takes exactly it out: extractors yield no rule without
one. The same source gives the same rules on every run.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from benchwright.formats import Mutant, Rule, edit

from .mutate.generate import short
from .mutate.source import Source
from .rules_branch import branches, fallbacks
from .rules_found import Extractor, Found
from .rules_raise import assertions, raises
from .rules_value import cli, defaults, hierarchy, normalise, operations, order, tables, warnings

EXTRACTORS: tuple[Extractor, ...] = (
    operations, defaults, raises, assertions, branches, fallbacks, tables, order, normalise,
    warnings, cli, hierarchy,
)  # fmt: skip


def rules(sources: Iterable[Source]) -> tuple[Rule, ...]:
    """All rules, in the order of the text."""
    read = list(sources)
    exported = exports(read)
    return tuple(rule for source in read for rule in _of(source, exported))


def _of(source: Source, exported: Mapping[str, str]) -> Iterator[Rule]:
    counts: Counter[str] = Counter()
    for node in source.nodes():
        for extractor in EXTRACTORS:
            for found in extractor(source, node):
                where = source.qualname(node) or "<module>"
                prefix = f"{source.file}:{where}:{found.kind}"
                counts[prefix] += 1
                yield _rule(source, node, found, f"{prefix}-{counts[prefix]}", exported)


def _rule(
    source: Source, node: ast.AST, found: Found, name: str, exported: Mapping[str, str]
) -> Rule:
    start = min(span[0] for span in found.spans)
    end = max(span[1] for span in found.spans)
    line = source.data.count(b"\n", 0, start) + 1
    subject = public_name(source, node, exported)
    return Rule(
        id=name,
        kind=found.kind,
        file=source.file,
        line=line,
        end_line=line + source.data.count(b"\n", start, end),
        subject=subject,
        public=is_public(subject),
        sentence=found.sentence.replace("{subject}", shown(subject)),
        literals=tuple(dict.fromkeys(found.literals)),
        edits=tuple(edit(source.file, source.data, *span) for span in found.spans),
    )


def omission(rule: Rule, source: Source) -> Mutant:
    """The reference without one rule."""
    first = rule.edits[0]
    old = source.data[first.start : first.end].decode()
    return Mutant(
        id=f"without {rule.id}",
        sort="omission",
        operator=rule.kind,
        file=rule.file,
        line=rule.line,
        end_line=rule.end_line,
        subject=rule.subject,
        edits=rule.edits,
        change=f"{short(old)} → {short(first.text) or '(nothing)'}",
        rule=rule.id,
    )


def exports(sources: Iterable[Source]) -> dict[str, str]:
    """Where names are re-exported: `tinydb.database.TinyDB` -> `tinydb.TinyDB`."""
    found: dict[str, str] = {}
    for source in sources:
        if not source.file.endswith("__init__.py"):
            continue
        for node in source.tree.body:
            if isinstance(node, ast.ImportFrom):
                base = source.module if node.level else ""
                origin = ".".join(filter(None, [base, node.module or ""]))
                for alias in node.names:
                    new = f"{source.module}.{alias.asname or alias.name}"
                    found.setdefault(f"{origin}.{alias.name}", new)
    return found


def public_name(source: Source, node: ast.AST, exported: Mapping[str, str]) -> str:
    """The shortest public dotted name of what a node stands in."""
    parts = [part.name for part in source.scope(node)]
    function = source.function(node)
    if function is not None:  # what is defined inside a function belongs to that function
        parts = parts[: source.scope(node).index(function) + 1]
    if not parts:
        return source.module
    top = f"{source.module}.{parts[0]}"
    return ".".join([exported.get(top, top), *parts[1:]])


def is_public(name: str) -> bool:
    """Whether no part of a dotted name is private."""
    return not any(p.startswith("_") and not p.endswith("__") for p in name.split("."))


def shown(name: str) -> str:
    """How a sentence calls it: a class is called, not its `__init__`."""
    return f"`{name.removesuffix('.__init__')}`"
