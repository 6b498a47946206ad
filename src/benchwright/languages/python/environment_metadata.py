"""The product's installed metadata, made by its own build backend in a box: never by us.

Only what tells about the product is kept: no list of files, and of the entry points the console
scripts, which also become commands in `bin`.
"""

from __future__ import annotations

import configparser
import email.parser
import json
import os
import re
import stat
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from packaging.utils import canonicalize_name

from benchwright.formats import BuildError, RecipeError
from benchwright.sandbox import Mount

from .detect import metadata as stated
from .detect import static
from .environment_box import inside

LARGEST = 4 << 20
SCRIPT = """#!/env/bin/python
import sys
from {module} import {first}
sys.exit({function}())
"""
TARGET = re.compile(r"(?P<module>[A-Za-z_][\w.]*)\s*:\s*(?P<function>[A-Za-z_][\w.]*)\s*(\[.*\])?")


def metadata(
    tree: Path,
    mounts: Sequence[Mount],
    dest: Path,
    progress: Callable[[str], None] | None = None,
) -> tuple[str, ...]:
    """Write `NAME-VERSION.dist-info` and `bin/` of the product of `tree` into the folder `dest`.

    Where the backend fails, what the source distribution says takes its place.

    Args:
        tree: the project.
        mounts: the environment that builds the product.
        dest: an existing folder.
        progress: told what is being done.

    Returns:
        What there is to say, in plain words.

    Raises:
        RecipeError: neither the backend nor the tree tells name and version.
        BuildError: the box failed.
    """
    (progress or (lambda _: None))("building the product's metadata")
    said = stated.read(tree)
    made, complaint = _built(tree, mounts, said)
    notes: tuple[str, ...] = ()
    if not made.get("METADATA"):
        made = _stated(tree, said)
        notes = (f"the build backend gave no metadata ({complaint}): the source's own is used",)
    message = email.parser.HeaderParser().parsestr(made["METADATA"])
    name, version = str(message.get("Name") or ""), str(message.get("Version") or "")
    if not re.fullmatch(r"[A-Za-z0-9][\w.-]*", name) or not re.fullmatch(r"[\w.+!-]+", version):
        raise RecipeError("the product's metadata has no usable name and version")
    scripts = console_scripts(made.get("entry_points.txt") or _listed(tree))
    folder = dest / f"{canonicalize_name(name).replace('-', '_')}-{version}.dist-info"
    _write(folder, made, scripts)
    if scripts:
        _commands(scripts, dest / "bin")
    return notes


def _write(folder: Path, made: Mapping[str, str], scripts: Mapping[str, str]) -> None:
    lines = [f"{script} = {target}\n" for script, target in scripts.items()]
    texts = {
        "METADATA": made["METADATA"],
        "top_level.txt": made.get("top_level.txt", ""),
        "entry_points.txt": "[console_scripts]\n" + "".join(lines) if lines else "",
    }
    folder.mkdir(parents=True)
    for name, text in texts.items():
        if text:
            (folder / name).write_text(text, encoding="utf-8")


def _built(
    tree: Path, mounts: Sequence[Mount], said: stated.Metadata
) -> tuple[dict[str, str], str]:
    """The files that the backend makes, and its complaint if it makes none."""
    system = static.tables(static.toml(tree / "pyproject.toml"), "build-system")
    config = {
        "what": "metadata",
        "backend": said.backend or "setuptools.build_meta:__legacy__",
        "path": static.strings(system.get("backend-path")),
    }
    version = said.version if re.fullmatch(r"[\w.+!-]+", said.version) else ""
    with tempfile.TemporaryDirectory(prefix="benchwright-", ignore_cleanup_errors=True) as scratch:
        out = Path(scratch) / "out"
        out.mkdir()
        box = (*mounts, Mount("/src", "overlay", tree), Mount("/out", "rw", out))
        pretend = {"SETUPTOOLS_SCM_PRETEND_VERSION": version} if version else {}
        try:
            done = inside("build", config, box, writable=out, python="/env/bin/python", env=pretend)
        except BuildError as error:
            return {}, error.message
        if done.exit_code:
            lines = done.stderr.decode(errors="replace").strip().splitlines() or ["no reason given"]
            return {}, ascii(lines[-1][:200])[1:-1]
        made = json.loads(read_inside(out, "made.json") or '""')
        if not isinstance(made, str) or not made.endswith(".dist-info") or "/" in made:
            return {}, "it named no metadata folder"
        names = ("METADATA", "entry_points.txt", "top_level.txt")
        return {name: read_inside(out, made, name) for name in names}, ""


def read_inside(root: Path, *parts: str) -> str:
    """A regular file that a box wrote, no link followed; nothing where there is none."""
    handle = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for i, part in enumerate(parts):
            folder = os.O_DIRECTORY if i < len(parts) - 1 else os.O_NONBLOCK
            following = os.open(part, os.O_RDONLY | os.O_NOFOLLOW | folder, dir_fd=handle)
            os.close(handle)
            handle = following
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return ""
        return os.read(handle, LARGEST).decode("utf-8", "replace").replace("\r\n", "\n")
    except OSError:
        return ""
    finally:
        os.close(handle)


def _stated(tree: Path, said: stated.Metadata) -> dict[str, str]:
    """Metadata as far as the tree states it without being built."""
    info = static.text(tree / "PKG-INFO")
    if not info:
        lines = ["Metadata-Version: 2.1", f"Name: {said.name}", f"Version: {said.version}"]
        lines += [f"Requires-Python: {said.requires_python}"] if said.requires_python else []
        lines += [f"Requires-Dist: {line}" for line in said.dependencies]
        info = "\n".join(lines) + "\n"
    return {"METADATA": info}


def _listed(tree: Path) -> str:
    """The entry points as the tree states them; some backends leave them out of metadata."""
    project = static.toml(tree / "pyproject.toml")
    scripts = static.tables(project, "tool", "poetry", "scripts")
    scripts |= static.tables(project, "project", "scripts")
    if scripts:
        return "[console_scripts]\n" + "".join(f"{k} = {v}\n" for k, v in scripts.items())
    return next((static.text(p) for p in sorted(tree.glob("*.egg-info/entry_points.txt"))), "")


def console_scripts(text: str) -> dict[str, str]:
    """The console scripts of an entry point file that have a plain name and target."""
    parser = configparser.RawConfigParser(strict=False, delimiters=("=",))
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    try:
        parser.read_string(text)
    except configparser.Error:
        return {}
    if not parser.has_section("console_scripts"):
        return {}
    return {
        name: target
        for name, target in parser.items("console_scripts")
        if re.fullmatch(r"[A-Za-z0-9_][\w.-]*", name) and TARGET.fullmatch(target)
    }


def _commands(scripts: dict[str, str], folder: Path) -> None:
    folder.mkdir()
    for name, target in scripts.items():
        match = TARGET.fullmatch(target)
        if match:
            path = folder / name
            path.write_text(
                SCRIPT.format(
                    module=match["module"],
                    function=match["function"],
                    first=match["function"].split(".")[0],
                )
            )
            path.chmod(0o755)
