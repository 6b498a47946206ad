"""A spec `SCHEME:REST` or `SCHEME+REST` goes to its scheme's fetcher, an entry point."""

from __future__ import annotations

import re
from importlib.metadata import entry_points

from benchwright.formats import SourceError

from .spec import Fetched, Fetcher, Progress

GROUP = "benchwright.sources"
SCHEME = re.compile(r"([a-z]+)[:+](.*)", re.DOTALL)


def fetch(spec: str, *, progress: Progress | None = None) -> Fetched:
    """Fetch and pin an upstream project; what is here already is taken from the cache.

    Raises:
        SourceError: the spec is wrong, or the project can't be used.
        BuildError: the network or the index failed.
    """
    match = SCHEME.fullmatch(spec)
    scheme, rest = match.groups() if match else ("", "")
    found = entry_points(group=GROUP)
    if scheme not in found.names:
        known = ", ".join(sorted(found.names))
        example = "as in pypi:tinydb==4.8.0 or git+https://…/project@v1"
        raise SourceError(f"{spec!a}: not a source", hint=f"its kind is one of {known}, {example}")
    fetcher: Fetcher = found[scheme].load()
    return fetcher(rest, progress or (lambda _: None))
