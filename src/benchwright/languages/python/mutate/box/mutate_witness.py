"""What the functions of a mutant give and leave behind, so that two runs can be compared.

Nothing of the product is called for that: values are described by their types and their parts.
"""

import hashlib
import sys
import threading
from typing import Any

DEPTH = 5
PARTS = 2000
"""Parts of one value that are looked at."""
TEXT = 2000
ATOMS = (bool, int, float, complex, str, bytes)


class Witness:
    """Takes down every call of some functions: what came back, or was raised, and what became of
    the arguments.
    """

    def __init__(self, codes: "Any") -> None:
        self.codes = set(codes)
        self.names = {code.co_name for code in codes}
        self.given = {}  # type: dict[Any, list[Any]]
        self.raised = {}  # type: dict[Any, Any]
        self.seen = hashlib.sha256()

    def start(self) -> None:
        """Look at every call from now on."""
        threading.settrace(self.called)
        sys.settrace(self.called)

    def stop(self) -> bytes:
        """A digest of what was seen."""
        sys.settrace(None)
        return self.seen.digest()

    def called(self, frame: "Any", event: str, arg: "Any") -> "Any":
        """A function starts, or a generator goes on."""
        code = frame.f_code
        if code.co_name not in self.names or code not in self.codes:
            return None
        if frame not in self.given:
            count = code.co_argcount + code.co_kwonlyargcount
            held = frame.f_locals
            self.given[frame] = [held.get(name) for name in code.co_varnames[:count]]
        return self.inside

    def inside(self, frame: "Any", event: str, arg: "Any") -> "Any":
        """Something happens in a function."""
        if event == "exception":
            self.raised[frame] = arg[1]
        elif event == "line":
            self.raised.pop(frame, None)  # it was caught
        elif event == "return":
            error = self.raised.pop(frame, None)
            parts = [frame.f_code.co_name, error is None, arg if error is None else error]
            self.seen.update(described([*parts, *self.given[frame]]).encode("utf-8", "replace"))
            if not frame.f_code.co_flags & 0x2A0:  # neither a generator nor a coroutine
                del self.given[frame]
        return self.inside


def described(value: "Any") -> str:
    """A value by its types and parts, the same in every process."""
    return part(value, DEPTH, [PARTS])


def part(value: "Any", depth: int, left: "list[int]") -> str:
    """One part of a value; `left` says how many more there may be."""
    kind = type(value)
    left[0] -= 1
    if value is None or kind in ATOMS:
        return "%s %s" % (kind.__name__, repr(value)[:TEXT])
    if depth == 0 or left[0] < 0:
        return kind.__name__
    if kind in (list, tuple):
        inner = [part(one, depth - 1, left) for one in value[: left[0]]]
    elif kind in (set, frozenset):
        inner = sorted(part(one, depth - 1, left) for one in value)
    elif kind is dict:
        inner = [part(pair, depth - 1, left) for pair in list(value.items())]
    else:
        inner = own(value, depth - 1, left)
    return "%s(%d: %s)" % (kind.__qualname__, len(inner), ", ".join(inner))


def own(value: "Any", depth: int, left: "list[int]") -> "list[str]":
    """The attributes of an object, and what an exception was raised with."""
    inner = [part(value.args, depth, left)] if isinstance(value, BaseException) else []
    try:
        held = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return inner
    return [*inner, part(dict(held), depth, left)] if isinstance(held, dict) else inner
