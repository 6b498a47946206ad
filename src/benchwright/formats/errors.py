"""The error vocabulary. Flat, small, one line each to a person.

`InputError` and its kin are the caller's to mend (exit code 2). `InfraError` and its kin are the
machine's (shown, retried, never a score). What a submission causes is never an exception: it is an
outcome in a verdict.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import ClassVar


class ExitCode(IntEnum):
    """What the command line answers with."""

    DONE = 0
    INFRA = 1
    BAD_INPUT = 2
    INTERRUPTED = 130


class BenchwrightError(Exception):
    """Root of all errors that are meant for a person.

    Args:
        message: one line: what is wrong, with the file or name it is about.
        hint: the way out, if there is one.
    """

    exit_code: ClassVar[ExitCode] = ExitCode.BAD_INPUT

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    @property
    def code(self) -> str:
        """The stable name of this kind of error, such as `source-error`."""
        name = type(self).__name__
        return "".join(f"-{c.lower()}" if c.isupper() else c for c in name).lstrip("-")

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class InputError(BenchwrightError):
    """Something the caller gave can't be used."""


class FormatError(InputError):
    """A file isn't what it should be."""


class SourceError(InputError):
    """An upstream project can't be fetched, unpacked or used."""


class TaskError(InputError):
    """A task folder is broken, changed or not validated."""


class RecipeError(InputError):
    """An environment can't be derived, locked or built from what the recipe says."""


class SubmissionError(InputError):
    """A submission can't be read at all (no such path, not a folder, archive or patch)."""


class JobError(InputError):
    """A job folder can't be used for what was asked."""


class AgentError(InputError):
    """An agent isn't known, isn't installed, or its options are wrong."""


class InfraError(BenchwrightError):
    """The machine failed, not the input: retried, shown, never a score."""

    exit_code: ClassVar[ExitCode] = ExitCode.INFRA


class SandboxError(InfraError):
    """A sandbox couldn't be started or held."""


class BuildError(InfraError):
    """Building an environment failed for a reason outside its recipe (index unreachable, disk)."""


class StorageError(InfraError):
    """The disk is full or a result couldn't be written."""


@contextmanager
def boundary(kind: type[BenchwrightError], what: str) -> Iterator[None]:
    """Attribute any escaping `OSError` to the boundary it crossed."""
    try:
        yield
    except BenchwrightError:
        raise
    except OSError as error:
        detail = error.strerror or str(error)
        name = f": {error.filename}" if error.filename else ""
        raise kind(f"{what}: {detail}{name}") from error
