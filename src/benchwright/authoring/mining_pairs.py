"""Two releases as a task: the old code, the new tests, the changelog's section as the issue.

It needs no history: `pypi:click==8.5.0..8.5.1`.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from benchwright.formats import SourceError, SourcePin
from benchwright.sandbox import Caps, Mount, Sandbox, Spec
from benchwright.sources import Fetched, fetch
from benchwright.tasks import Task, walk

from .mining import BOUNDS, completed, is_test, keep_row, row
from .mining_fair import leak, unstated
from .parts import copy
from .resolution import Change, author_change

Progress = Callable[[str], None]
PAIR = re.compile(r"([a-z]+:)([^=\s]+)==([^=\s]+?)\.\.([^=\s.][^=\s]*)")
LOG = re.compile(r"(changes|changelog|history|news|release.?notes|whatsnew)", re.IGNORECASE)
LOGS = (".rst", ".md", ".txt", "")
OURS = ("PKG-INFO", ".egg-info", ".dist-info")
SCRIPT = r"""set -eu
cd /new
git init -q
mkdir -p "$GIT_DIR/info"
echo '* -text -eol -filter -ident -working-tree-encoding' > "$GIT_DIR/info/attributes"
GIT_WORK_TREE=/old git add --all --force .
git commit -q --allow-empty --message old
GIT_WORK_TREE=/new git add --all --force .
GIT_WORK_TREE=/new git diff --cached --binary --full-index --no-ext-diff --no-textconv --no-renames
"""
ENV = {
    "GIT_DIR": "/tmp/repo",  # noqa: S108 - a path inside the box
    "GIT_WORK_TREE": "/new",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_AUTHOR_NAME": "author",
    "GIT_AUTHOR_EMAIL": "author@localhost",
    "GIT_COMMITTER_NAME": "author",
    "GIT_COMMITTER_EMAIL": "author@localhost",
    "GIT_TEMPLATE_DIR": "",
}


def is_pair(spec: str) -> bool:
    """Whether a source names two releases."""
    return PAIR.fullmatch(spec) is not None


def mine_pair(spec: str, out: Path, *, sandbox: Sandbox, progress: Progress) -> Task:
    """Make the task of a pair in a folder below `out`.

    Raises:
        SourceError: the releases can't be had, the changelog says nothing, or no test fails on the
            old one and passes on the new one.
        InfraError: the machine failed.
    """
    match = PAIR.fullmatch(spec)
    if match is None:
        raise SourceError(f"{spec!a}: not two releases", hint="as pypi:click==8.5.0..8.5.1")
    scheme, name, old, new = match.groups()
    before, after = (fetch(f"{scheme}{name}=={v}", progress=progress) for v in (old, new))
    statement = section(after.tree, new)
    title = f"{name.lower()}-{old}-{new}"
    if (out / title / "task.toml").is_file():
        return Task.load(out / title)
    with tempfile.TemporaryDirectory(prefix="benchwright-") as scratch:
        patch, tests = diffs(before, after, Path(scratch), sandbox)
        base = Path(scratch) / "base"
        copy(before.tree, [n for n, _ in walk(before.tree) if not _ours(n)], base)
        change = Change(
            name=title,
            pin=pinned(before, after),
            base=base,
            version=old,
            patch=patch,
            test_patch=tests,
            statement=statement.encode(),
            recipes=completed(base, sandbox, progress),
            limits=BOUNDS,
            notes=fairness(statement, patch, tests, base),
        )
        task = author_change(change, out / title, sandbox=sandbox, progress=progress)
    keep_row(out, row(task, change, name, old))
    return task


def fairness(statement: str, patch: bytes, tests: bytes, base: Path) -> tuple[str, ...]:
    """What a changelog leaves unsaid: a release is more than one change, so it isn't refused.

    Raises:
        SourceError: it quotes the change.
    """
    code, used = patch.decode(errors="replace"), tests.decode(errors="replace")
    if quoted := leak(statement, code):
        raise SourceError(f"the changelog gives the change away: {quoted}")
    missing = unstated(statement, code, used, base)
    return (f"used by tests, but not stated: {', '.join(missing[:20])}",) if missing else ()


def pinned(before: Fetched, after: Fetched) -> SourcePin:
    """The old release's pin, with the new one's date: its tests may need what came between."""
    return before.pin.model_copy(update={"released": after.pin.released})


def diffs(before: Fetched, after: Fetched, work: Path, sandbox: Sandbox) -> tuple[bytes, bytes]:
    """The change of the code and the change of the tests, as patches."""
    made: list[bytes] = []
    names = {f.tree: [n for n, _ in walk(f.tree) if not _ours(n)] for f in (before, after)}
    for kind in (False, True):
        trees: list[Path] = []
        for fetched in (before, after):
            tree = work / f"{len(made)}-{len(trees)}"
            copy(fetched.tree, [n for n in names[fetched.tree] if is_test(n) is kind], tree)
            sandbox.give(tree)
            trees.append(tree)
        mounts = (Mount("/old", "ro", trees[0]), Mount("/new", "ro", trees[1]))
        caps = Caps(wall_seconds=300, memory=4 << 30, output=64 << 20)
        done = sandbox.run(Spec(("/bin/sh", "-c", SCRIPT), mounts, ENV, caps=caps))
        if done.exit_code or done.end != "exited" or done.truncated:
            said = done.stderr.decode(errors="replace").strip().splitlines() or [done.end]
            raise SourceError(f"the releases can't be compared: {said[-1]:.200}")
        made.append(done.stdout)
    if not all(made):
        raise SourceError("the releases don't differ in code and in tests")
    return made[0], made[1]


def section(tree: Path, version: str) -> str:
    """The section of a version in the project's changelog.

    Raises:
        SourceError: there is none.
    """
    heading = re.compile(
        rf"^[#=\s*]*(?:version|release|v)?[\s.:]*\[?v?{re.escape(version)}\b.*$", re.IGNORECASE
    )
    for name, path in sorted(walk(tree), key=lambda item: item[0].count("/")):
        place = PurePosixPath(name)
        if place.suffix not in LOGS or not LOG.search(place.name) or not path.is_file():
            continue
        lines = path.read_text(errors="replace").split("\n")
        starts = [i for i, line in enumerate(lines) if heading.match(line)]
        if starts and (text := _until_next(lines[starts[0] + 1 :], heading)):
            return text
    raise SourceError(f"no changelog in the source has a section for {version}")


def _until_next(lines: list[str], own: re.Pattern[str]) -> str:
    """The lines of a section: up to the heading of another version."""
    other = re.compile(r"^[#=\s*]*(?:version|release|v)?[\s.:]*\[?v?\d+\.\d+[\w.]*\]?(\s|$)", re.I)
    body: list[str] = []
    for line in lines:
        if other.match(line) and not own.match(line):
            break
        body.append(line)
    while body and not body[0].strip(" -=~#^*"):
        body.pop(0)
    text = "\n".join(body).strip()
    return text + "\n" if len(text) > 20 else ""


def _ours(name: str) -> bool:
    return any(part.endswith(OURS) for part in PurePosixPath(name).parts)
