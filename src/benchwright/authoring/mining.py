"""Changes of a repository that come with tests, as resolution tasks, by execution.

The first-parent history is walked: an entry is one commit or one merged branch. What changes code
and tests together is tried: the tests must fail on the tree before it and pass on the one after,
three times each. Why the others were left is told.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

from benchwright import environments, languages
from benchwright.environments import Environment
from benchwright.formats import (
    InputError,
    Limits,
    Recipe,
    SourceError,
    SourcePin,
    printable,
    write_atomic,
)
from benchwright.languages import Project
from benchwright.sandbox import Sandbox
from benchwright.sources import Repository
from benchwright.tasks import Task, digest

from .mining_fair import tidy, unfit
from .missing import missing_modules
from .parts import split
from .resolution import Change, Recipes, author_change

Progress = Callable[[str], None]
FOLDERS = frozenset({"test", "tests", "testing"})
NAMES = re.compile(r"(test_.*|.*_tests?|conftest)\.py")
ISSUE = re.compile(r"#(\d+)")
LARGEST = 400
"""Lines that a change of code may add and remove."""
MOST_FILES = 12
DIFF = ("diff", "--binary", "--full-index", "--no-ext-diff", "--no-textconv", "--no-renames")
ROWS = "rows.jsonl"
BOUNDS = Limits(test_seconds=30.0, suite_seconds=900.0, memory=4 << 30, disk=2 << 30)
"""Old code under new tests may hang: a test's limit keeps that to itself."""


@dataclass(frozen=True, slots=True)
class Found:
    """An entry of a history that changes code and tests."""

    commit: str
    parent: str
    code: tuple[str, ...]
    tests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mined:
    """What became of an entry."""

    name: str
    task: Task | None = None
    why: str = ""
    """Why it is no task."""


def is_test(name: str) -> bool:
    """Whether a path belongs to the tests: by its folders and its name, never by a part of one."""
    path = PurePosixPath(name)
    return bool(FOLDERS & set(path.parts[:-1])) or bool(NAMES.fullmatch(path.name))


def found(repository: Repository, ref: str, since: str, until: str = "") -> Iterator[Found]:
    """Entries of the history of `ref` that change code and tests, the newest first.

    Raises:
        SourceError: no such ref, or a date that git can't read.
    """
    head = repository.commit(ref)
    dates = [f"--since={_date(since)}"] if since else []
    dates += [f"--until={_date(until)}"] if until else []
    for line in repository.ask("rev-list", "--first-parent", "--parents", *dates, head).split("\n"):
        commit, *parents = line.split() or [""]
        if parents:
            yield from _sorted(repository, commit, parents[0])


def _sorted(repository: Repository, commit: str, parent: str) -> Iterator[Found]:
    changes = repository.ask("diff-tree", "-r", "--numstat", "-z", "--no-renames", parent, commit)
    code, tests, lines = [], [], 0
    for entry in filter(None, changes.split("\0")):
        plus, minus, name = entry.split("\t", 2)
        if is_test(name):
            tests.append(name)
        else:
            code.append(name)
            lines += sum(int(n) for n in (plus, minus) if n.isdigit() and name.endswith(".py"))
    source = [name for name in code if name.endswith(".py")]
    tested = any(name.endswith(".py") for name in tests)
    if tested and 0 < lines <= LARGEST and 0 < len(source) <= MOST_FILES:
        yield Found(commit, parent, tuple(code), tuple(tests))


def _date(text: str) -> str:
    try:
        return datetime.fromisoformat(text).isoformat()
    except ValueError:
        raise SourceError(f"{text!a}: not a date", hint="as 2024-01-31") from None


def mine(
    repository: Repository,
    name: str,
    out: Path,
    *,
    ref: str = "HEAD",
    since: str = "",
    until: str = "",
    most: int = 10,
    issues: Mapping[str, str] | None = None,
    sandbox: Sandbox,
    progress: Progress,
) -> Iterator[Mined]:
    """Make up to `most` tasks of a repository's history below the folder `out`.

    Args:
        repository: with its history.
        name: `owner/name` of it.
        out: folder of the tasks; the rows are appended to `rows.jsonl` in it.
        ref: where the history ends.
        since: date from which entries are taken.
        until: date up to which.
        most: tasks to make.
        issues: text of issues by number, or by commit.
        sandbox: where everything of the repository's runs.
        progress: told what is being done.

    Raises:
        SourceError: no such ref, or a wrong date.
        InfraError: the machine failed.
    """
    made = 0
    for entry in found(repository, ref, since, until):
        if made == most:
            return
        mined = _try(repository, name, entry, out, issues or {}, sandbox, progress)
        made += mined.task is not None
        progress(f"{mined.name}: {'a task' if mined.task else printable(mined.why, 300)}")
        yield mined


