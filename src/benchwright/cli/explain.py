"""`benchwright explain`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

if TYPE_CHECKING:
    from rich.console import Console

    from benchwright.mutants import Diagnosis

SHOWN = 6


def explain(
    verdict: Path,
    task: Annotated[Path, Parameter(name=["task", "--task", "-t"])],
    *,
    json: bool = False,
) -> int:
    """Say which rules a submission that failed probably lacks. No LLM is involved.

    The failing tests are compared with those that fail when one rule is left out of the reference.
    Rules that the same tests notice can't be told apart: they are named together.

    Parameters
    ----------
    verdict
        A verdict, as `benchwright judge -o` writes it, or a trial's `result.json`.
    task
        Folder of the validated task it is of.
    json
        Print one JSON object.
    """
    from json import JSONDecodeError, dumps, loads

    from benchwright.formats import (
        ExitCode,
        FormatError,
        InputError,
        KillMatrix,
        RuleSet,
        Verdict,
        parse,
        printable,
        read_bytes,
    )
    from benchwright.mutants import MATRIX, RULES, Statement, diagnose
    from benchwright.tasks import Task

    from .output import console

    data = read_bytes(verdict)
    try:
        said = loads(data)
    except (JSONDecodeError, UnicodeDecodeError):
        raise FormatError(f"{verdict}: not JSON") from None
    inner = said.get("verdict") if isinstance(said, dict) else None
    found = parse(Verdict, dumps(inner).encode() if inner else data, verdict)
    loaded = Task.load(task)
    if found.task != loaded.name:
        raise InputError(
            f"{verdict}: a verdict on {printable(found.task, 200)}, not on {loaded.name}",
            hint="name the folder of its own task",
        )
    matrix = KillMatrix.read(loaded.validation / MATRIX)
    rules = RuleSet.read(loaded.validation / RULES)
    answer = diagnose(found, matrix, rules, Statement.of(loaded))
    screen = console()
    if json:
        screen.file.write(answer.model_dump_json() + "\n")
    else:
        show(answer, screen)
    return ExitCode.DONE


def show(answer: Diagnosis, screen: Console) -> None:
    """Print a diagnosis."""
    from rich.text import Text

    from benchwright.formats import printable

    def line(text: str) -> None:
        screen.print(Text(printable(text, 400)))

    line(answer.summary)
    line(f"{answer.failing} tests fail, {answer.explained:.0%} of them explained")
    for cause in answer.causes:
        line(f"- fits {cause.fit:.0%}, explains {len(cause.explains)}, {cause.foreign} others pass")
        if cause.subsystem:
            line(f"    missing: {cause.subsystem}")
        if cause.change:
            line(f"    done otherwise, as after this change: {cause.change}")
        for sentence in cause.sentences[:SHOWN]:
            line(f"    {sentence}")
        if len(cause.sentences) > SHOWN:
            line(f"    … and {len(cause.sentences) - SHOWN} more that can't be told apart")
        for place in cause.lines:
            line(f"      {place.file}:{place.line}: {place.text}")
