"""SWE-bench rows: jsonl, json and parquet, of every published shape, byte for byte.

The columns are those of the published data sets (Verified, Lite, full, Multilingual, and the
columns that version 5 added). Lists of ids come as JSON text or as lists; texts keep their line
endings, because a patch with CRLF is another patch without it.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, Field, ValidationError, field_validator

from benchwright.formats import FormatError, Record, read_bytes
from benchwright.formats.base import first_problem

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")
COMMIT = re.compile(r"[0-9a-f]{7,64}")


class Row(Record):
    """One instance."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)

    repo: str
    instance_id: str
    base_commit: str
    patch: str
    """The reference change, without its tests."""
    test_patch: str
    """The change of the tests."""
    problem_statement: str
    hints_text: str = ""
    created_at: str = ""
    version: str = ""
    fail_to_pass: tuple[str, ...] = Field(alias="FAIL_TO_PASS")
    pass_to_pass: tuple[str, ...] = Field(alias="PASS_TO_PASS")
    environment_setup_commit: str = ""
    difficulty: str = ""
    eval_script: str = ""
    log_parser: str = ""
    eval_type: str = "pass_and_fail"
    image: str = ""

    @field_validator("fail_to_pass", "pass_to_pass", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        if isinstance(value, str):
            try:
                value = json.loads(value)
            except ValueError:
                raise ValueError("neither a list nor the JSON text of one") from None
        if hasattr(value, "tolist"):  # parquet readers give arrays
            value = value.tolist()
        if not isinstance(value, (list, tuple)) or not all(isinstance(v, str) for v in value):
            raise ValueError("not a list of test ids")
        return tuple(value)

    @field_validator("hints_text", "created_at", "version", mode="before")
    @classmethod
    def _text(cls, value: object) -> str:
        return "" if value is None else str(value)

    @field_validator("instance_id")
    @classmethod
    def _named(cls, value: str) -> str:
        if not NAME.fullmatch(value):
            raise ValueError("letters, digits, '.', '_' and '-' only, as it names files")
        return value

    @field_validator("base_commit")
    @classmethod
    def _commit(cls, value: str) -> str:
        if not COMMIT.fullmatch(value):
            raise ValueError("not a commit (hexadecimal)")
        return value


def read_rows(path: Path) -> tuple[Row, ...]:
    """Every row of a file (`.jsonl`, `.json`, `.parquet`, the first two also with `.gz`).

    Raises:
        FormatError: the file can't be read, a row lacks a field or has a wrong one, or an instance
            id stands twice; the message names the row.
    """
    rows: dict[str, Row] = {}
    for number, data in enumerate(_objects(path), 1):
        if not isinstance(data, dict):
            raise FormatError(f"{path}: row {number}: not an object")
        name = data.get("instance_id", "")
        try:
            row = Row.model_validate(data)
        except ValidationError as error:
            raise FormatError(
                f"{path}: row {number} {name!s:.100}: {first_problem(error)}"
            ) from None
        if row.instance_id in rows:
            raise FormatError(f"{path}: row {number}: {row.instance_id} stands twice")
        rows[row.instance_id] = row
    if not rows:
        raise FormatError(f"{path}: no rows in it")
    return tuple(rows.values())


def _objects(path: Path) -> Iterator[Any]:
    if path.suffix == ".parquet":
        yield from _parquet(path)
        return
    data = read_bytes(path)
    try:
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
        if path.name.removesuffix(".gz").endswith(".json"):
            found = json.loads(text)
            yield from found.values() if isinstance(found, dict) else found
            return
        for line in text.split("\n"):
            if line.strip():
                yield json.loads(line)
    except (ValueError, TypeError, OSError, EOFError) as error:
        raise FormatError(f"{path}: not JSON rows: {error}") from None


def _parquet(path: Path) -> Iterator[Any]:
    try:
        import pyarrow.parquet as parquet  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        raise FormatError(
            f"{path}: reading parquet needs pyarrow", hint="pip install 'benchwright[parquet]'"
        ) from None
    read_bytes(path)
    try:
        yield from parquet.read_table(path).to_pylist()
    except (OSError, ValueError) as error:
        raise FormatError(f"{path}: not a parquet file: {error}") from None
