"""Which sandbox is used: the one asked for, else the first that can work here."""

from __future__ import annotations

from importlib.metadata import entry_points

from benchwright.formats import InputError

from .protocol import Sandbox

GROUP = "benchwright.sandboxes"


def choose(name: str | None = None) -> Sandbox:
    """A sandbox by name; without a name the default one.

    Raises:
        InputError: no sandbox has that name.
    """
    known = {point.name: point for point in entry_points(group=GROUP)}
    wanted = name or "bubblewrap"
    if wanted not in known:
        raise InputError(f"{wanted}: no such sandbox", hint=f"known: {', '.join(sorted(known))}")
    sandbox: Sandbox = known[wanted].load()()
    return sandbox
