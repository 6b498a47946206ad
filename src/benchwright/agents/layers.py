"""Agents' programs, each version installed once into a read-only layer that every box shares.

Nothing of a package runs while it is installed: npm only fetches the archive of one platform,
which our own writer unpacks; Python packages come as wheels. A layer needs nothing of the box it
is mounted in (at `/agent`).
"""

from __future__ import annotations

import hashlib
import json
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from benchwright.formats import (
    AgentError,
    BuildError,
    Document,
    boundary,
    cache_root,
    canonical,
    once,
    seal,
)
from benchwright.sources.unpack import unpack

HOME = "/agent"
"""Where a layer stands in a box."""
Progress = Callable[[str], None]


class Layer(Document):
    """`layer.json`: what is in a layer."""

    format: Literal["benchwright.layer/1"] = "benchwright.layer/1"
    name: str
    version: str
    parts: tuple[str, ...]
    """Every package, with its version and the digest of its archive."""

    @property
    def digest(self) -> str:
        """Of all parts."""
        return f"sha256:{hashlib.sha256(canonical(list(self.parts))).hexdigest()}"


class Source(Protocol):
    """Where a layer's content comes from."""

    def fill(self, version: str, dest: Path, progress: Progress) -> tuple[str, ...]:
        """Put the content into a new folder; gives its parts.

        Raises:
            AgentError: there is no such version, or not for this machine.
            BuildError: it can't be fetched.
        """


@dataclass(frozen=True, slots=True)
class Npm:
    """The package of a program that is built for one platform; `{version}` and `{cpu}` vary."""

    package: str

    def fill(self, version: str, dest: Path, progress: Progress) -> tuple[str, ...]:
        """Fetch the archive and unpack it; npm checks it against the registry's digest."""
        spec = self.package.format(version=version, cpu=cpu())
        npm = shutil.which("npm")
        if npm is None:
            raise AgentError(f"{spec}: npm is needed to fetch it", hint="install npm")
        progress(f"fetching {spec}")
        command = [npm, "pack", spec, "--json", "--ignore-scripts", "--pack-destination", "."]
        done = subprocess.run(command, cwd=dest.parent, capture_output=True, text=True, check=False)
        if done.returncode:
            raise failed(spec, done.stderr, ("E404", "ETARGET", "No matching version"))
        archive = dest.parent / json.loads(done.stdout)[0]["filename"]
        unpack(archive, dest)
        digest = sha256(archive)
        archive.unlink()
        return (f"npm:{spec} {digest}",)


@dataclass(frozen=True, slots=True)
class Pypi:
    """A Python program with all its dependencies and an interpreter of its own."""

    package: str
    constraints: tuple[str, ...] = ()
    """Versions of dependencies that must not be taken."""

    def fill(self, version: str, dest: Path, progress: Progress) -> tuple[str, ...]:
        """Choose versions, then install exactly these, from wheels only."""
        from benchwright.languages.python import environment_python as python

        spec = f"{self.package}=={version}"
        found = python.require(f"{sys.version_info[0]}.{sys.version_info[1]}")
        progress(f"choosing the packages of {spec}")
        wheels = ("--only-binary", ":all:", "--python", found.executable, "--no-config")
        lock = self._uv(
            ("pip", "compile", "-", "--generate-hashes", "--no-header", "--no-annotate", *wheels),
            "\n".join((spec, *self.constraints)),
            spec,
        )
        progress(f"installing the packages of {spec}")
        site = (
            "--target",
            str(dest / "site"),
            "--link-mode",
            "copy",
            "--no-deps",
            "--compile-bytecode",
        )
        self._uv(("pip", "install", "-r", "-", "--require-hashes", *site, *wheels), lock, spec)
        python.link(python.tree(found), dest / "python", ())
        names = [line.split(" ")[0] for line in lock.splitlines() if "==" in line]
        locked = hashlib.sha256(lock.encode()).hexdigest()
        return (f"python:{found.version}", *(f"pypi:{n}" for n in names), f"lock:{locked}")

    def _uv(self, arguments: tuple[str, ...], text: str, spec: str) -> str:
        from benchwright.languages.python import environment_python as python

        done = subprocess.run(
            [python.uv_binary(), *arguments, "--quiet"],
            input=text, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            raise failed(spec, done.stderr, ("no version of", "not found in the package registry"))
        return done.stdout


def install(name: str, version: str, source: Source, progress: Progress) -> Path:
    """The layer of a version, made if it isn't there yet.

    Raises:
        AgentError: there is no such version.
        BuildError: it can't be fetched.
    """

    def make(made: Path) -> None:
        with boundary(BuildError, f"{name}@{version} can't be installed"):
            parts = source.fill(version, made / "layer", progress)
            seal(made / "layer")
            Layer(name=name, version=version, parts=parts).write(made / "layer.json")

    return once(_folder(name, version), make)


def find(name: str, version: str) -> tuple[Layer, Path]:
    """An installed layer, and its files.

    Raises:
        AgentError: it isn't installed.
    """
    folder = _folder(name, version)
    if not (folder / "layer.json").is_file():
        raise AgentError(
            f"{name}@{version} isn't installed",
            hint=f"benchwright agents install {name}@{version}",
        )
    return Layer.read(folder / "layer.json"), folder / "layer"


def installed() -> list[Layer]:
    """Every layer on this machine."""
    paths = sorted((cache_root() / "agents").glob("*/layer.json"))
    return [Layer.read(path) for path in paths]


def _folder(name: str, version: str) -> Path:
    if not version or not all(c.isalnum() or c in ".-+_" for c in version) or version[0] in ".-":
        raise AgentError(f"{version!a}: not a version")
    return cache_root() / "agents" / f"{name}@{version}"


def cpu() -> str:
    """This machine's processor, as npm packages call it.

    Raises:
        AgentError: agents aren't built for it.
    """
    names = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}
    machine = platform.machine().lower()
    if sys.platform != "linux" or machine not in names:
        raise AgentError(f"agents aren't built for {sys.platform} on {machine}")
    return names[machine]


def machine() -> str:
    """This machine's processor, as compilers call it."""
    name = platform.machine().lower()
    return {"amd64": "x86_64", "arm64": "aarch64"}.get(name, name)


def sha256(path: Path) -> str:
    """Digest of a file."""
    with path.open("rb") as file:
        return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"


def failed(spec: str, said: str, absent: tuple[str, ...]) -> AgentError | BuildError:
    """What a package client's failure means."""
    lines = [line for line in said.splitlines() if line.strip()]
    last = next((line for line in lines if any(a in line for a in absent)), "")
    if last:
        return AgentError(f"{spec}: no such version for this machine: {last.strip()[:200]}")
    return BuildError(f"{spec}: can't be fetched: {' '.join(lines)[:300]}")
