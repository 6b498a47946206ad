"""The script of a scripted model: a YAML file that says, turn by turn, what the model does.

    format: benchwright.script/1
    tokens: {input: 1200, cache_read: 4000, output: 55}   # what every answer states
    turns:
      - say: I look around first.
        run: ls                                           # the agent's own shell tool
      - write: {path: /app/hello.py, text: "print('hello')"}
      - edit: {path: /app/hello.py, old: hello, new: world}
      - fault: {kind: status, status: 429, times: 2}      # before this turn works
        run: submit
      - say: Done.

The turn is the number of tool results in the request, so that one script serves any number of
agents at once. An action is put into the words of the tools that the agent offers.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import yaml  # type: ignore[import-untyped]
from pydantic import Field, ValidationError

from benchwright.formats import FormatError, Record, Tokens, read_bytes
from benchwright.formats.base import first_problem


class Write(Record):
    """A whole file."""

    path: str
    text: str


class Replace(Record):
    """One place in a file."""

    path: str
    old: str
    new: str


class Raw(Record):
    """A tool by its own name."""

    name: str
    arguments: dict[str, Any] = {}


class Fault(Record):
    """Misbehaviour in place of a turn's answer."""

    kind: Literal["status", "cut", "nonsense", "endless", "slow", "hang"]
    times: int = 1
    """How often, for each agent, before the turn works; 0: always."""
    status: int = 500
    retry_after: float | None = None
    seconds: float = 0.2
    """`slow`: between two events."""


class Turn(Record):
    """One answer: some text, at most one action."""

    say: str = ""
    run: str | None = None
    read: str | None = None
    write: Write | None = None
    edit: Replace | None = None
    tool: Raw | None = None
    tokens: Tokens | None = None
    fault: Fault | None = None


class Script(Record):
    """A whole script."""

    format: Literal["benchwright.script/1"] = "benchwright.script/1"
    model: str | None = None
    """The name in answers; None: as asked."""
    tokens: Tokens = Tokens(input=100, output=10)
    aside: str = "ok"
    """The answer to a request that offers no tools, such as for a title."""
    turns: tuple[Turn, ...] = Field(min_length=1)

    @classmethod
    def load(cls, path: Path) -> Script:
        """Read a script.

        Raises:
            FormatError: it isn't one.
        """
        try:
            return cls.model_validate(yaml.safe_load(read_bytes(path)))
        except yaml.YAMLError as error:
            raise FormatError(f"{path}: not YAML: {str(error).splitlines()[0]}") from None
        except ValidationError as error:
            raise FormatError(f"{path}: {first_problem(error)}") from None
