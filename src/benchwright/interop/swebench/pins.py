"""Environment pins of an instance (a conda environment with its pip part) as a recipe.

Source of the form: `environment.yml` of the official harness, reduced to `conda`, `pip`, `python`.
What conda carried and an index of Python packages has too is taken over by its index name; what
only conda has (compilers, C libraries) is left out and named.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from benchwright.formats import FormatError, Recipe, Record, read_bytes

CONDA_NAMES = {
    "matplotlib-base": "matplotlib",
    "msgpack-python": "msgpack",
    "python-eccodes": "eccodes",
    "python-fastjsonschema": "fastjsonschema",
    "python-tzdata": "tzdata",
    "python-xxhash": "xxhash",
    "importlib_metadata": "importlib-metadata",
    "pyarrow-core": "pyarrow",
    "seaborn-base": "seaborn",
    "dask-core": "dask",
}
"""Names under which conda packages Python projects, and the index's names for them."""

NOT_OURS = frozenset({"python", "python_abi", "pip", "wheel", "conda"})
PYTHON_BUILD = re.compile(r"(py(\d+)?h|py\d*_|pyh|unix_pyh|pyge)")


class Pins(Record):
    """What one instance's environment holds."""

    python: str
    """Version of the interpreter, as `3.9`."""
    pip: tuple[str, ...]
    """`name==version`, every one."""
    conda: tuple[str, ...]
    """`name==version` of the Python projects that conda carried."""
    left_out: tuple[str, ...] = ()
    """What isn't a Python project."""

    def recipe(self) -> Recipe:
        """A recipe of exactly these packages; pip's pins win over conda's."""
        lines: dict[str, str] = {}
        for pin in (*self.pip, *self.conda):
            lines.setdefault(canonicalize_name(Requirement(pin).name), pin)
        return Recipe(
            language="python", version=self.python, requires=tuple(lines.values()), closed=True
        )


def read_pins(path: Path) -> dict[str, Pins]:
    """Pins by instance id.

    Raises:
        FormatError: unreadable, or an instance's pins aren't of this form.
    """
    try:
        data = json.loads(read_bytes(path))
        return {name: _pins(item) for name, item in data.items()}
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise FormatError(f"{path}: not environment pins: {error!r:.200}") from None


def _pins(item: dict[str, Any]) -> Pins:
    python, conda, left_out = "", [], []
    for entry in item["conda"]:
        name, _, rest = entry.partition("=")
        version, _, build = rest.partition("=")
        if name == "python":
            python = ".".join(version.split(".")[:2])
        elif name in NOT_OURS or not version:
            continue
        elif PYTHON_BUILD.match(build):
            conda.append(f"{CONDA_NAMES.get(name, name)}=={version}")
        else:
            left_out.append(name)
    if not python:
        python = ".".join(item["python"].split(".")[:2])
    return Pins(
        python=python, pip=tuple(_valid(item["pip"])), conda=tuple(conda), left_out=tuple(left_out)
    )


def _valid(entries: list[str]) -> list[str]:
    for entry in entries:
        try:
            Requirement(entry)
        except InvalidRequirement:
            raise ValueError(f"not a pin: {entry}") from None
    return entries
