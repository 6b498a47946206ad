"""The interpreter: found on this machine, copied into the cache so that it runs at `/python`.

The copy holds the standard library without its tests, without pip's wheels and without any
installed package, and nothing in it names a folder of this machine.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import uv

from benchwright.formats import BuildError, RecipeError, boundary, cache_root, canonical, once, seal

HOME = "/python"
LAYOUT = 1
"""Changes when the copy is made in another way."""
TESTS = {"test", "tests", "idle_test"}
DROPPED = {"site-packages", "dist-packages", "__pycache__", "idlelib", "turtledemo", "_bundled"}
QUESTION = """
import json, os, platform, sys, sysconfig
get = sysconfig.get_config_var
print(json.dumps({
    "version": platform.python_version(), "name": sys.implementation.name,
    "executable": os.path.realpath(sys.executable), "prefix": sys.base_prefix,
    "stdlib": sysconfig.get_path("stdlib"), "platform": sysconfig.get_path("platstdlib"),
    "library": get("INSTSONAME") or "", "folder": get("LIBDIR") or "",
    "multiarch": get("MULTIARCH") or "",
}))
"""


@dataclass(frozen=True, slots=True)
class Interpreter:
    """An interpreter of this machine."""

    version: str
    name: str
    executable: str
    prefix: str
    stdlib: str
    platform: str
    library: str
    folder: str
    multiarch: str

    @property
    def minor(self) -> str:
        """As `3.11`."""
        return ".".join(self.version.split(".")[:2])

    @property
    def digest(self) -> str:
        """Changes when the machine's interpreter does."""
        state = Path(self.executable).stat()
        told = [
            LAYOUT,
            self.version,
            self.executable,
            self.prefix,
            state.st_size,
            state.st_mtime_ns,
        ]
        return hashlib.sha256(canonical(told)).hexdigest()[:16]


@cache
def find(version: str) -> Interpreter | None:
    """A CPython of this minor version: our own, pyenv's, uv's or one on PATH."""
    for path in _places(version):
        found = ask(path)
        if found and found.minor == version and found.name == "cpython":
            return found
    return None


def require(version: str) -> Interpreter:
    """A CPython of this minor version.

    Raises:
        RecipeError: there is none on this machine.
    """
    found = find(version)
    if found is None:
        raise RecipeError(
            f"Python {version} isn't on this machine",
            hint=f"looked on PATH and where pyenv and uv keep theirs; uv python install {version}",
        )
    return found


def ask(path: Path) -> Interpreter | None:
    """What an executable says about itself, or None where it isn't a working interpreter."""
    try:
        answer = subprocess.run(
            [str(path), "-I", "-S", "-c", QUESTION], capture_output=True, timeout=20, check=True
        )
        return Interpreter(**json.loads(answer.stdout))
    except (OSError, subprocess.SubprocessError, ValueError, TypeError):
        return None


def _places(version: str) -> Iterator[Path]:
    own = Path(getattr(sys, "_base_executable", sys.executable))
    if version == f"{sys.version_info[0]}.{sys.version_info[1]}":
        yield own
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    data = Path(os.environ.get("XDG_DATA_HOME", Path.home() / ".local" / "share"))
    managed = Path(os.environ.get("UV_PYTHON_INSTALL_DIR", data / "uv" / "python"))
    for folder, pattern in ((pyenv, f"{version}.*"), (managed, f"cpython-{version}.*")):
        yield from (_binary(p, version) for p in sorted(folder.glob(pattern), key=_newest))
    for entry in os.environ.get("PATH", "").split(os.pathsep):
        if entry and "shims" not in Path(entry).parts:
            yield Path(entry) / f"python{version}"
    yield from (Path(f"/usr/bin/python{version}"), Path(f"/usr/local/bin/python{version}"))


def _binary(folder: Path, version: str) -> Path:
    return folder / "bin" / f"python{version}"


def _newest(path: Path) -> tuple[int, ...]:
    return tuple(-int(n) for n in path.name.split("-")[-1].split(".") if n.isdigit())


def tree(interpreter: Interpreter) -> Path:
    """The relocated copy of an interpreter, made once.

    Raises:
        BuildError: it can't be copied or doesn't run at its new place.
    """
    name = f"cpython-{interpreter.version}-{interpreter.digest}"
    return once(cache_root() / "interpreters" / name, lambda made: _copy(interpreter, made))


def _copy(interpreter: Interpreter, made: Path) -> None:
    with boundary(BuildError, f"Python {interpreter.version} can't be copied"):
        library = made / "lib" / f"python{interpreter.minor}"
        _folder(Path(interpreter.stdlib), library)
        dynamic = Path(interpreter.platform) / "lib-dynload"
        if not (library / "lib-dynload").is_dir() and dynamic.is_dir():
            _folder(dynamic, library / "lib-dynload")
        (made / "bin").mkdir()
        binary = made / "bin" / f"python{interpreter.minor}"
        shutil.copyfile(interpreter.executable, binary)
        binary.chmod(0o755)
        for name in ("python", "python3"):
            (made / "bin" / name).symlink_to(binary.name)
        _relocate(interpreter, made, binary)
        _rename_prefix(interpreter, library)
        _compile(binary, made)
        seal(made)


