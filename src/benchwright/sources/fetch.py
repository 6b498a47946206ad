"""A spec `SCHEME:REST` goes to the fetcher of its scheme, found through entry points."""

from __future__ import annotations

from importlib.metadata import entry_points

from benchwright.formats import SourceError

from .spec import Fetched, Fetcher, Progress

GROUP = "benchwright.sources"


def fetch(spec: str, *, progress: Progress | None = None) -> Fetched:
    """Fetch and pin an upstream project; what is here already is taken from the cache.

    Raises:
        SourceError: the spec is wrong, or the project can't be used.
        BuildError: the network or the index failed.
    """
    scheme, colon, rest = spec.partition(":")
    found = entry_points(group=GROUP)
    if not colon or scheme not in found.names:
        known = ", ".join(f"{name}:" for name in sorted(found.names))
        raise SourceError(
            f"{spec!a}: not a source", hint=f"a source starts with {known} as in pypi:tinydb==4.8.0"
        )
    fetcher: Fetcher = found[scheme].load()
    return fetcher(rest, progress or (lambda _: None))
