"""The normalisation: explicit ids, by position, for every table whose rows are edited."""

from __future__ import annotations

import ast

from benchwright.formats import Edit, edit

from .rows import Table
from .source import Source


def fixed_ids(table: Table) -> list[Edit]:
    """The edits that give the rows of a decorator meaningless ids."""
    call, source = table.call, table.source
    if call is None:
        return []
    text = "iter(range(10**6))"
    edits = [without(source, row) for row in named(call)]
    for keyword in call.keywords:
        if keyword.arg == "ids":
            return [*edits, replaced(source, keyword.value, text)]
    end = source.span(call)[1] - 1
    before = source.data[source.span([*call.args, *(k.value for k in call.keywords)][-1])[1] : end]
    comma = b"," in b"".join(line.partition(b"#")[0] for line in before.splitlines())
    return [*edits, edit(source.path, source.data, end, end, f"{'' if comma else ', '}ids={text}")]


def named(call: ast.Call) -> list[tuple[ast.Call, int]]:
    """The `pytest.param(…, id=…)` rows of a decorator, with the keyword's position."""
    return [
        (node, index)
        for node in ast.walk(call)
        if isinstance(node, ast.Call) and node is not call
        for index, keyword in enumerate(node.keywords)
        if keyword.arg == "id"
    ]


def without(source: Source, row: tuple[ast.Call, int]) -> Edit:
    """Empty the `id=` of one row: then the table's own ids count."""
    node, index = row
    return replaced(source, node.keywords[index].value, "None")


def replaced(source: Source, node: ast.expr, text: str) -> Edit:
    """Replace an expression, keeping the number of lines."""
    start, end = source.span(node)
    lines = source.data[start:end].count(b"\n")
    return edit(
        source.path, source.data, start, end, f"({text}" + "\n" * lines + ")" if lines else text
    )
