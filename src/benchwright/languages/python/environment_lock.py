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

from .environment_python import require, uv_binary

UNREACHABLE = re.compile(
    r"error sending request|Failed to fetch|dns error|timed out|client error", re.I
)
WHEELLESS = re.compile(r"Wheels are required for `([^`]+)`")


def recipe_digest(recipe: Recipe) -> str:
    """Digest of a recipe."""
    return "sha256:" + hashlib.sha256(canonical(recipe.model_dump(mode="json"))).hexdigest()


def lock(recipe: Recipe, progress: Callable[[str], None] | None = None) -> Lock:
    """Choose versions for a recipe.

    Raises:
        RecipeError: its requirements can't be met together, or the interpreter is missing.
        BuildError: the package index can't be reached.
    """
    tell = progress or (lambda _: None)
    tell(f"choosing versions for Python {recipe.version}")
    return Lock(
        recipe=recipe_digest(recipe),
        packages=resolve(recipe, recipe.requires, deny=True),
        build_packages=resolve(recipe, recipe.build_requires, deny=False),
    )


def resolve(
    recipe: Recipe, requires: Sequence[str], *, deny: bool, links: Path | None = None
) -> tuple[Locked, ...]:
    """Choose versions for requirements; what the recipe denies is never chosen."""
    if not requires:
        return ()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "requires.in").write_text("\n".join(requires) + "\n")
        (folder / "denied.txt").write_text("\n".join(denied_names(recipe)) + "\n" if deny else "")
        done = subprocess.run(
            [*_command(recipe), *(["--find-links", str(links)] if links else [])],
            cwd=folder, capture_output=True, text=True, check=False, timeout=600,
        )  # fmt: skip
    if done.returncode:
        raise failure(done.stderr)
    return read(done.stdout)


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
        "--only-binary", ":all:", "--generate-hashes", "--no-header", "--no-annotate",
        "--no-progress", "--color", "never", *newest,
    ]  # fmt: skip


def failure(said: str) -> RecipeError | BuildError:
    """What uv's complaint means, in one line and without any address."""
    if UNREACHABLE.search(said):
        return BuildError("the package index can't be reached", hint="check the network")
    lines = [re.sub(r"https?://\S+", "(index)", line).strip() for line in said.splitlines()]
    causes = [line.removeprefix("cause:").strip() for line in lines if line and "hint:" not in line]
    return RecipeError(f"no versions fit together: {' '.join(causes[1:] or causes)[:400]}")


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
