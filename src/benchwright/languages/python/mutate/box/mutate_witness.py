"""What the functions of a mutant give and leave behind, so that two runs can be compared.

Nothing of the product is called for that: values are described by their types and their parts. What
can't be seen whole (too large, or without attributes to look at) is no evidence of being the same.
"""

import hashlib
import itertools
import sys
import threading
import types
from typing import Any

DEPTH = 5
PARTS = 2000
"""Parts of one value that are looked at."""
TEXT = 2000
ATOMS = (bool, int, float, complex, str, bytes)
NAMED = (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType)


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
        self.whole = True
        """Whether everything could be looked at."""

    def start(self) -> None:
        """Look at every call from now on."""
        threading.settrace(self.called)
        sys.settrace(self.called)

    def stop(self) -> bytes:
        """A digest of what was seen, and after it whether that was everything."""
        sys.settrace(None)
        return self.seen.digest() + (b"+" if self.whole else b"-")

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
            text, whole = described([*parts, *self.given[frame]])
            self.seen.update(text.encode("utf-8", "replace"))
            self.whole = self.whole and whole
            if not frame.f_code.co_flags & 0x2A0:  # neither a generator nor a coroutine
                del self.given[frame]
        return self.inside


def described(value: "Any") -> "tuple[str, bool]":
    """A value by its types and parts, the same in every process; and whether that is all of it."""
    left = [PARTS]
    return part(value, DEPTH, left), left[0] >= 0


def part(value: "Any", depth: int, left: "list[int]") -> str:
    """One part of a value; `left` says how many more there may be."""
    kind = type(value)
    left[0] -= 1
    if value is None or kind in ATOMS:
        text = repr(value)
        left[0] -= PARTS if len(text) > TEXT else 0
        return "%s %s" % (kind.__name__, text[:TEXT])
    if isinstance(value, NAMED):
        return "%s %s" % (kind.__name__, getattr(value, "__qualname__", value.__name__))
    if depth == 0 or left[0] < 0:
        left[0] -= PARTS
        return kind.__name__
    if kind in (list, tuple):
        inner = [part(one, depth - 1, left) for one in value[: max(left[0], 0) + 1]]
    elif kind in (set, frozenset):
        few = itertools.islice(value, max(left[0], 0) + 1)
        inner = sorted(part(one, depth - 1, left) for one in few)
    elif kind is dict:
        few = itertools.islice(value.items(), max(left[0], 0) + 1)
        inner = [part(pair, depth - 1, left) for pair in list(few)]
    else:
        inner = own(value, depth - 1, left)
    return "%s(%d: %s)" % (kind.__qualname__, len(inner), ", ".join(inner))


def own(value: "Any", depth: int, left: "list[int]") -> "list[str]":
    """The attributes of an object, and what an exception was raised with."""
    inner = [part(value.args, depth, left)] if isinstance(value, BaseException) else []
    try:
        held = object.__getattribute__(value, "__dict__")
    except AttributeError:
        left[0] -= PARTS  # what it holds can't be seen
        return inner
    return [*inner, part(dict(held), depth, left)] if isinstance(held, dict) else inner
