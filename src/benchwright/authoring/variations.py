"""The conditions under which the reference must do the same: other orders, seeds, zones, locales,
homes, dates.
"""

from __future__ import annotations

import time
from pathlib import Path

from benchwright.judge import Variation
from benchwright.sandbox import Sandbox, Spec

FAKETIME = (
    "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
    "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1",
    "/usr/lib/faketime/libfaketime.so.1",
    "/usr/lib64/faketime/libfaketime.so.1",
)
DAYS = 365


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


def variations(sandbox: Sandbox) -> dict[str, Variation]:
    """Those that this machine can make."""
    later = faketime(sandbox)
    return {**VARIATIONS, "one year on": Variation(prefix=later)} if later else VARIATIONS


def faketime(sandbox: Sandbox) -> tuple[str, ...]:
    """What a command begins with to run one year on; nothing where that doesn't work.

    The library is loaded by the command itself: what starts the box runs as somebody else.
    """
    for path in FAKETIME:
        if not Path(path).is_file():
            continue
        steady = "FAKETIME_DONT_FAKE_MONOTONIC=1"
        prefix = ("/usr/bin/env", f"LD_PRELOAD={path}", f"FAKETIME=+{DAYS}d", steady)
        said = sandbox.run(Spec((*prefix, "/usr/bin/date", "+%s"))).stdout.strip()
        if said.isdigit() and int(said) - time.time() > (DAYS - 1) * 86400:
            return prefix
    return ()
