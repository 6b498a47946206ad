"""`benchwright report`."""

from __future__ import annotations

from pathlib import Path


def report(job: Path, /, *, json: bool = False, html: Path | None = None) -> int:
    """Show the results of a job, finished or not.

    Parameters
    ----------
    job
        Folder of the job.
    json
        Print the results as JSON.
    html
        Write them as one self-contained page.
    """
    from benchwright import jobs, reports
    from benchwright.formats import ExitCode, StorageError, boundary, write_atomic

    from .output import console, say

    found = jobs.load(job)
    if html:
        with boundary(StorageError, f"{html}: can't be written"):
            write_atomic(html, reports.html(found).encode())
        say(f"page: {html}")
    if json:
        print(reports.summarize(found).dumps(), end="")
    elif not html:
        console().print(reports.table(found))
    return ExitCode.DONE
