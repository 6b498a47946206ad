"""Building an environment: wheels of a lock, unpacked in a box at `/env`, with the interpreter at
`/python`. No code of any package runs meanwhile, and nothing in the result names this machine.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path

from packaging.markers import Marker

from benchwright.formats import BuildError, Lock, Locked, Recipe, RecipeError
from benchwright.sandbox import Mount
from benchwright.sources import fetch

from . import environment_lock
from . import environment_python as interpreters
from . import environment_sdist as sdist
from .environment_box import inside, reclaim
from .environment_wheels import wheels

VARIABLES = {"PATH": "/env/bin:/meta/bin:/usr/bin:/bin", "VIRTUAL_ENV": "/env"}
"""What a box that uses the environment is told."""


def install(
    recipe: Recipe,
    lock: Lock,
    dest: Path,
    progress: Callable[[str], None] | None = None,
    *,
    build: bool = False,
) -> None:
    """Build what a lock says into `dest`: each folder in it belongs at `/` plus its name.

    Args:
        recipe: names the interpreter, and what must be absent.
        lock: the chosen packages.
        dest: an empty folder.
        progress: told what is being done.
        build: install the packages that build the product, instead of those that test it.

    Raises:
        RecipeError: the interpreter is missing, a package has no fitting wheel, or what is denied
            can't be taken out.
        BuildError: the network failed, or the box did.
    """
    tell = progress or (lambda _: None)
    interpreter = interpreters.require(recipe.version)
    denied = () if build else recipe.denied
    interpreters.link(interpreters.tree(interpreter), dest / "python", denied)
    packages = applicable(lock.build_packages if build else lock.packages, recipe.version)
    chosen = wheels(packages, recipe.version, lambda item: _built(item, recipe), tell)
    tell(f"installing {len(chosen)} packages")
    removed = _unpack(recipe.version, packages, chosen, dest, denied)
    if removed:
        tell(f"taken out, since denied: {', '.join(removed[:8])}")


def lock(recipe: Recipe, progress: Callable[[str], None] | None = None) -> Lock:
    """Choose versions for a recipe.

    Raises:
        RecipeError: its requirements can't be met together, or the interpreter is missing.
        BuildError: the package index can't be reached.
    """
    return environment_lock.lock(recipe, _build_newest, progress)


def _build_newest(recipe: Recipe, name: str, requires: tuple[str, ...]) -> tuple[Path, str]:
    source = sdist.newest(name, requires, recipe.newest)
    return sdist.wheel(source, recipe, _choose, install), source.pin.archive


def _built(item: Locked, recipe: Recipe) -> Path:
    source = fetch(f"pypi:{item.name}=={item.version}")
    if f"sha256:{source.pin.archive}" not in item.hashes:
        raise BuildError(f"{item.name} {item.version}: the index gave other bytes than were locked")
    return sdist.wheel(source, recipe, _choose, install)


def _choose(recipe: Recipe, requires: tuple[str, ...]) -> tuple[Locked, ...]:
    return environment_lock.resolve(recipe, requires, _build_newest)


def applicable(packages: Sequence[Locked], version: str) -> list[Locked]:
    """The packages whose marker holds on Linux with this interpreter."""
    said = {
        "python_version": version, "python_full_version": f"{version}.0", "os_name": "posix",
        "sys_platform": "linux", "platform_system": "Linux",
        "implementation_name": "cpython", "platform_python_implementation": "CPython",
    }  # fmt: skip
    return [p for p in packages if not p.marker or Marker(p.marker).evaluate(said)]


def _unpack(
    version: str,
    packages: Sequence[Locked],
    wheels: Sequence[Path],
    dest: Path,
    denied: Sequence[str],
) -> list[str]:
    env = dest / "env"
    env.mkdir()
    lines = [
        f"{package.name}=={package.version} --hash=sha256:{sha256(wheel)}"
        for package, wheel in zip(packages, wheels, strict=True)
    ]
    config = {"version": version, "requirements": bool(lines), "denied": list(denied)}
    done = inside(
        "install",
        config,
        [
            Mount("/python", "ro", dest / "python"),
            Mount("/env", "rw", env),
            Mount("/tool/uv", "ro", Path(interpreters.uv_binary())),
            Mount("/tool/requirements.txt", "data", content="\n".join(lines).encode()),
            *(Mount(f"/wheels/{wheel.name}", "ro", wheel) for wheel in wheels),
        ],
        writable=env,
    )
    reclaim(env)
    if done.exit_code:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise RecipeError(f"the packages can't be installed: {ascii(' '.join(said[-3:]))[1:400]}")
    removed: list[str] = json.loads(done.stdout)
    return removed


def sha256(path: Path) -> str:
    """The sha256 of a file, in hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
