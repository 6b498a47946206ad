"""Mutants per second, side by side: ours, mutmut 3 and cosmic-ray, on packages and their tests."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks.mutants import measure

from ._kept import Kept

SPECS = ("pypi:cachetools==5.5.0", "pypi:h11==0.14.0")


def produce(progress: Callable[[str], None]) -> dict[str, Any]:
    """One row a package."""
    kept, rows = Kept("mutants"), []
    for spec in SPECS:
        progress(spec)
        try:
            rows.append(kept.row(spec, partial(measure, spec)))
        except KeyboardInterrupt:
            progress(f"stopping before {spec}")
            break
    return {"rows": rows, "times_mutmut": min((r["times_mutmut"] or 0 for r in rows), default=0)}
