"""`benchwright author SOURCE --kind resolution`: tasks out of a history, or of two releases."""

from __future__ import annotations

import json
from pathlib import Path

from benchwright.formats import ExitCode, FormatError, SourceError, printable, read_bytes

from .output import console, say


def mine(source: str, out: Path, *, since: str, until: str, most: int, issues: Path | None) -> int:
    """Mine a source and tell what became of each change."""
    from benchwright.authoring import is_pair, mine_pair
    from benchwright.authoring import mine as mined
    from benchwright.sandbox import choose
    from benchwright.sources import open_repository

    screen, box = console(), choose()
    if is_pair(source):
        task = mine_pair(source, out, sandbox=box, progress=say)
        screen.print(f"{task.root}: {len(task.manifest.counted)} hidden tests count")
        return ExitCode.DONE
    where, name, ref = parts(source)
    repository = open_repository(where, say, box)
    made = 0
    for entry in mined(
        repository,
        name,
        out,
        ref=ref,
        since=since,
        until=until,
        most=most,
        issues=read_issues(issues),
        sandbox=box,
        progress=say,
    ):
        made += entry.task is not None
        screen.print(printable(f"{entry.name}: {entry.why or 'a task'}", 500))
    screen.print(f"{made} tasks in {out}, and their rows in {out / 'rows.jsonl'}")
    return ExitCode.DONE if made else ExitCode.BAD_INPUT


def parts(source: str) -> tuple[str, str, str]:
    """Place, `owner/name` and ref of a repository."""
    place = source.removeprefix("git+")
    where, at, ref = place.rpartition("@")
    if not at or "/" in ref or Path(place).is_dir():
        where, ref = place, "HEAD"
    if not where or source.startswith(("pypi:", "path:")):
        raise SourceError(
            f"{source!a}: not a repository",
            hint="a clone's folder, git+URL@REF, or two releases as pypi:click==8.5.0..8.5.1",
        )
    named = [part for part in where.removesuffix(".git").rstrip("/").split("/") if part]
    return where, "/".join(named[-2:]), ref


def read_issues(path: Path | None) -> dict[str, str]:
    """Texts of issues by their number or a commit.

    Raises:
        FormatError: not an object of texts.
    """
    if path is None:
        return {}
    try:
        found = json.loads(read_bytes(path))
    except ValueError as error:
        raise FormatError(f"{path}: not JSON: {error}") from None
    if not isinstance(found, dict) or not all(isinstance(v, str) for v in found.values()):
        raise FormatError(f"{path}: not an object from a number to a text")
    return found
