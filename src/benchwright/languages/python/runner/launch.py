"""Starts a test runner inside a box, with nothing but what the judge wrote.

It runs on the task's own interpreter (Python 3.6 and later, pytest 4 and later), so it uses old
syntax and the standard library only. Everything it needs is imported before the product's folders
are put on the path: a file of the product beside its package shadows nothing here. Where the
product is the runner itself (`own`), its folders come first instead.
"""

import importlib
import json
import os
import select
import sys
import time
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))
EVENTS = "BENCHWRIGHT_EVENTS"
REPORTERS = {"pytest": "judge_events", "django": "judge_django"}
"""The module that runs the suite and reports, by runner."""


def prepare(config: "dict[str, Any]") -> None:
    """Put the product and its metadata on the path, here and in processes that tests start."""
    roots = [os.path.normpath(os.path.join(config["tree"], root)) for root in config["roots"]]
    if config["metadata"]:
        roots.append(config["metadata"])
        commands = os.path.join(config["metadata"], "bin")
        os.environ["PATH"] = os.pathsep.join([commands, os.environ.get("PATH", os.defpath)])
    sys.path[:] = [*roots, *(entry for entry in sys.path if os.path.abspath(entry) != HERE)]
    sys.dont_write_bytecode = True
    sys.argv = ["pytest", *config["paths"]]
    os.environ["PYTHONPATH"] = os.pathsep.join(roots)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", EVENTS):
        os.environ.pop(name, None)


def sleep(seconds: "Any") -> None:
    """`time.sleep` by another system call."""
    select.select([], [], [], seconds)


def load(config: "dict[str, Any]", descriptor: int) -> "Any":
    """Our reporter's module: loaded before the product's folders are put on the path, unless the
    product is the runner that it imports.
    """
    name = REPORTERS[config["runner"]]
    if not config["own"]:
        reporter = importlib.import_module(name)
        prepare(config)
        return reporter
    # what follows is the product's doing: the start is said before it
    os.write(descriptor, b'{"id": "", "phase": "session", "outcome": "started"}\n')
    prepare(config)
    sys.path.append(HERE)
    reporter = importlib.import_module(name)
    sys.path.remove(HERE)
    return reporter


def main() -> None:
    """Run the suite and leave at once: no exit handler of anybody's runs after the last event."""
    with open(os.path.join(HERE, "run.json"), "rb") as file:
        config = json.loads(file.read().decode())
    descriptor = int(os.environ[EVENTS])
    if "FAKETIME" in os.environ:
        # libfaketime 0.9.10 moves the clock that `time.sleep` waits by, which then can't wait
        time.sleep = sleep
    reporter = load(config, descriptor)
    stream = reporter.Stream(descriptor)
    code = reporter.run(stream, config)
    stream.send("", "session", "done", message=f"exit {code}")
    os._exit(0)


if __name__ == "__main__":
    main()
