"""Every attack there is."""

from __future__ import annotations

from benchwright.formats import InputError

from . import answers, caches, host, leaving, memories, objects, readers, runner, wise
from .attack import Attack

ATTACKS: tuple[Attack, ...] = (
    *runner.ATTACKS,
    *leaving.ATTACKS,
    *objects.ATTACKS,
    *answers.ATTACKS,
    *host.ATTACKS,
    *wise.ATTACKS,
    *readers.ATTACKS,
    *memories.ATTACKS,
    *caches.ATTACKS,
)


def chosen(names: tuple[str, ...] = ()) -> tuple[Attack, ...]:
    """The attacks of these names, or all.

    Raises:
        InputError: there is no attack of a name.
    """
    known = {attack.name: attack for attack in ATTACKS}
    for name in names:
        if name not in known:
            raise InputError(f"no attack is called {name}", hint=f"there are {', '.join(known)}")
    return tuple(known[name] for name in names) or ATTACKS
