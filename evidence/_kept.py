"""Rows of a table, kept as they are made: a run that was stopped goes on where it was.

They belong to one commit; another commit begins anew.
"""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchwright.formats import cache_root

Row = dict[str, Any]


def commit() -> str:
    """The commit the figures belong to, marked where the tree has changes."""
    here = str(Path(__file__).parent)
    run = ["git", "-C", here, "describe", "--always", "--dirty", "--abbrev=12"]
    return subprocess.run(run, capture_output=True, text=True, check=True).stdout.strip()


class Kept:
    """The rows of one table."""

    def __init__(self, name: str) -> None:
        self._path = cache_root() / "evidence" / f"{name}-{commit()}.jsonl"
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        lines = self._path.read_text().splitlines() if self._path.exists() else []
        self._rows: dict[str, Row] = dict(json.loads(line) for line in lines)

    def row(self, key: str, make: Callable[[], Row]) -> Row:
        """The row of a key, made if it isn't there yet."""
        if key not in self._rows:
            made = make()
            with self._lock, self._path.open("a") as file:
                file.write(json.dumps([key, made]) + "\n")
                self._rows[key] = made
        return self._rows[key]
