"""JSON schemas of every file we write or read, published in `schemas/` beside this module.

`python -m benchwright.formats.schemas` writes them anew; a test holds that they are current.
"""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from pydantic import BaseModel

from .base import Document, write_atomic
from .event import Event
from .task import TaskConfig

PUBLISHED = Path(__file__).parent / "schemas"
OTHERS: dict[str, type[BaseModel]] = {"task-1": TaskConfig, "event-1": Event}
"""What isn't a JSON file of its own: `task.toml`, and one line of an event stream."""


def models() -> dict[str, type[BaseModel]]:
    """Every format by its name and version, such as `verdict-1`."""
    package = Path(__file__).parent
    for module in pkgutil.iter_modules([str(package)]):
        import_module(f"benchwright.formats.{module.name}")
    found = {_name(model): model for model in _documents(Document)}
    return dict(sorted((OTHERS | found).items()))


def schema(model: type[BaseModel]) -> str:
    """The JSON schema of a format."""
    data = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return json.dumps(data | model.model_json_schema(), indent=2, ensure_ascii=False) + "\n"


def publish(folder: Path = PUBLISHED) -> None:
    """Write every schema, and take away what no longer has a format."""
    texts = {f"{name}.json": schema(model) for name, model in models().items()}
    for path in folder.glob("*.json"):
        if path.name not in texts:
            path.unlink()
    for name, text in texts.items():
        write_atomic(folder / name, text.encode())


def _documents(base: type[Document]) -> Iterator[type[Document]]:
    for model in base.__subclasses__():
        if model.__module__.startswith("benchwright.formats."):
            yield model
        yield from _documents(model)


def _name(model: type[Document]) -> str:
    """`benchwright.verdict/1` as a file's name."""
    return str(model.model_fields["format"].default).removeprefix("benchwright.").replace("/", "-")


if __name__ == "__main__":
    publish()
