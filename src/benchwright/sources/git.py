"""`git+URL@REF` and `git+PATH@REF`: the tree at one commit of a repository, without its history.

A repository is a stranger's: its configuration, hooks and attributes are never obeyed on this
machine. A remote one is mirrored without a work tree; everything else happens inside a sandbox,
where the repository is read-only.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from packaging.version import InvalidVersion, Version

from benchwright.formats import (
    BuildError,
    SourceError,
    SourcePin,
    cache_root,
    once,
    parse,
    read_bytes,
    seal,
)
from benchwright.sandbox import Caps, Mount, Sandbox, Spec, choose, freeze
from benchwright.tasks import digest, walk

from .spec import Fetched, Progress

REF = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._/-]*")
ENV = {
    "GIT_DIR": "/repo",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_COUNT": "2",
    "GIT_CONFIG_KEY_0": "safe.directory",
    "GIT_CONFIG_VALUE_0": "*",
    "GIT_CONFIG_KEY_1": "core.hooksPath",
    "GIT_CONFIG_VALUE_1": "/dev/null",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
}
POINTER = 1024
"""Bytes that a pointer to a large file has at most."""
POINTS = b"version https://git-lfs"
CHECKOUT = """set -eu
export GIT_INDEX_FILE=/tmp/index
git read-tree "$1"
git checkout-index --all --prefix=/out/tree/
"""


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository on this machine, only ever asked from inside a sandbox."""

    path: Path
    sandbox: Sandbox

    def ask(self, *arguments: str, seconds: float = 120) -> str:
        """What a git command prints.

        Raises:
            SourceError: the command failed; the message is git's own first line.
        """
        return self._box(("git", *arguments), (), seconds)

    def commit(self, ref: str) -> str:
        """The full commit that a name stands for.

        Raises:
            SourceError: there is none.
        """
        if not REF.fullmatch(ref) or ".." in ref:
            raise SourceError(f"{ref!a}: not a name of a commit, tag or branch")
        try:
            found = self.ask("rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}")
        except SourceError:
            raise SourceError(f"{self.path}: has no commit, tag or branch {ref}") from None
        return found.strip()

    def version(self, commit: str) -> str:
        """What a build calls a commit, by the nearest tag before it; empty if there is none."""
        try:
            return version_of(self.ask("describe", "--tags", "--long", commit).strip())
        except SourceError:
            return ""

    def date(self, commit: str) -> datetime:
        """When it was committed."""
        seconds = int(self.ask("show", "--no-patch", "--format=%ct", commit).split()[0])
        return datetime.fromtimestamp(seconds, UTC)

    def export(self, commit: str, dest: Path) -> tuple[str, ...]:
        """Write the tree of a commit to the new folder `dest`; gives what was left out.

        Raises:
            SourceError: the tree can't be written here (names that clash, too large).
        """
        with tempfile.TemporaryDirectory(prefix="benchwright-") as scratch:
            out = Path(scratch) / "out"
            (out / "tree").mkdir(parents=True)
            self.sandbox.give(out)
            mounts = (Mount("/out", "rw", out),)
            self._box(("/bin/sh", "-c", CHECKOUT, "sh", commit), mounts, 600)
            snapshot = freeze(out / "tree", dest)
        if snapshot.unusable:
            raise SourceError(f"{self.path}: the tree of {commit}: {snapshot.unusable}")
        notes = [f"{n.path}: {n.message}" for n in snapshot.notes]
        return (*notes, *self._special(commit), *pointers(dest))

    def _special(self, commit: str) -> tuple[str, ...]:
        listed = self.ask("ls-tree", "-r", "-z", "--full-tree", commit)
        links = [line.partition("\t")[2] for line in listed.split("\0") if line[:6] == "160000"]
        return tuple(f"{path!a}: a submodule, left empty" for path in links)

    def _box(self, command: tuple[str, ...], mounts: tuple[Mount, ...], seconds: float) -> str:
        mirror = Mount("/repo", "ro", self.path)
        caps = Caps(wall_seconds=seconds, memory=4 << 30, scratch=4 << 30, output=512 << 20)
        done = self.sandbox.run(Spec(command, (mirror, *mounts), ENV, caps=caps))
        if done.exit_code or done.end != "exited":
            said = done.stderr.decode(errors="replace").strip().partition("\n")[0]
            raise SourceError(f"{self.path}: git {command[-1]}: {said or done.end!s:.300}")
        return done.stdout.decode(errors="surrogateescape")


