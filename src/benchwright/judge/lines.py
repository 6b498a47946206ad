"""Where a line of an edited file was in the original, so that places can be compared."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from benchwright.formats import Edit


@dataclass(frozen=True, slots=True)
class Span:
    """Lines of the original, first and last, both 1-based and included."""

    first: int
    last: int

    def meets(self, other: Span) -> bool:
        """Whether the spans have a line in common."""
        return self.first <= other.last and other.first <= self.last

    def to(self, other: Span) -> Span:
        """Both spans and what lies between."""
        return Span(min(self.first, other.first), max(self.last, other.last))


def original(source: bytes, edits: Iterable[Edit], line: int) -> Span:
    """The lines of `source` that `line` of the edited text stands for.

    A line that an edit touches stands for all lines of the edited span.
    """
    shift = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        first = source.count(b"\n", 0, edit.start) + 1
        last = first + source.count(b"\n", edit.start, edit.end)
        grown = edit.text.count("\n") - (last - first)
        if line < first + shift:
            break
        if line <= last + shift + grown:
            return Span(first, last)
        shift += grown
    return Span(line - shift, line - shift)
