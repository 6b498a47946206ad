"""The wrong implementations of a tree: every operator at every place, without those that aren't.

A change is dropped when what it is in compiles to what was there, or to what an earlier change
made. Ids are `file:qualified.name:operator-N`, the same on every run.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType

from benchwright.formats import Edit, Mutant, apply, edit

from .operators import OPERATORS
from .source import Source

DATA = (ast.Assign, ast.AnnAssign)
TABLE, SAMPLE = 300, 30
"""Values from which a statement is a table of data, and how many of them are changed."""


@dataclass(frozen=True, slots=True)
class Generated:
    """What was made of a tree."""

    mutants: tuple[Mutant, ...]
    equivalent: int
    """Changes that were dropped: they compile to the reference, or to another of them."""


def generate(sources: Iterable[Source], others: Iterable[Mutant] = ()) -> Generated:
    """Every operator's mutants; `others` (omissions) come first and win where two are alike."""
    files = {source.file: source for source in sources}
    kept: list[Mutant] = []
    seen: dict[str, set[bytes]] = {}
    dropped = 0
    candidates = [*others, *(m for source in files.values() for m in _mutants(source))]
    for mutant in candidates:
        key = fingerprint(files[mutant.file], mutant.edits)
        known = seen.setdefault(mutant.file, set())
        if key is None or key in known:
            dropped += 1
            continue
        known.add(key)
        kept.append(mutant)
    return Generated(tuple(kept), dropped)


def _mutants(source: Source) -> Iterator[Mutant]:
    counts: Counter[str] = Counter()
    passed = set(_passed_over(source))
    for node in source.nodes():
        if node in passed:
            continue
        for operator in OPERATORS:
            for name, start, end, text in operator(source, node):
                prefix = f"{source.file}:{source.qualname(node) or '<module>'}:{name}"
                counts[prefix] += 1
                yield build(source, f"{prefix}-{counts[prefix]}", name, node, (start, end, text))


def _passed_over(source: Source) -> Iterator[ast.AST]:
    """What is left alone in tables of data: all but some of their values, evenly spread."""
    for statement in source.tree.body:
        inside = list(ast.walk(statement)) if isinstance(statement, DATA) else []
        values = [node for node in inside if isinstance(node, ast.Constant)]
        if len(values) > TABLE:
            some = set(values[:: -(-len(values) // SAMPLE)])
            yield from (node for node in inside if node not in some)


def build(
    source: Source, name: str, operator: str, node: ast.AST, span: tuple[int, int, str]
) -> Mutant:
    """The mutant of one replaced span."""
    start, end, text = span
    old = source.data[start:end].decode()
    line = source.data.count(b"\n", 0, start) + 1
    return Mutant(
        id=name,
        sort="mutant",
        operator=operator,
        file=source.file,
        line=line,
        end_line=line + old.count("\n"),
        subject=subject(source, node),
        edits=(edit(source.file, source.data, start, end, text),),
        change=f"{short(old)} → {short(text) or '(nothing)'}",
    )


def subject(source: Source, node: ast.AST) -> str:
    """Dotted name of what a node stands in."""
    name = source.qualname(node)
    return f"{source.module}.{name}" if name else source.module


def short(text: str, limit: int = 60) -> str:
    """One line of at most `limit` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def fingerprint(source: Source, edits: tuple[Edit, ...]) -> bytes | None:
    """What tells a changed file from others: where it is and what it compiles to.

    Only the outermost statement around the edits is compiled, because it is all that differs.
    None when it doesn't compile, or compiles to what was there.
    """
    first, last = min(e.start for e in edits), max(e.end for e in edits)
    unit = _unit(source, first, last)
    if unit is None:
        return _whole(source, edits)
    start, end = unit
    prefix = source.data[source.data.rfind(b"\n", 0, start) + 1 : start]
    wrap = b"if 1:\n" + prefix if prefix else b""
    moved = [e.model_copy(update={"start": e.start - start, "end": e.end - start}) for e in edits]
    old = source.data[start:end]
    before, after = _reference(wrap + old), _compiled(wrap + apply(old, moved))
    if after is None or after == before:
        return None
    return b"%d:" % start + after


def _whole(source: Source, edits: tuple[Edit, ...]) -> bytes | None:
    after = _compiled(apply(source.data, edits))
    return None if after is None or after == _compiled(source.data) else after


def _unit(source: Source, first: int, last: int) -> tuple[int, int] | None:
    """The smallest statement outside any function that holds the span."""
    found = None
    statements: list[ast.stmt] = list(source.tree.body)
    while statements:
        inside = next(
            (s for s in statements if source.span(s)[0] <= first and last <= source.span(s)[1]),
            None,
        )
        if inside is None:
            return found
        start, end = source.span(inside)
        line = source.data.rfind(b"\n", 0, start) + 1
        if source.data[line:start].strip():
            return found
        found = (start, end)
        statements = inside.body if isinstance(inside, ast.ClassDef) else []
    return found


def _compiled(text: bytes) -> bytes | None:
    try:
        code = compile(text, "", "exec", dont_inherit=True, optimize=0)
    except (SyntaxError, ValueError):
        return None
    return repr(_shape(code)).encode()


@lru_cache(maxsize=256)
def _reference(text: bytes) -> bytes | None:
    """As `_compiled`, of what is compared with again and again."""
    return _compiled(text)


def _shape(code: CodeType) -> tuple[object, ...]:
    """A code object without its lines and names of places."""
    constants = tuple(
        _shape(c) if isinstance(c, CodeType) else (type(c).__name__, c) for c in code.co_consts
    )
    return (code.co_name, code.co_code, constants, code.co_names, code.co_varnames, code.co_flags)


def sources(
    files: Mapping[str, bytes], modules: Mapping[str, str]
) -> tuple[list[Source], list[str]]:
    """The files that can be read, and a note for each that can't."""
    found: list[Source] = []
    notes: list[str] = []
    for file in sorted(files):
        try:
            found.append(Source.parse(file, files[file], modules[file]))
        except (SyntaxError, RecursionError) as error:
            notes.append(f"{file}: not read: {error}")
    return found, notes