def pointers(tree: Path) -> tuple[str, ...]:
    """A note for each file whose content is kept elsewhere (large file storage)."""
    return tuple(
        f"{name!a}: only a pointer to a large file that is kept elsewhere"
        for name, path in walk(tree)
        if not path.is_symlink() and path.stat().st_size < POINTER and _points(path)
    )


def _points(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(POINTS)) == POINTS


def fetch(rest: str, progress: Progress) -> Fetched:
    """Fetch `URL@REF` or `PATH@REF`.

    Raises:
        SourceError: no such repository or ref.
        BuildError: a remote repository can't be reached.
    """
    where, at, ref = rest.rpartition("@")
    if not at or not where:
        raise SourceError(f"git+{rest!a}: which commit?", hint="as git+https://…/project@v1.2.0")
    repository = open_repository(where, progress)
    commit = repository.commit(ref)
    folder = cache_root() / "sources" / "git-2" / _key(where) / commit
    once(folder, lambda made: _make(made, where, repository, commit))
    path = folder / "pin.json"
    notes = (folder / "notes.txt").read_text().splitlines()
    return Fetched(parse(SourcePin, read_bytes(path), path), folder / "tree", tuple(notes))


def open_repository(where: str, progress: Progress, sandbox: Sandbox | None = None) -> Repository:
    """The repository at a path or URL; a remote one is mirrored into the cache first.

    Raises:
        SourceError: nothing there, or it isn't a repository.
        BuildError: it can't be reached.
    """
    local = Path(where.removeprefix("file://"))
    if "://" in where and not where.startswith("file://"):
        path = _mirror(where, progress)
    else:
        inner = local / ".git"
        path = (inner if inner.is_dir() else local).resolve()
        if not (path / "objects").is_dir() or not (path / "HEAD").is_file():
            raise SourceError(f"{local}: not a git repository")
    return Repository(path, sandbox or choose())


def _mirror(url: str, progress: Progress) -> Path:
    if shutil.which("git") is None:
        raise SourceError(f"{url}: git isn't installed", hint="install git")
    if url.startswith("-") or not url.startswith(("https://", "http://", "ssh://", "git://")):
        raise SourceError(f"{url!a}: not a URL that git may fetch from")

    def clone(made: Path) -> None:
        progress(f"mirroring {url}")
        options = ("--mirror", "--no-recurse-submodules", "--")
        command = ["git", "clone", *options, url, str(made / "m")]
        quiet = {"GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_NOSYSTEM": "1", "GIT_TEMPLATE_DIR": ""}
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", env=os.environ | quiet
        )
        if done.returncode:
            said = (done.stderr.strip().splitlines() or ["git failed"])[-1]
            raise BuildError(f"{url}: can't be mirrored: {said:.300}", hint="check the network")

    return once(cache_root() / "mirrors" / _key(url), clone) / "m"


def _make(made: Path, where: str, repository: Repository, commit: str) -> None:
    notes = repository.export(commit, made / "tree")
    pin = SourcePin(
        spec=f"git+{where}@{commit}",
        archive=commit,
        tree=digest(made / "tree"),
        released=repository.date(commit),
        version=repository.version(commit),
    )
    (made / "notes.txt").write_text("\n".join(notes))
    (made / "pin.json").write_text(pin.model_dump_json())
    seal(made)


def version_of(description: str) -> str:
    """What a build calls a commit, from `git describe --long`: the release after the tag's, in
    development, with the distance from it.
    """
    tag, _, rest = description.rpartition("-g")
    tag, _, distance = tag.rpartition("-")
    start = next((i for i, c in enumerate(tag) if c.isdigit()), len(tag))
    try:
        version = Version(tag[start:])
    except InvalidVersion:
        return ""
    if not distance.isdigit() or not int(distance):
        return str(version)
    release = list(version.release)
    if not version.is_prerelease:
        release[-1] += 1
    return f"{'.'.join(map(str, release))}.dev{distance}+g{rest}"


def _key(where: str) -> str:
    return sha256(where.encode()).hexdigest()[:24]
