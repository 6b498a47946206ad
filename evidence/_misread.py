"""Misreadings of four libraries, written by hand: what a hurried reader of a statement would build.

Each is code of our own that is appended to a module of the reference. The diagnosis should name
what was misread.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Misread:
    """One of them."""

    library: str
    file: str
    what: str
    subject: str
    """What a sentence of a right diagnosis holds: the name that was misread, or the table."""
    code: str


MISREAD = (
    Misread(
        "tinydb", "tinydb/queries.py", "any() asks all elements, as all() does",
        "Query.any`",
        "Query.any = Query.all\n",
    ),
    Misread(
        "tinydb", "tinydb/queries.py", "search() looks at the start only, as match does",
        "Query.search`",
        "Query.search = lambda self, regex, flags=0: self.matches(regex, flags)\n",
    ),
    Misread(
        "tinydb", "tinydb/table.py", "contains() says whether there is any document",
        "Table.contains`",
        "Table.contains = lambda self, cond=None, doc_id=None: len(self) > 0\n",
    ),
    Misread(
        "simpy", "src/simpy/events.py", "any of several events waits for all of them",
        "any_events`",
        "Condition.any_events = staticmethod(Condition.all_events)\n",
    ),
    Misread(
        "simpy", "src/simpy/resources/container.py", "a container starts full", "`init` is",
        "_begin = Container.__init__\n"
        "def _full(self, env, capacity=float('inf'), init=0):\n"
        "    _begin(self, env, capacity, init if capacity == float('inf') else capacity)\n"
        "Container.__init__ = _full\n",
    ),
    Misread(
        "deprecated", "deprecated/classic.py", "the message leaves out the version",
        "`self.version`",
        "_told = ClassicAdapter.get_deprecated_msg\n"
        "def _short(self, wrapped, instance):\n"
        "    kept, self.version = self.version, ''\n"
        "    try:\n"
        "        return _told(self, wrapped, instance)\n"
        "    finally:\n"
        "        self.version = kept\n"
        "ClassicAdapter.get_deprecated_msg = _short\n",
    ),
    Misread(
        "deprecated", "deprecated/classic.py", "another category is ignored",
        "`category`",
        "_begin = ClassicAdapter.__init__\n"
        "def _plain(self, reason='', version='', action=None, category=DeprecationWarning, **kw):\n"
        "    _begin(self, reason, version, action, DeprecationWarning, **kw)\n"
        "ClassicAdapter.__init__ = _plain\n",
    ),
    Misread(
        "wcwidth", "wcwidth/wcwidth.py", "control characters take no room",
        "the result is `-1`",
        "_width = wcwidth\n"
        "def wcwidth(wc, unicode_version='auto'):\n"
        "    return max(0, _width(wc, unicode_version))\n",
    ),
    Misread(
        "wcwidth", "wcwidth/wcwidth.py", "combining characters take a cell",
        "ZERO_WIDTH",
        "_width = wcwidth\n"
        "def wcwidth(wc, unicode_version='auto'):\n"
        "    return _width(wc, unicode_version) or (1 if wc and ord(wc[0]) > 767 else 0)\n",
    ),
)  # fmt: skip
