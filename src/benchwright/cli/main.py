"""The command line: a table of commands, each loaded when it is called.

`--help` and an unknown command are answered from the table alone, without importing anything that
takes time. Errors of ours become one line and an exit code, here and nowhere else.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TextIO

from benchwright import __version__

if TYPE_CHECKING:
    from cyclopts import App, CycloptsError

    from benchwright.formats import BenchwrightError


class Command(NamedTuple):
    """One command: where its function (or its App of subcommands) is, and what it does."""

    target: str
    """`module:name` below `benchwright.cli`."""
    summary: str


COMMANDS: dict[str, Command] = {
    "author": Command("author:author", "Make a task from a real project."),
    "validate": Command("validate:validate", "Find out by execution whether a task is sound."),
    "verify": Command("verify:verify", "Check a task's evidence without running anything."),
    "audit": Command("audit:audit", "Find out what is wrong with a published skeleton."),
    "run": Command("run:run", "Run agents on tasks and judge what comes back."),
    "judge": Command("judge:judge", "Judge one submission by the hidden tests (no LLM involved)."),
    "explain": Command("explain:explain", "Say which rules a failed submission probably lacks."),
    "report": Command("report:report", "Show the results of a job."),
    "show": Command("show:show", "Show what a task is, and its evidence at a glance."),
    "attack": Command("attack:attack", "Try cheating submissions on a task."),
    "import": Command("import_:import_", "Make tasks of the rows of a published data set."),
    "evaluate": Command("evaluate:evaluate", "Judge predictions, with a harness's own reports."),
    "agents": Command("agents:agents", "Install coding agents, and list those that are there."),
    "model": Command("model:model", "Serve a model that plays a script, to try agents offline."),
    "pack": Command("pack:pack", "Split a task into a public and a sealed archive."),
    "doctor": Command("doctor:doctor", "Measure what this machine can do."),
}

USAGE_ERROR = 2
INTERRUPTED = 130
BROKEN_PIPE = 141


def build(names: Sequence[str] = tuple(COMMANDS)) -> App:
    """The application with these commands, each loaded when it is called."""
    from cyclopts import App, Parameter

    app = App(
        name="benchwright",
        version=__version__,
        help=_headline(),
        help_format="plaintext",
        default_parameter=Parameter(negative=()),
    )
    for name in names:
        app.command(f"benchwright.cli.{COMMANDS[name].target}", name=name)
    return app


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    for stream in (sys.stdout, sys.stderr):
        _tolerate(stream)
    code = guarded(lambda: dispatch(list(sys.argv[1:] if arguments is None else arguments)))
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        code = _silence()
    sys.exit(code)


def dispatch(arguments: list[str]) -> int:
    """Call the command that the arguments name."""
    first = arguments[0] if arguments else "--help"
    if first in ("-h", "--help", "help"):
        print(overview())
        return 0
    if first in ("-V", "--version"):
        print(__version__)
        return 0
    if first not in COMMANDS:
        return _refuse(f"no such command: {first}", _similar(first) or "see: benchwright --help")
    app = build([first])
    result = app(arguments, result_action="return_value", exit_on_error=False, print_error=False)
    return int(result or 0)


def overview() -> str:
    """What `--help` prints."""
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {summary}" for name, (_, summary) in COMMANDS.items()]
    return "\n".join(
        [
            "usage: benchwright COMMAND [ARGUMENTS]",
            f"\n{_headline()}\n",
            *lines,
            "\n`benchwright COMMAND --help` says more; `benchwright --version` says which this is.",
        ]
    )


def guarded(call: Callable[[], int]) -> int:
    """The exit code of a call; what went wrong is one line on stderr."""
    try:
        return call()
    except _ours() as error:
        return _refuse(error.message, error.hint, int(error.exit_code))
    except _usage() as error:
        return _refuse(" ".join(str(error).split()), "see --help of the command")
    except KeyboardInterrupt:
        print("benchwright: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        return _silence()


def _refuse(message: str, hint: str, code: int = USAGE_ERROR) -> int:
    from benchwright.formats.text import printable

    print(f"benchwright: {printable(f'{message} ({hint})' if hint else message)}", file=sys.stderr)
    return code


def _headline() -> str:
    import benchwright

    return (benchwright.__doc__ or "").splitlines()[0]


def _similar(name: str) -> str:
    from difflib import get_close_matches

    found = get_close_matches(name, COMMANDS, n=1)
    return f"did you mean: {found[0]}" if found else ""


def _ours() -> type[BenchwrightError]:
    """Loaded only when something was raised: the formats take a while to import."""
    from benchwright.formats import BenchwrightError

    return BenchwrightError


def _usage() -> type[CycloptsError]:
    from cyclopts import CycloptsError

    return CycloptsError


def _tolerate(stream: TextIO) -> None:
    """Print what the locale can't show as an escape, instead of failing on it."""
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="backslashreplace")


def _silence() -> int:
    """Nobody reads on: let the interpreter's last flush go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return BROKEN_PIPE


__all__ = ["COMMANDS", "Command", "build", "main"]
