"""The last look before a task is written: nothing sealed stands in its public half."""

from __future__ import annotations

import re
from pathlib import Path

from benchwright.formats import TaskError
from benchwright.tasks import walk

from .parts import Parts, digests

LISTS = re.compile(
    r"(^|/)(\.git|\.hg|\.svn|__pycache__|SOURCES\.txt|RECORD|[^/]+\.(egg-info|dist-info|pyc))(/|$)"
)


def refuse_leaks(root: Path, parts: Parts) -> None:
    """Refuse a folder whose public half holds a hidden file, history or a list of files.

    Raises:
        TaskError: it does; the message names the first such file.
    """
    public = root / "environment"
    names = [name for name, _ in walk(public)]
    listing = [name for name in names if LISTS.search(name)]
    if listing:
        raise TaskError(f"{listing[0]}: lists or repeats what is sealed, and would be public")
    sealed = digests(parts.tree, parts.hidden)
    for name in names:
        if digests(public, [name]) & sealed:
            raise TaskError(f"{name}: is a hidden file, and would be public")
