"""The runs of the reference that must agree: other orders, seeds, zones, locales, homes, dates."""

from __future__ import annotations

from pathlib import Path

from benchwright.judge import Variation

FAKETIME = (
    "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
    "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1",
    "/usr/lib/faketime/libfaketime.so.1",
    "/usr/lib64/faketime/libfaketime.so.1",
)
VARIATIONS: dict[str, Variation] = {
    "as it is": Variation(),
    "another order, hash seed and time zone": Variation(
        order_seed=1, hash_seed=1, env={"TZ": "Pacific/Kiritimati"}
    ),
    "another order again, one core": Variation(
        order_seed=2, hash_seed=4242, cores=1.0, env={"TZ": "America/St_Johns"}
    ),
    "plain locale, no home": Variation(
        env={"LC_ALL": "C", "LANG": "C", "HOME": "/nonexistent", "TZ": "UTC"}
    ),
}


def variations() -> dict[str, Variation]:
    """Those that this machine can do."""
    later = faketime()
    if not later:
        return VARIATIONS
    env = {"LD_PRELOAD": later, "FAKETIME": "+365d", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    return {**VARIATIONS, "one year on": Variation(env=env)}


def faketime() -> str:
    """The library that moves the clock, if it is here; its path is the same in a box."""
    return next((path for path in FAKETIME if Path(path).is_file()), "")
