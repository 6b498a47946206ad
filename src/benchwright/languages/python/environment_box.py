"""Our own helper, run in a box: how packages are installed and products are built."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path

from benchwright.formats import BuildError
from benchwright.sandbox import Caps, Completed, Mount, Spec, choose

CAPS = Caps(wall_seconds=900, memory=4 << 30, scratch=4 << 30, processes=128, open_files=4096)
DATE = "1577836800"
"""What builds take for the date, so that they give the same bytes."""


def inside(
    what: str,
    config: object,
    mounts: Iterable[Mount],
    *,
    writable: Path,
    python: str = "/python/bin/python3",
    env: Mapping[str, str] | None = None,
) -> Completed:
    """Run the helper; `mounts` hold the interpreter, and `writable` is what it may write.

    Raises:
        BuildError: the box was ended by a limit.
    """
    sandbox = choose()
    sandbox.give(writable)
    script = (files("benchwright.languages.python") / "environment_inside.py").read_bytes()
    done = sandbox.run(
        Spec(
            command=(python, "-I", "-B", "-X", "utf8", "/tool/inside.py", what),
            mounts=(
                *mounts,
                Mount("/tool/inside.py", "data", content=script),
                Mount("/tool/config.json", "data", content=json.dumps(config).encode()),
            ),
            env={"PATH": "/env/bin:/usr/bin:/bin", "SOURCE_DATE_EPOCH": DATE, **(env or {})},
            caps=CAPS,
        )
    )
    if done.end != "exited":
        raise BuildError(f"the box that builds hit a limit: {done.end}")
    return done


def reclaim(tree: Path) -> None:
    """Take a tree that a box wrote back: what is in it belongs to us again."""
    if os.geteuid() == 0:
        for _, folders, names, handle in os.fwalk(tree, follow_symlinks=False):
            for name in (*folders, *names):
                os.chown(name, 0, 0, dir_fd=handle, follow_symlinks=False)
        os.chown(tree, 0, 0)
