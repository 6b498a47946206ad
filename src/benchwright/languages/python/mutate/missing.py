"""Missing subsystems: what an unfinished product looks like.

A class or a module is missing when every function of it raises `NotImplementedError`; its names
stay, as they do in a skeleton, so that whatever doesn't need it can still be tested.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator

from benchwright.formats import Edit, Mutant, edit

from .generate import subject
from .source import Function, Source, body, is_trivial


def missing(sources: Iterable[Source], keep: Collection[str] = ()) -> tuple[Mutant, ...]:
    """One mutant a class and one a module.

    Args:
        sources: The product's files.
        keep: `file:line` of lines that run at import: the functions they are in can't be missing.
    """
    return tuple(mutant for source in sources for mutant in _of(source, frozenset(keep)))


def _of(source: Source, keep: frozenset[str]) -> Iterator[Mutant]:
    functions = [
        node
        for node in source.nodes()
        if isinstance(node, Function)
        and source.function(node) is node
        and not is_trivial(body(node))
        and not any(f"{source.file}:{line}" in keep for line in _lines(node))
    ]
    classes = [node for node in source.nodes() if isinstance(node, ast.ClassDef)]
    for owner in classes:
        inside = [f for f in functions if owner in source.scope(f)]
        if len(inside) > 1:
            yield _mutant(source, "class", owner, inside)
    if len(functions) > 1:
        yield _mutant(source, "module", source.tree, functions)


def _lines(function: Function) -> range:
    """The lines of a body; the line of its `def` runs at import anyhow."""
    last = function.end_lineno or function.lineno
    return range(max(function.lineno + 1, body(function)[0].lineno), last + 1)


def _mutant(
    source: Source, what: str, owner: ast.ClassDef | ast.Module, functions: list[Function]
) -> Mutant:
    line = owner.lineno if isinstance(owner, ast.ClassDef) else 1
    last = functions[-1].end_lineno
    return Mutant(
        id=f"{source.file}:{source.qualname(owner) or '<module>'}:missing-{what}",
        sort="missing",
        operator=what,
        file=source.file,
        line=line,
        end_line=last or line,
        subject=subject(source, owner),
        edits=tuple(_emptied(source, function) for function in functions),
        change=f"{what} {subject(source, owner)}: {len(functions)} functions do nothing",
    )


def _emptied(source: Source, function: Function) -> Edit:
    statements = body(function)
    start, end = source.span(statements[0])[0], source.span(statements[-1])[1]
    return edit(source.file, source.data, start, end, "raise NotImplementedError")
