"""Where commands print: plain text wherever it isn't a terminal, never markup from data."""

from __future__ import annotations

import sys

from rich.console import Console

WIDTH = 140
"""Columns of a table that goes into a file or a pipe."""


def console(*, stderr: bool = False) -> Console:
    """A console on stdout or stderr."""
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else WIDTH
    return Console(stderr=stderr, width=width, markup=False, highlight=False, emoji=False)


def say(message: str) -> None:
    """One line of progress, on stderr."""
    from benchwright.formats import printable

    print(printable(message), file=sys.stderr, flush=True)
