"""Measures a suite, or runs it on mutants; started in a box instead of the judge's launcher.

Three modes: `measure`, `run` and `compare`. What it says is one JSON object a line.
"""

import json
import os
from typing import Any

from launch import EVENTS, prepare  # type: ignore[import-not-found]
from mutate_compare import Compare  # type: ignore[import-not-found]
from mutate_measure import Measure  # type: ignore[import-not-found]
from mutate_run import Run  # type: ignore[import-not-found]

HERE = os.path.dirname(os.path.abspath(__file__))
MODES = {"measure": Measure, "run": Run, "compare": Compare}


def load(name: str) -> "Any":
    """A JSON file beside this one."""
    with open(os.path.join(HERE, name), "rb") as file:
        return json.loads(file.read().decode())


def main() -> None:
    """Do what the plan says and leave at once."""
    descriptor = int(os.environ[EVENTS])
    os.set_inheritable(descriptor, False)
    config, plan = load("run.json"), load("plan.json")
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    prepare(config)
    engine = MODES[plan["mode"]](config, plan, descriptor)
    engine.main()
    os._exit(0)


if __name__ == "__main__":
    main()
