"""`./dev demo [FOLDER]`: the whole way on real input, from two libraries to a page of results.

Started again in the same folder, it does only what is missing.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from .main import guarded
from .output import console

if TYPE_CHECKING:
    from benchwright.formats import Kind
    from benchwright.tasks import Task

SOURCES: tuple[tuple[str, Kind], ...] = (
    ("pypi:itsdangerous==2.2.0", "completion"),
    ("pypi:itsdangerous==2.2.0", "construction"),
)
GATES = ("sealed", "reference", "start", "controls")
"""What a task can't do without; `benchwright validate` runs the others, which take longer."""
AGENT = """\
#!/bin/sh
# A scripted agent: it reads what it was told, does a little that is easy, and submits.
set -e
head -n 3 "$BENCHWRIGHT_INSTRUCTION"
find . -name '*.py' -exec sed -i 's/^\\( *\\)raise NotImplementedError$/\\1return None/' {} +
submit "the easy part"
"""


def demo(folder: Path) -> int:
    """Author, validate, run, judge, report."""
    import benchwright as bw
    from benchwright import reports
    from benchwright.formats import ExitCode, write_atomic

    from .progress import Board

    say = _clock()
    tasks = [_task(folder / "tasks", spec, kind, say) for spec, kind in SOURCES]
    script = folder / "scripted-agent.sh"
    write_atomic(script, AGENT.encode(), mode=0o755)
    agents = ["oracle", "nop", f"command:{quote(str(script))}"]
    say(f"running {len(agents)} agents on {len(tasks)} tasks")
    board = Board(len(tasks) * len(agents))
    with board.shown():
        job = bw.run(
            tasks, agents, folder / "job", concurrency=2, watch=board.watch, progress=board.say
        )
    page = folder / "report.html"
    write_atomic(page, reports.html(job).encode())
    console().print(reports.table(job))
    say(f"the job: {job.root}")
    say(f"the page: {page}")
    return ExitCode.INFRA if job.lost else ExitCode.DONE


def _task(folder: Path, spec: str, kind: Kind, say: Callable[[str], None]) -> Task:
    """The task of a source: authored and validated, or as an earlier run left it."""
    import benchwright as bw
    from benchwright.formats import InputError
    from benchwright.validation import verify

    root = folder / f"{spec.partition(':')[2].partition('=')[0]}-{kind}"
    if (root / "task.toml").is_file():
        task = bw.Task.load(root)
        say(f"{root.name}: already made from {spec}")
    else:
        say(f"{root.name}: making a {kind} task from {spec}")
        task = bw.author(spec, kind, root, progress=say)
    try:
        verify(task)
        say(f"{root.name}: already validated")
    except InputError:
        say(f"{root.name}: validating by execution ({', '.join(GATES)})")
        bw.validate(task, progress=say, fix=True, gates=GATES)
        verify(task)
    return task


def _clock() -> Callable[[str], None]:
    """Lines with the seconds since the start."""
    from benchwright.formats import printable

    start = time.monotonic()

    def say(message: str) -> None:
        seconds = time.monotonic() - start
        print(f"[{seconds:6.1f} s] {printable(message)}", file=sys.stderr, flush=True)

    return say


def main(arguments: list[str]) -> int:
    """Run the demo in the folder that was named, or in `demo`."""
    return demo(Path(arguments[0] if arguments else "demo").absolute())


if __name__ == "__main__":
    sys.exit(guarded(lambda: main(sys.argv[1:])))
