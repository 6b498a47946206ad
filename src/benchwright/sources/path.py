"""`path:DIR`: a project's folder on this machine, copied by the walker that follows no link."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchwright.formats import SourceError, SourcePin, SubmissionError, cache_root, once, seal
from benchwright.sandbox import FreezeLimits, freeze

from .spec import Fetched, Progress
from .unpack import left_out

SKIPPED = (
    ".git", ".hg", ".svn", ".venv", "venv", ".tox", ".nox", "__pycache__", ".mypy_cache",
    ".pytest_cache", ".ruff_cache", ".hypothesis", "node_modules", ".idea", ".vscode", ".eggs",
)  # fmt: skip
"""Never part of a project, wherever they stand."""
LIMITS = FreezeLimits(size=2 << 30, skip=SKIPPED)


def fetch(rest: str, progress: Progress) -> Fetched:
    """Copy a folder; its digest is its pin.

    Raises:
        SourceError: it isn't a folder that can be read, is empty, or is too large.
    """
    source = Path(rest).expanduser().absolute()
    if not source.is_dir():
        raise SourceError(f"path:{rest}: not a folder")
    progress(f"copying {source}")
    root = cache_root() / "sources" / "path"
    root.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=root) as scratch:
        copy = Path(scratch) / "tree"
        try:
            snapshot = freeze(source, copy, LIMITS)
        except SubmissionError as error:
            raise SourceError(error.message) from error
        if snapshot.unusable or not snapshot.entries:
            raise SourceError(f"path:{rest}: {snapshot.unusable or 'there is nothing in it'}")

        def make(made: Path) -> None:
            copy.rename(made / "tree")
            seal(made)

        folder = once(root / snapshot.digest.removeprefix("sha256:"), make)
    notes = [n for n in left_out(snapshot) if not n.endswith("skipped")]
    return Fetched(
        SourcePin(spec=f"path:{rest}", tree=snapshot.digest), folder / "tree", tuple(notes)
    )
