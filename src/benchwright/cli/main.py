"""The command line: a table of commands, each loaded when it is called."""

from __future__ import annotations

import sys
from importlib import import_module

import cyclopts

from benchwright import __version__
from benchwright.formats import BenchwrightError, ExitCode

COMMANDS: dict[str, str] = {}
"""Name of a command -> `module:function` below `benchwright.cli`."""


def build() -> cyclopts.App:
    """The application, with every command registered lazily."""
    app = cyclopts.App(name="benchwright", version=__version__, help=__doc__)
    for name, target in COMMANDS.items():
        module, _, function = target.partition(":")
        app.command(f"benchwright.cli.{module}:{function}", name=name)
    return app


def main() -> None:
    """Run the command line; errors of ours become one line and an exit code."""
    try:
        sys.exit(build()(result_action="return_value") or ExitCode.DONE)
    except BenchwrightError as error:
        print(f"benchwright: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(ExitCode.INTERRUPTED)


__all__ = ["COMMANDS", "build", "import_module", "main"]