def _folder(source: Path, dest: Path) -> None:
    """Copy a folder of the standard library; links are followed, since it is the machine's own."""
    dest.mkdir(parents=True)
    for entry in sorted(os.scandir(source), key=lambda e: e.name):
        if entry.name in DROPPED or entry.name.startswith(("config-", "sitecustomize")):
            continue
        if entry.is_dir():
            if entry.name in TESTS:
                _support(Path(entry), dest / entry.name)
            else:
                _folder(Path(entry), dest / entry.name)
        elif entry.is_file() and not entry.name.endswith((".pyc", ".a")):
            shutil.copyfile(entry.path, dest / entry.name)


def _support(source: Path, dest: Path) -> None:
    """Of the standard library's tests only the helpers that other projects import."""
    if (source / "support").is_dir():
        _folder(source / "support", dest / "support")
        shutil.copyfile(source / "__init__.py", dest / "__init__.py")


def _relocate(interpreter: Interpreter, made: Path, binary: Path) -> None:
    """Make the executable find its shared library beside it, wherever the tree stands."""
    needed = _patchelf("--print-needed", str(binary))
    if interpreter.library and interpreter.library in needed.split():
        places = (Path(interpreter.folder), Path(interpreter.folder) / interpreter.multiarch)
        found = [p for place in places if (p := place / interpreter.library).is_file()]
        if not found:
            raise BuildError(f"{interpreter.library}: not found for Python {interpreter.version}")
        shutil.copyfile(found[0], made / "lib" / interpreter.library)
        _patchelf("--set-rpath", "$ORIGIN/../lib", str(binary))
    for module in sorted((made / "lib").rglob("*.so*")):
        if interpreter.prefix in _patchelf("--print-rpath", str(module)):
            _patchelf("--remove-rpath", str(module))


def _patchelf(*arguments: str) -> str:
    tool = Path(sysconfig.get_path("scripts")) / "patchelf"
    command = [str(tool) if tool.is_file() else "patchelf", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BuildError(f"patchelf: {done.stderr.strip()[:200]}")
    return done.stdout


def _rename_prefix(interpreter: Interpreter, library: Path) -> None:
    """Take this machine's folder out of what the interpreter knows of its own build."""
    if interpreter.prefix not in ("/usr", HOME):
        for path in library.glob("_sysconfigdata*.py"):
            text = path.read_text(encoding="utf-8", errors="surrogateescape")
            text = text.replace(interpreter.prefix, HOME)
            path.write_text(text, encoding="utf-8", errors="surrogateescape")


def _compile(binary: Path, made: Path) -> None:
    """Compile the library for `/python`. Files here never change, so nothing is ever compared."""
    arguments = [
        "-q",
        "--invalidation-mode",
        "unchecked-hash",
        "-d",
        f"{HOME}/lib",
        str(made / "lib"),
    ]
    command = [str(binary), "-I", "-S", "-X", "utf8", "-m", "compileall", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    if not (made / "lib" / f"python{binary.name[6:]}" / "__pycache__").is_dir():
        raise BuildError(f"the copied Python doesn't run: {done.stderr.strip()[-200:]}")


def uv_binary() -> str:
    """Where uv is.

    Raises:
        BuildError: it isn't installed as it should be.
    """
    try:
        return uv.find_uv_bin()
    except FileNotFoundError:
        raise BuildError("uv is missing from this installation", hint="pip install uv") from None


def link(source: Path, dest: Path, denied: Sequence[str]) -> None:
    """An interpreter tree that shares its files with `source`, without what is denied.

    Raises:
        RecipeError: a denied module is part of the interpreter itself.
    """
    absent = {name.replace("-", "_") for name in denied}
    fixed = absent & {*sys.builtin_module_names, "os", "site", "codecs", "io", "abc", "stat"}
    if fixed:
        raise RecipeError(f"denied, but part of the interpreter itself: {', '.join(sorted(fixed))}")
    for folder, folders, names in os.walk(source):
        here = dest / Path(folder).relative_to(source)
        here.mkdir(parents=True, exist_ok=True)
        if Path(folder).name.startswith(("python3", "lib-dynload")):
            folders[:] = [f for f in folders if f not in absent]
            names = [n for n in names if n.split(".")[0] not in absent]
        elif Path(folder).name == "__pycache__" and Path(folder).parent.parent == source / "lib":
            names = [n for n in names if n.split(".")[0] not in absent]
        for name in names:
            path = Path(folder) / name
            if path.is_symlink():
                (here / name).symlink_to(path.readlink())
            else:
                _share(path, here / name)


def _share(source: Path, dest: Path) -> None:
    try:
        dest.hardlink_to(source)
    except OSError:  # another file system, or too many links
        shutil.copy2(source, dest)
