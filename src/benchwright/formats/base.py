"""What every record and every file of ours has in common: frozen, typed, versioned, deterministic.

A `Record` is a value inside a file. A `Document` is a file of its own: its first field names its
format and version, so that a reader knows what it has before it reads on.
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any, Self, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from .errors import FormatError

RecordT = TypeVar("RecordT", bound=BaseModel)


class Record(BaseModel):
    """A frozen value; unknown keys are errors, because a typo must not run with a default."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Document(Record):
    """A record that is a JSON file of its own."""

    format: str
    """Name and version of the format, such as `benchwright.verdict/1`."""

    def dumps(self) -> str:
        """The canonical text: two spaces, keys in declared order, a final newline."""
        return json.dumps(self.model_dump(mode="json"), indent=2, ensure_ascii=False) + "\n"

    def write(self, path: Path) -> None:
        """Write the file atomically: a reader sees the old bytes or the new ones, never half."""
        write_atomic(path, self.dumps().encode())

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read and check a file.

        Raises:
            FormatError: the file is missing, unreadable, not JSON, or not of this format.
        """
        return parse(cls, read_bytes(path), path)


def parse(model: type[RecordT], data: bytes, path: Path) -> RecordT:
    """Parse JSON bytes as `model`; `path` is named in the error."""
    try:
        return model.model_validate_json(data)
    except ValidationError as error:
        raise FormatError(
            f"{path}: {first_problem(error)}", hint="see the published schema"
        ) from None


def first_problem(error: ValidationError) -> str:
    """The first problem of a failed validation as `where: what`, and how many more there are."""
    problems = error.errors(include_url=False, include_context=False)
    where = ".".join(str(part) for part in problems[0]["loc"]) or "document"
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return f"{where}: {problems[0]['msg']}{more}"


def read_bytes(path: Path, limit: int = 256 << 20) -> bytes:
    """The bytes of a regular file of at most `limit` bytes.

    Raises:
        FormatError: it is missing, not a regular file, too large or unreadable.
    """
    try:
        if not path.is_file():
            reason = "is not a file" if path.exists() else "does not exist"
            raise FormatError(f"{path}: {reason}")
        if path.stat().st_size > limit:
            raise FormatError(f"{path}: larger than {limit} bytes")
        return path.read_bytes()
    except OSError as error:
        raise FormatError(f"{path}: {error.strerror}") from error


def write_atomic(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Replace `path` by `data`, durably, or leave it as it was."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def canonical(value: Any) -> bytes:
    """One byte string for equal values: sorted keys, no spaces. What digests are taken of."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
