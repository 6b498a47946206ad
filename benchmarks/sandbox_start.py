"""How long a box takes to start, run `true` and be gone; beside `docker run`, if an engine answers.

Prints one JSON object: milliseconds, median of the runs, by way of starting.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchwright.sandbox import Bubblewrap, Mount, Spec

RUNS = 50
IMAGE = "benchwright-true"


def median(start: Callable[[], object], runs: int = RUNS) -> float:
    """Milliseconds of one start; the first one, which fills caches, isn't counted."""
    times = []
    for _ in range(runs + 1):
        begun = time.perf_counter()
        start()
        times.append(time.perf_counter() - begun)
    return round(statistics.median(times[1:]) * 1000, 1)


def docker() -> bool:
    """Whether an engine answers; if so, a small image of this machine's busybox or sh is made."""
    try:
        subprocess.run(["docker", "version"], capture_output=True, check=True, timeout=20)
        tar = subprocess.run(
            ["tar", "-c", "-h", "-C", "/", *files()], capture_output=True, check=True
        )
        subprocess.run(
            ["docker", "import", "-", IMAGE], input=tar.stdout, capture_output=True, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return True


def files() -> list[str]:
    """`true` and the libraries it needs, as paths below `/`."""
    said = subprocess.run(["ldd", "/bin/true"], capture_output=True, text=True, check=True).stdout
    paths = [word for word in said.split() if word.startswith("/")]
    return ["bin/true", *(path.lstrip("/") for path in paths)]


def main() -> None:
    """Measure and print."""
    sandbox = Bubblewrap()
    true = ("/bin/true",)
    source = Path(__file__).parent.parent / "src"
    result: dict[str, object] = {
        "runs": RUNS,
        "caller": "root" if os.geteuid() == 0 else "user",
        "sandbox": sandbox.describe(),
        "process": median(lambda: subprocess.run(["/bin/true"], check=True)),
        "box": median(lambda: sandbox.run(Spec(true))),
        "box with a copy of our source": median(
            lambda: sandbox.run(Spec(true, mounts=(Mount("/work", "overlay", source),)))
        ),
        "box with a door": median(lambda: sandbox.run(Spec(true, door=True))),
    }
    if docker():
        run = ["docker", "run", "--rm", "--network", "none", IMAGE, "/bin/true"]
        result["docker run"] = median(lambda: subprocess.run(run, check=True), 10)
    json.dump(result, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
