"""`./dev evidence NAME [NAME …]`: run `evidence.NAME.produce` and keep what it returns.

The result is `evidence/results/NAME.json`: the command, the commit, the date, the machine and the
rows. Documents quote figures from there and nowhere else; `tests/test_figures.py` compares them.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

from benchwright.formats import write_atomic

from ._kept import commit

HERE = Path(__file__).parent
RESULTS = HERE / "results"


def names() -> list[str]:
    """Every table there is."""
    return sorted(p.stem for p in HERE.glob("*.py") if not p.stem.startswith("_"))


def produce(name: str) -> dict[str, Any]:
    """One table, with what it takes to make it again."""
    function: Callable[[Callable[[str], None]], dict[str, Any]]
    function = import_module(f"evidence.{name}").produce
    started = time.monotonic()
    rows = function(lambda line: print(f"{name}: {line}", file=sys.stderr, flush=True))
    return {
        "command": f"./dev evidence {name}",
        "commit": commit(),
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "machine": f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, "
        f"Python {platform.python_version()}",
        "seconds": round(time.monotonic() - started, 1),
        **rows,
    }


def main(arguments: list[str]) -> int:
    """Produce the named tables."""
    unknown = [a for a in arguments if a not in names()]
    if unknown or not arguments:
        print(f"usage: ./dev evidence NAME …   (there are: {', '.join(names())})", file=sys.stderr)
        return 2
    for name in arguments:
        text = json.dumps(produce(name), indent=2, ensure_ascii=False) + "\n"
        write_atomic(RESULTS / f"{name}.json", text.encode())
        print(RESULTS / f"{name}.json")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
