"""How long a box takes to start, run `true` and be gone; beside `docker run`, if an engine answers.

Prints one JSON object: milliseconds by way of starting, median of the runs after the first.
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
    """Measure and print. What is compared is run in turns, so that both see the same machine."""
    sandbox = Bubblewrap()
    true = ("/bin/true",)
    source = Path(__file__).parent.parent / "src"
    run = ["docker", "run", "--rm", "--network", "none", IMAGE, "/bin/true"]
    ways: dict[str, Callable[[], object]] = {
        "process": lambda: subprocess.run(["/bin/true"], check=True),
        "box": lambda: sandbox.run(Spec(true)),
        "box with a copy of our source": lambda: sandbox.run(
            Spec(true, mounts=(Mount("/work", "overlay", source),))
        ),
        "box with a door": lambda: sandbox.run(Spec(true, door=True)),
    }
    if docker():
        ways["docker run"] = lambda: subprocess.run(run, check=True)
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(RUNS + 1):
        for name, way in ways.items():
            begun = time.perf_counter()
            way()
            times[name].append((time.perf_counter() - begun) * 1000)
    result: dict[str, object] = {
        "runs": RUNS,
        "caller": "root" if os.geteuid() == 0 else "user",
        "sandbox": sandbox.describe(),
        "milliseconds": {name: round(statistics.median(t[1:]), 1) for name, t in times.items()},
    }
    if "docker run" in times:
        ratio = statistics.median(times["docker run"][1:]) / statistics.median(times["box"][1:])
        result["docker run / box"] = round(ratio, 1)
    json.dump(result, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
