"""Which functions of a product run while it is imported and its tests are collected.

The answer comes from doing it, in a box, on the task's interpreter: `probe` says how, `read_probe`
understands what the box said. See `runner/record.py` for the half that runs inside.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any

from pydantic import ValidationError

from benchwright.formats import Event, Product, Runner
from benchwright.languages.collected import Collected
from benchwright.languages.protocol import SuiteRun
from benchwright.sandbox import Mount

from .suite import HOME, PYTHON, suite

RECORDER = "record.py"


def probe(
    runner: Runner, product: Product, *, tests: Sequence[str] = (), metadata: bool = False
) -> SuiteRun:
    """How to collect the suite of the tree at `/work` and import every module of its product."""
    run = suite(runner, product, tests=tests, metadata=metadata)
    content = (files("benchwright.languages.python") / "runner" / RECORDER).read_bytes()
    return replace(
        run,
        command=(PYTHON, "-s", "-B", f"{HOME}/{RECORDER}"),
        mounts=(*run.mounts, Mount(f"{HOME}/{RECORDER}", "data", content=content)),
    )


def read_probe(data: bytes) -> Collected:
    """What the box said; lines that are neither events nor the recorder's are passed over."""
    ids: dict[str, str] = {}
    errors: dict[str, str] = {}
    broken: dict[str, str] = {}
    entered: dict[str, set[str]] = {}
    complete, last = False, ""
    for line in data.splitlines():
        event = _event(line)
        if event is None:
            _note(line, broken, entered)
        elif event.phase != "collect":
            continue
        elif event.outcome == "started":
            last = event.id
        elif event.outcome == "done":
            complete = True
        elif event.outcome == "passed":
            ids[event.id] = event.file
        elif event.outcome == "error":
            where = f" ({event.file}:{event.line})" if event.file else ""
            errors[event.id] = f"{event.exception}: {event.message}{where}"
    names = {file: frozenset(found) for file, found in entered.items()}
    return Collected(tuple(ids), ids, errors, broken, names, complete, last)


def _event(line: bytes) -> Event | None:
    try:
        return Event.model_validate_json(line)
    except ValidationError:
        return None


def _note(line: bytes, broken: dict[str, str], entered: dict[str, set[str]]) -> None:
    try:
        said: Any = json.loads(line)
    except ValueError:
        return
    match said:
        case {"entered": [str(file), str(name)]}:
            entered.setdefault(file, set()).add(name)
        case {"import": str(name), "error": str(text)} | {"parse": str(name), "error": str(text)}:
            broken[name] = text
