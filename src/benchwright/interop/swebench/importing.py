"""A row becomes a task: the tree at its base commit, its pins, its tests, its ids."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from benchwright.authoring import Change, Listed, Measured, Trees, author_change, touched
from benchwright.formats import SourceError, SourcePin
from benchwright.sandbox import Sandbox, choose
from benchwright.sources import Repository, open_repository
from benchwright.tasks import Task, digest

from .environment import recipes
from .ids import match
from .pins import Pins
from .rows import Row

Progress = Callable[[str], None]
ROW = "swebench.json"
"""The row a task was made from, below its `tests/`."""
LAYOUTS = ("{owner}__{name}", "{owner}+{name}", "{owner}+{name}/repo", "{owner}/{name}", "{name}")
"""Where a clone of `owner/name` is looked for below the folder of clones."""


def import_row(
    row: Row,
    clones: Path,
    out: Path,
    *,
    pins: Pins | None = None,
    sandbox: Sandbox | None = None,
    progress: Progress | None = None,
) -> Task:
    """Make the task of a row in the new folder `out`.

    Raises:
        SourceError: no clone, no such commit, a patch doesn't apply, or no test shows the change.
        RecipeError: its environment can't be built; the message names the cause.
        InfraError: the machine failed.
    """
    tell, box = progress or (lambda _: None), sandbox or choose()
    repository = find_clone(clones, row.repo, box)
    commit = repository.commit(row.base_commit)
    with tempfile.TemporaryDirectory(prefix="benchwright-") as scratch:
        tree = Path(scratch) / "tree"
        for note in repository.export(commit, tree):
            tell(note)
        pin = SourcePin(
            spec=f"git+{row.repo}@{commit}",
            archive=commit,
            tree=digest(tree),
            released=repository.date(commit),
        )
        change = Change(
            name=row.instance_id,
            pin=pin,
            base=tree,
            version=repository.version(commit),
            patch=row.patch.encode(),
            test_patch=row.test_patch.encode(),
            statement=row.problem_statement.encode(),
            recipes=recipes(row, pins, tell),
            lists=lambda seen: listed(row, seen),
            paths=lambda trees: paths(row, trees),
            extra={ROW: row.model_dump_json(by_alias=True, indent=1).encode()},
        )
        return author_change(change, out, sandbox=box, progress=tell)


def find_clone(clones: Path, repo: str, sandbox: Sandbox) -> Repository:
    """The clone of `owner/name` below a folder of clones.

    Raises:
        SourceError: there is none.
    """
    owner, _, name = repo.partition("/")
    for layout in LAYOUTS:
        path = clones / layout.format(owner=owner, name=name)
        if path.is_dir():
            try:
                return open_repository(str(path), lambda _: None, sandbox)
            except SourceError:
                continue
    raise SourceError(
        f"{repo}: no clone of it below {clones}", hint=f"git clone it to {clones}/{owner}__{name}"
    )


def listed(row: Row, seen: Measured) -> Listed:
    """The row's ids as exact ids; what can't be mapped is lost, by name."""
    lost = {}
    groups: list[list[str]] = []
    for ids in (row.fail_to_pass, row.pass_to_pass):
        exact: list[str] = []
        for found in match(ids, seen.ids, seen.described):
            exact += found.ids
            if not found.ids:
                lost[found.row_id] = "no test that runs here has this id"
        groups.append(list(dict.fromkeys(exact)))
    return Listed(
        fail_to_pass=tuple(groups[0]),
        pass_to_pass=tuple(groups[1]),
        lost=lost,
        needed=frozenset(lost.keys() & {*row.fail_to_pass}),
    )


def paths(row: Row, trees: Trees) -> tuple[str, ...]:
    """The files that the row's ids name; where ids name none, the test files of its patch."""
    named = {i.partition("::")[0] for i in (*row.fail_to_pass, *row.pass_to_pass) if "::" in i}
    found = sorted(name for name in named if (trees.tested / name).is_file())
    return tuple(found) or touched(trees)


def chosen(rows: Iterable[Row], ids: Sequence[str]) -> tuple[Row, ...]:
    """The rows of some ids, or all.

    Raises:
        SourceError: no row has one of the ids.
    """
    known = {row.instance_id: row for row in rows}
    if unknown := [name for name in ids if name not in known]:
        raise SourceError(f"{unknown[0]!a:.200}: no row has this id")
    return tuple(known[name] for name in ids) if ids else tuple(known.values())
