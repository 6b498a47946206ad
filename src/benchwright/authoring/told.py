"""Names that the tests use are told, wherever else the public texts would not."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from benchwright.formats import write_atomic
from benchwright.languages import Language
from benchwright.mutants import Statement
from benchwright.tasks import Task, walk

NAMES = "## Further names that the tests use"


def untold(task: Task, language: Language, statement: Statement) -> tuple[str, ...]:
    """Names that the counted tests touch and that no public text has."""
    counted = {test.file for test in task.manifest.counted}
    tests = {name: path.read_bytes() for name, path in walk(task.hidden) if name in counted}
    surface = language.interface(task.solution, task.settings.product, tests)
    inner = [symbol.path for symbol in surface.walk() if not symbol.public]
    wanted = sorted({*inner, *surface.expected})
    return tuple(path for path in wanted if not statement.names(path.rpartition(".")[2]))


def add_names(task: Task, names: Iterable[str]) -> Path:
    """Add names to the contract, or to what stands for one; gives the document."""
    path = document(task, "CONTRACT.md")
    append(path, NAMES, [f"- `{name}`" for name in names])
    return path


def document(task: Task, name: str) -> Path:
    """A document of the task, or the instruction where there is none of that name."""
    path = task.docs / name
    return path if path.is_file() else task.instruction


def append(path: Path, head: str, lines: list[str]) -> None:
    """Add lines to a section at the end of a document."""
    text = path.read_bytes().decode(errors="surrogateescape").rstrip("\n")
    new = [line for line in lines if line not in text]
    if head not in text:
        text += f"\n\n{head}\n"
    text += "\n" + "\n".join(new) + "\n"
    write_atomic(path, text.encode(errors="surrogateescape"))
