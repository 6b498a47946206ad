"""`benchwright evaluate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

Ids = Annotated[
    list[str] | None,
    Parameter(name=["--instance_ids", "--instance-ids", "-i"], consume_multiple=True),
]

SHOWN = ("total", "submitted", "completed", "resolved", "unresolved", "empty_patch", "error")

evaluate = App(name="evaluate", help="Judge predictions and write a harness's own reports.")


@evaluate.command
def swebench(
    *,
    rows: Path,
    predictions_path: Annotated[
        str, Parameter(name=["--predictions_path", "--predictions-path", "-p"])
    ],
    run_id: Annotated[str, Parameter(name=["--run_id", "--run-id", "-id"])],
    tasks: Path = Path("tasks"),
    repos: Path | None = None,
    pins: Path | None = None,
    instance_ids: Ids = None,
    max_workers: Annotated[int, Parameter(name=["--max_workers", "--max-workers"])] = 1,
    timeout: Annotated[float, Parameter(name=["--timeout", "-t"])] = 1800.0,
    report_dir: Annotated[Path, Parameter(name=["--report_dir", "--report-dir"])] = Path(),
    guarded: bool = False,
    sandbox: str | None = None,
) -> int:
    """Judge SWE-bench predictions; no LLM is involved.

    Writes logs/run_evaluation/RUN_ID/MODEL/INSTANCE/report.json and MODEL.RUN_ID.json as the
    official harness does, and our verdicts beside them. The same command goes on where it stopped.

    Parameters
    ----------
    rows
        Rows of SWE-bench: .jsonl, .json (also with .gz) or .parquet.
    predictions_path
        Predictions (.jsonl, or .json with a list or an object), or `gold`.
    run_id
        Names the run.
    tasks
        Folder of the rows' tasks.
    repos
        Folder of clones, to make tasks that aren't there.
    pins
        Environment pins by instance id (JSON).
    instance_ids
        Only these rows.
    max_workers
        How many are judged at once.
    timeout
        Seconds a suite may take.
    report_dir
        Where reports go.
    guarded
        Resolve nothing that no wrong version of a deciding test stands behind.
    sandbox
        Which sandbox; by default the best of this machine.
    """
    from benchwright.formats import ExitCode, InputError
    from benchwright.interop.swebench import (
        Evaluation,
        chosen,
        read_pins,
        read_predictions,
        read_rows,
    )
    from benchwright.sandbox import choose

    from .output import console, say

    if not run_id or "/" in run_id or run_id.startswith("."):
        raise InputError("--run_id: names a folder")
    if max_workers < 1 or timeout <= 0:
        raise InputError("--max_workers and --timeout must be more than 0")
    every = read_rows(rows)
    wanted = chosen(every, instance_ids or [])
    run = Evaluation(
        run_id=run_id,
        out=report_dir,
        tasks=tasks,
        clones=repos,
        pins=read_pins(pins) if pins else {},
        workers=max_workers,
        seconds=timeout,
        unguarded=not guarded,
        sandbox=choose(sandbox),
        progress=say,
    )
    report = run.run(wanted, read_predictions(predictions_path, every))
    screen = console()
    for name in (
        "total",
        "submitted",
        "completed",
        "resolved",
        "unresolved",
        "empty_patch",
        "error",
    ):
        screen.print(f"{name:<12} {report[f'{name}_instances']}")
    return ExitCode.INFRA if report["infra_failure_instances"] else ExitCode.DONE
