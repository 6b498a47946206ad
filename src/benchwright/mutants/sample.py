"""Which wrong implementations are run when there are more than there is time for.

The choice is even over the code and the same on every run: round after round, each place (a
function of a file) gives one of its mutants, in an order that depends on their ids alone.
Omissions and missing subsystems are always run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from benchwright.formats import Mutant

LIMIT = 600
"""Most rule-based mutants that are run."""


def sample(mutants: Sequence[Mutant], limit: int = LIMIT) -> tuple[Mutant, ...]:
    """At most `limit` mutants besides the omissions and the missing subsystems, in their order."""
    places: dict[tuple[str, str], list[Mutant]] = {}
    for mutant in mutants:
        if mutant.sort == "mutant":
            places.setdefault((mutant.file, mutant.subject), []).append(mutant)
    for group in places.values():
        group.sort(key=lambda m: hashlib.sha256(m.id.encode()).digest())
    rounds = max((len(group) for group in places.values()), default=0)
    ordered = [g[n] for n in range(rounds) for g in places.values() if n < len(g)]
    chosen = {mutant.id for mutant in ordered[:limit]}
    return tuple(m for m in mutants if m.sort != "mutant" or m.id in chosen)
