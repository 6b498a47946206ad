"""What a test says of itself in words: blanked in every round, since it tells what was edited."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterable, Iterator
from io import BytesIO

from benchwright.formats import Edit, edit

from .normal import replaced
from .source import Source
from .suite import Suite

READ = re.compile(rb"#!|#.*coding[:=]")
"""Comments that something reads: an interpreter's line, an encoding."""


def blanked(suite: Suite) -> Iterator[Edit]:
    """The edits that empty the comments of all hidden files, and the docstrings of tests."""
    for source in suite.sources.values():
        yield from comments(source)
    told: dict[ast.AST, Source] = {}
    for test in suite.tests:
        told[test.node] = test.source
        if test.owner is not None and test.owner in test.source.parents:
            told[test.owner] = test.source
    for node, source in told.items():
        yield from docstring(source, node)


def comments(source: Source) -> Iterator[Edit]:
    """Every comment, emptied; the bytes before it stay where they are."""
    for number, at, text in found(source):
        if number <= 2 and READ.match(text):
            continue
        start = source.starts[number - 1] + at
        yield edit(source.path, source.data, start, start + len(text), "#")


def found(source: Source) -> Iterable[tuple[int, int, bytes]]:
    """Line, column in bytes and text of each comment of more than its mark."""
    tokens = tokenize.tokenize(BytesIO(source.data).readline)
    encoded = ((t, t.string.encode()) for t in tokens if t.type == tokenize.COMMENT)
    for token, text in encoded:
        bom = source.bom if token.start[0] == 1 else 0
        column = len(token.line[: token.start[1]].encode()) + bom
        if len(text) > 1:
            yield token.start[0], column, text


def docstring(source: Source, node: ast.AST) -> Iterator[Edit]:
    """The docstring of a function or class, emptied on as many lines."""
    body = getattr(node, "body", None) or [None]
    match body[0]:
        case ast.Expr(value=ast.Constant(value=str()) as text):
            yield replaced(source, text, '""')
