"""Files that a build of a project writes into its tree, such as a module with its version.

A repository doesn't hold them, but its code imports them. The project's own backend makes them, in
a box, on a copy.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath

from benchwright.formats import BuildError
from benchwright.sandbox import Mount, freeze
from benchwright.tasks import walk

from .detect import metadata as stated
from .detect import static
from .environment_box import inside

WASTE = (".egg-info", ".dist-info", "build", "dist", ".eggs", "PKG-INFO")
LARGEST = 1 << 20


def generated(
    tree: Path, mounts: Sequence[Mount], progress: Callable[[str], None] | None = None
) -> dict[str, bytes]:
    """The small new files by path; none where the build fails (see `Language.generated`)."""
    (progress or (lambda _: None))("building what the repository doesn't hold")
    said = stated.read(tree)
    system = static.tables(static.toml(tree / "pyproject.toml"), "build-system")
    config = {
        "what": "metadata",
        "backend": said.backend or "setuptools.build_meta:__legacy__",
        "path": static.strings(system.get("backend-path")),
    }
    version = said.version if re.fullmatch(r"[\w.+!-]+", said.version) else ""
    pretend = {"SETUPTOOLS_SCM_PRETEND_VERSION": version} if version else {}
    with tempfile.TemporaryDirectory(prefix="benchwright-", ignore_cleanup_errors=True) as scratch:
        source, out = Path(scratch) / "src", Path(scratch) / "out"
        shutil.copytree(tree, source, symlinks=True)
        out.mkdir()
        box = (*mounts, Mount("/src", "rw", source), Mount("/out", "overlay", out))
        try:
            inside("build", config, box, writable=source, python="/env/bin/python", env=pretend)
        except BuildError:
            return {}
        freeze(source, Path(scratch) / "frozen")
        return dict(_new(Path(scratch) / "frozen", tree))


def _new(after: Path, before: Path) -> list[tuple[str, bytes]]:
    return [
        (name, path.read_bytes())
        for name, path in walk(after)
        if not (before / name).exists()
        and not path.is_symlink()
        and path.stat().st_size <= LARGEST
        and not any(part.endswith(WASTE) for part in PurePosixPath(name).parts)
    ]