def _try(
    repository: Repository,
    name: str,
    entry: Found,
    out: Path,
    issues: Mapping[str, str],
    sandbox: Sandbox,
    progress: Progress,
) -> Mined:
    title = f"{name.replace('/', '__')}-{entry.commit[:10]}"
    if (out / title / "task.toml").is_file():
        return Mined(title, Task.load(out / title))
    with tempfile.TemporaryDirectory(prefix="benchwright-") as scratch:
        tree = Path(scratch) / "tree"
        try:
            statement = told(repository, entry, issues)
            patch, tests = (_diff(repository, entry, paths) for paths in (entry.code, entry.tests))
            repository.export(entry.parent, tree)
            why = unfit(statement, _text(patch), _text(tests), tree)
            if why:
                return Mined(title, why=why)
            pin = SourcePin(
                spec=f"git+{name}@{entry.parent}",
                archive=entry.parent,
                tree=digest(tree),
                released=repository.date(entry.commit),
            )
            change = Change(
                name=title,
                pin=pin,
                base=tree,
                version="",
                patch=patch,
                test_patch=tests,
                statement=statement.encode(errors="surrogateescape"),
                recipes=completed(tree, sandbox, progress),
                limits=BOUNDS,
            )
            task = author_change(change, out / title, sandbox=sandbox, progress=progress)
        except InputError as error:
            return Mined(title, why=error.message)
    keep_row(out, row(task, change, name, entry.parent))
    return Mined(title, task)


def told(repository: Repository, entry: Found, issues: Mapping[str, str]) -> str:
    """The issue that an entry's messages name, where its text is given; else the messages."""
    log = repository.ask("log", "--format=%B", f"{entry.parent}..{entry.commit}", "--")
    for key in (entry.commit, *ISSUE.findall(log)):
        if key in issues:
            return issues[key]
    return tidy(log)


def _diff(repository: Repository, entry: Found, paths: tuple[str, ...]) -> bytes:
    only = [f":(literal){path}" for path in paths]
    text = repository.ask(*DIFF, entry.parent, entry.commit, "--", *only)
    return text.encode(errors="surrogateescape")


def _text(patch: bytes) -> str:
    return patch.decode(errors="replace")


def completed(tree: Path, sandbox: Sandbox, progress: Progress) -> Recipes:
    """The recipe that a project needs, found out by collecting its suite."""

    def recipe(project: Project, metadata: Path | None) -> Recipe:  # noqa: ARG001 - the contract's
        language = languages.get(project.recipe.language)

        def missing(project: Project, environment: Environment) -> tuple[str, ...]:
            return missing_modules(language, project, environment, split(tree, project), sandbox)

        done = environments.complete(language, tree, project, missing, progress=progress)
        return done.project.recipe

    return recipe


def row(task: Task, change: Change, repo: str, commit: str) -> dict[str, object]:
    """A task as a row of SWE-bench."""
    counted = task.manifest.counted

    def ids(group: str) -> str:
        return json.dumps([test.id for test in counted if test.group == group])

    released = change.pin.released
    return {
        "repo": repo,
        "instance_id": change.name,
        "base_commit": commit,
        "patch": _text(change.patch),
        "test_patch": _text(change.test_patch),
        "problem_statement": change.statement.decode(errors="replace"),
        "hints_text": "",
        "created_at": released.strftime("%Y-%m-%dT%H:%M:%SZ") if released else "",
        "version": change.version,
        "FAIL_TO_PASS": ids("fail_to_pass"),
        "PASS_TO_PASS": ids("pass_to_pass"),
        "environment_setup_commit": commit,
    }


def keep_row(out: Path, row: Mapping[str, object]) -> None:
    """Append a row to the folder's rows, in place of an earlier one of the same id."""
    path = out / ROWS
    lines = path.read_text().splitlines() if path.is_file() else []
    lines = [line for line in lines if json.loads(line)["instance_id"] != row["instance_id"]]
    text = "".join(f"{line}\n" for line in [*lines, json.dumps(row)])
    write_atomic(path, text.encode())


__all__ = ["Mined", "completed", "found", "is_test", "keep_row", "mine", "row"]
