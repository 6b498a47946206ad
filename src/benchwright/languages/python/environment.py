"""Building an environment: wheels of a lock, unpacked in a box at `/env`, with the interpreter at
`/python`. No code of any package runs meanwhile, and nothing in the result names this machine.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from importlib.resources import files as resources
from pathlib import Path

from benchwright.formats import BuildError, Lock, Locked, Recipe, RecipeError
from benchwright.sandbox import Caps, Completed, Mount, Spec, choose

from . import environment_python as interpreters
from .environment_wheels import wheels

VARIABLES = {"PATH": "/env/bin:/meta/bin:/usr/bin:/bin", "VIRTUAL_ENV": "/env"}
"""What a box that uses the environment is told."""
CAPS = Caps(wall_seconds=900, memory=4 << 30, scratch=4 << 30, processes=128, open_files=4096)


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
    chosen = wheels(packages, recipe.version, tell)
    tell(f"installing {len(chosen)} packages")
    removed = _unpack(recipe.version, packages, chosen, dest, denied)
    if removed:
        tell(f"taken out, since denied: {', '.join(removed[:8])}")


def applicable(packages: Sequence[Locked], version: str) -> list[Locked]:
    """The packages whose marker holds on Linux with this interpreter."""
    from packaging.markers import Marker

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
        " ".join([f"{p.name}=={p.version}", *(f"--hash={h}" for h in p.hashes)]) for p in packages
    ]
    config = {"version": version, "requirements": bool(lines), "denied": list(denied)}
    done = inside(
        "install",
        config,
        [
            Mount("/env", "rw", env),
            Mount("/tool/uv", "ro", Path(interpreters.uv_binary())),
            Mount("/tool/requirements.txt", "data", content="\n".join(lines).encode()),
            *(Mount(f"/wheels/{wheel.name}", "ro", wheel) for wheel in wheels),
        ],
        dest / "python",
        writable=env,
    )
    reclaim(env)
    if done.exit_code:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise RecipeError(f"the packages can't be installed: {ascii(' '.join(said[-3:]))[1:400]}")
    removed: list[str] = json.loads(done.stdout)
    return removed


def inside(
    what: str, config: object, mounts: Iterable[Mount], python: Path, *, writable: Path
) -> Completed:
    """Run our own helper in a box on an interpreter tree.

    Raises:
        BuildError: the box was ended by a limit.
    """
    sandbox = choose()
    sandbox.give(writable)
    script = (resources("benchwright.languages.python") / "environment_inside.py").read_bytes()
    done = sandbox.run(
        Spec(
            command=("/python/bin/python3", "-I", "-B", "-X", "utf8", "/tool/inside.py", what),
            mounts=(
                Mount("/python", "ro", python),
                Mount("/tool/inside.py", "data", content=script),
                Mount("/tool/config.json", "data", content=json.dumps(config).encode()),
                *mounts,
            ),
            env={
                "PATH": VARIABLES["PATH"],
                "PYTHONHASHSEED": "0",
                "SOURCE_DATE_EPOCH": "1577836800",
            },
            caps=CAPS,
        )
    )
    if done.end != "exited":
        raise BuildError(f"building the environment hit a limit: {done.end}")
    return done


def reclaim(tree: Path) -> None:
    """Take a tree that a box wrote back: what is in it belongs to us again."""
    if os.geteuid() == 0:
        for _, folders, names, handle in os.fwalk(tree, follow_symlinks=False):
            for name in (*folders, *names):
                os.chown(name, 0, 0, dir_fd=handle, follow_symlinks=False)
        os.chown(tree, 0, 0)
