"""Predictions in the official forms: jsonl, a json list, a json dict from id to prediction."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from benchwright.formats import FormatError, Record, read_bytes

from .rows import Row

GOLD = "gold"


class Prediction(Record):
    """One patch for one instance."""

    instance_id: str
    model: str
    patch: str
    """Empty when the model gave none: never run, counted as an empty patch."""


def read_predictions(path: str, rows: Iterable[Row]) -> tuple[Prediction, ...]:
    """The predictions in a file, or the reference patches for the literal path `gold`.

    Raises:
        FormatError: unreadable, an id that no row has, or an id that stands twice.
    """
    known = {row.instance_id: row for row in rows}
    if path == GOLD:
        return tuple(
            Prediction(instance_id=row.instance_id, model=GOLD, patch=row.patch)
            for row in known.values()
        )
    found: dict[str, Prediction] = {}
    for where, data in _entries(Path(path)):
        item = _prediction(path, where, data)
        if item.instance_id not in known:
            raise FormatError(f"{path}: {where}: no row has the id {item.instance_id!r:.200}")
        if item.instance_id in found:
            raise FormatError(f"{path}: {where}: {item.instance_id} is predicted twice")
        found[item.instance_id] = item
    if len({item.model for item in found.values()}) > 1:
        raise FormatError(f"{path}: predictions of several models", hint="one file a model")
    return tuple(found.values())


def _prediction(path: str, where: str, data: Any) -> Prediction:
    if not isinstance(data, dict) or not isinstance(data.get("instance_id"), str):
        raise FormatError(f"{path}: {where}: no instance_id")
    patch = data.get("model_patch")
    if patch is not None and not isinstance(patch, str):
        raise FormatError(f"{path}: {where}: model_patch isn't text")
    model = data.get("model_name_or_path") or "unnamed"
    return Prediction(instance_id=data["instance_id"], model=str(model), patch=patch or "")


def _entries(path: Path) -> Iterator[tuple[str, Any]]:
    try:
        text = read_bytes(path).decode()
        if path.suffix == ".jsonl":
            for number, line in enumerate(text.split("\n"), 1):
                if line.strip():
                    yield f"line {number}", json.loads(line)
            return
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path}: not JSON: {error}") from None
    if isinstance(data, dict):
        for name, item in data.items():
            if not isinstance(item, dict):
                raise FormatError(f"{path}: {name!r:.200}: not a prediction")
            yield f"key {name!r:.200}", {"instance_id": name, **item}
    elif isinstance(data, list):
        yield from ((f"entry {number}", item) for number, item in enumerate(data, 1))
    else:
        raise FormatError(f"{path}: neither a list nor an object of predictions")
