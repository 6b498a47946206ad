"""Choosing versions: `uv pip compile`, with hashes, from wheels only.

Choosing runs no package's code: a distribution without wheels is built first, in a sandbox.
"""

from __future__ import annotations

import hashlib
import platform
import re
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from packaging.utils import canonicalize_name

from benchwright.formats import BuildError, Lock, Locked, Recipe, RecipeError, canonical

from .environment_closed import Build, exact
from .environment_python import require, uv_binary

UNREACHABLE = re.compile(
    r"error sending request|Failed to fetch|dns error|timed out|client error", re.I
)
BUILDS = 12
"""How many packages without wheels one environment may need."""
WHEELLESS = re.compile(r"Wheels are required for `([^`]+)`")


def recipe_digest(recipe: Recipe) -> str:
    """Digest of a recipe."""
    return "sha256:" + hashlib.sha256(canonical(recipe.model_dump(mode="json"))).hexdigest()


def lock(recipe: Recipe, build: Build, progress: Callable[[str], None] | None = None) -> Lock:
    """Choose versions for a recipe; `build` makes a wheel of what has none.

    Raises:
        RecipeError: its requirements can't be met together, or the interpreter is missing.
        BuildError: the package index can't be reached.
    """
    tell = progress or (lambda _: None)
    tell(f"choosing versions for Python {recipe.version}")
    plain = recipe.model_copy(update={"denied": ()})
    if recipe.closed:
        require(recipe.version)
        packages, notes = exact(recipe, denied_names(recipe), build, tell)
    else:
        packages = resolve(recipe, recipe.requires, build)
        notes = tuple(needed_by_the_runner(recipe, build))
    return Lock(
        recipe=recipe_digest(recipe),
        packages=packages,
        build_packages=resolve(plain, recipe.build_requires, build),
        notes=notes,
    )


def resolve(recipe: Recipe, requires: Sequence[str], build: Build) -> tuple[Locked, ...]:
    """Choose versions for requirements; what the recipe denies is never chosen.

    Raises:
        RecipeError: they can't be met together.
        BuildError: the package index can't be reached.
    """
    built: dict[str, str] = {}
    with tempfile.TemporaryDirectory(prefix="benchwright-") as name:
        folder = Path(name)
        (folder / "links").mkdir()
        (folder / "requires.in").write_text("\n".join(requires) + "\n")
        (folder / "denied.txt").write_text("\n".join(denied_names(recipe)) + "\n")
        for _ in range(BUILDS):
            done = subprocess.run(
                _command(recipe), cwd=folder, capture_output=True, text=True, check=False
            )
            if not done.returncode:
                return tuple(_as_source(item, built) for item in read(done.stdout))
            wheelless = {canonicalize_name(n) for n in WHEELLESS.findall(done.stderr)} - set(built)
            if not wheelless:
                raise failure(done.stderr)
            for project in sorted(wheelless):
                wheel, built[project] = build(recipe, project, tuple(requires))
                (folder / "links" / wheel.name).symlink_to(wheel)
    raise RecipeError(f"more than {BUILDS} packages without wheels are needed")


def _as_source(item: Locked, built: dict[str, str]) -> Locked:
    """A package that we built is locked by its source's digest."""
    sha256 = built.get(item.name)
    return item.model_copy(update={"hashes": (f"sha256:{sha256}",)}) if sha256 else item


def needed_by_the_runner(recipe: Recipe, build: Build) -> list[str]:
    """What is denied although the test runner itself imports it.

    Raises:
        RecipeError: without it no test can run at all.
    """
    free = recipe.model_copy(update={"denied": ()})
    denied = set(denied_names(recipe))
    wanted = sorted({p.name for p in resolve(free, recipe.requires, build)} & denied)
    runner = [r for r in recipe.requires if re.match(r"pytest\b(?![-_])", r, re.IGNORECASE)]
    if wanted and runner:
        both = {p.name for p in resolve(free, runner, build)} & denied
        if both:
            raise RecipeError(
                f"the test runner itself needs {', '.join(sorted(both))}",
                hint="such a project can't be a task: its tests can't run without the answer",
            )
    return [f"{name}: needed by other packages too: the product takes its place" for name in wanted]


def denied_names(recipe: Recipe) -> list[str]:
    """The denied names that can be distributions'."""
    name = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?")
    return sorted({canonicalize_name(d) for d in recipe.denied if name.fullmatch(d)})


def _command(recipe: Recipe) -> list[str]:
    newest = ["--exclude-newer", recipe.newest.isoformat()] if recipe.newest else []
    return [
        uv_binary(), "pip", "compile", "requires.in", "--excludes", "denied.txt",
        "--python", require(recipe.version).executable, "--python-version", recipe.version,
        "--python-platform", f"{platform.machine()}-unknown-linux-gnu", "--no-python-downloads",
        "--only-binary", ":all:", "--find-links", "links", "--generate-hashes", "--no-header",
        "--no-annotate", "--no-progress", "--color", "never", *newest,
    ]  # fmt: skip


def failure(said: str) -> RecipeError | BuildError:
    """What uv's complaint means, in one line and without any address."""
    if UNREACHABLE.search(said):
        return BuildError("the package index can't be reached", hint="check the network")
    lines = [re.sub(r"https?://\S+", "(index)", line).strip() for line in said.splitlines()]
    causes = [line.removeprefix("cause:").strip() for line in lines]
    told = [
        c for c in causes if c and not c.startswith(("hint:", "warning:", "error: No solution"))
    ]
    return RecipeError(f"no versions fit together: {' '.join(told)[:400]}")


def read(text: str) -> tuple[Locked, ...]:
    """The chosen packages, from uv's requirements file."""
    found = []
    for block in re.split(r"\n(?=\S)", text.strip()):
        match = re.match(r"([A-Za-z0-9][\w.-]*)==(\S+)(?:\s*;\s*([^\\\n]+))?", block)
        if match:
            found.append(
                Locked(
                    name=canonicalize_name(match[1]),
                    version=match[2].rstrip("\\").strip(),
                    hashes=tuple(sorted(re.findall(r"--hash=(sha256:[0-9a-f]{64})", block))),
                    marker=(match[3] or "").strip(),
                )
            )
    return tuple(sorted(found, key=lambda item: item.name))
