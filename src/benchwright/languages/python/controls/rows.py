"""Tables: parametrised rows and loops over rows, and the edits of their cells.

The ids of parametrised rows are fixed by a normalisation that is made in every round: by position,
so that an id neither changes with an edited cell nor tells what the row expects.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from .check import Check
from .operators import Proposal
from .pool import Pool
from .source import Function, Source, dotted, last
from .suite import Test
from .told import Met, gives_away, met
from .trace import Site, assignments, literal
from .values import Change, Replacer, differ, kind, parsed, replaced

ROW_LIMIT = 400


@dataclass(frozen=True, eq=False)
class Table:
    """Rows of cells under named columns."""

    source: Source
    columns: tuple[str, ...]
    rows: tuple[tuple[ast.expr, ...], ...]
    call: ast.Call | None
    """The `parametrize` call; none for a loop."""


def tables(source: Source, function: Function, owner: ast.ClassDef | None) -> list[Table]:
    """The tables of a test: its `parametrize` decorators, nearest first, then its loops."""
    decorators = [
        *reversed(function.decorator_list),
        *reversed(owner.decorator_list if owner else []),
    ]
    found = [t for d in decorators if (t := parametrized(source, d)) is not None]
    for node in source.inside(function):
        if isinstance(node, ast.For):
            rows = sequence(source, function, node.iter)
            names = target(node.target)
            if rows and names:
                found.append(Table(source, names, cells(rows, len(names)), None))
    return found


def parametrized(source: Source, node: ast.expr) -> Table | None:
    """The table of a decorator."""
    if not isinstance(node, ast.Call) or last(node.func) != "parametrize":
        return None
    arguments = [*node.args[:2], *(k.value for k in node.keywords if k.arg == "argvalues")]
    if len(arguments) < 2:
        return None
    names = argnames(arguments[0])
    rows = sequence(source, None, arguments[1])
    return Table(source, names, cells(rows, len(names)), node) if names and rows else None


def argnames(node: ast.expr) -> tuple[str, ...]:
    """The columns' names, however they are written."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return tuple(n.strip() for n in node.value.split(",") if n.strip())
    if isinstance(node, ast.List | ast.Tuple):
        return tuple(e.value for e in node.elts
                     if isinstance(e, ast.Constant) and isinstance(e.value, str))  # fmt: skip
    return ()


def sequence(source: Source, function: Function | None, node: ast.expr) -> list[ast.expr]:
    """The rows that a display holds, also one that a name stands for."""
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return [] if any(isinstance(e, ast.Starred) for e in node.elts) else list(node.elts)
    if isinstance(node, ast.Call) and last(node.func) == "items":
        assert isinstance(node.func, ast.Attribute)
        inner = resolve(source, function, node.func.value)
        if isinstance(inner, ast.Dict) and all(k is not None for k in inner.keys):
            return [ast.Tuple(elts=[k, v]) for k, v in zip(inner.keys, inner.values, strict=True)
                    if k is not None]  # fmt: skip
        return []
    resolved = resolve(source, function, node)
    return sequence(source, function, resolved) if resolved is not node else []


def resolve(source: Source, function: Function | None, node: ast.expr) -> ast.expr:
    """What a plain name was assigned."""
    if not isinstance(node, ast.Name):
        return node
    local = list(assignments(source.inside(function), node.id)) if function else []
    outside = list(assignments(source.tree.body, node.id))
    values = local or outside
    return values[0] if len(values) == 1 else node


def target(node: ast.expr) -> tuple[str, ...]:
    """The variables of a loop."""
    if isinstance(node, ast.Name):
        return (node.id,)
    if isinstance(node, ast.Tuple) and all(isinstance(e, ast.Name) for e in node.elts):
        return tuple(e.id for e in node.elts if isinstance(e, ast.Name))
    return ()


def cells(rows: Sequence[ast.expr], width: int) -> tuple[tuple[ast.expr, ...], ...]:
    """The cells of each row; an empty row where they can't be read off."""
    result: list[tuple[ast.expr, ...]] = []
    for row in rows:
        inner: tuple[ast.expr, ...] = (row,)
        if isinstance(row, ast.Call) and last(row.func) == "param":
            inner = tuple(row.args)
        elif width > 1 and isinstance(row, ast.Tuple | ast.List):
            inner = tuple(row.elts)
        result.append(inner if len(inner) == width else ())
    return tuple(result)


def propose_rows(
    check: Check, pool: Pool, found: Sequence[Table], tests: Sequence[Test]
) -> list[Proposal]:
    """Edits of the cells that a check depends on."""
    used = {s.column: s for s in reversed(check.sites) if s.column}
    result: list[Proposal] = []
    for index, table in enumerate(found):
        for place, column in enumerate(table.columns):
            site = used.get(column)
            if site is not None:
                ids = row_ids(found, index, tests)
                result += in_column(check, pool, table, place, site, ids)
    return result


def in_column(
    check: Check, pool: Pool, table: Table, place: int, site: Site, ids: list[tuple[str, ...]]
) -> Iterator[Proposal]:
    """Exchanges between rows, and other values for single cells, in one column."""
    guess = site.role
    if guess == "input" and table.columns[place].startswith(("exp", "result", "output", "want")):
        guess = "expected"
    prefix = "input-" if guess == "input" else ""
    if len(table.rows) > ROW_LIMIT:
        return
    for number, row in enumerate(table.rows):
        if not row:
            continue
        mine = ids[number] if number < len(ids) else ()
        for other in partners(table, place, number):
            theirs = ids[other] if other < len(ids) else ()
            changes = exchange(table.source, row[place], table.rows[other][place])
            if changes and other > number:
                there = table.rows[other]
                strong = not (
                    gives_away(row[place], there[place], beside(table.source, row, place))
                    or gives_away(there[place], row[place], beside(table.source, there, place))
                )
                yield Proposal(
                    check, f"{prefix}swap-rows", changes, strong, ids=(*mine, *theirs),
                    exclusive=prefix == "" and check.kind == "compare" and changes[0].fixed,
                )  # fmt: skip
        yield from alone(check, pool, table, row, place, guess, mine)


def beside(source: Source, row: Sequence[ast.expr], place: int) -> Met:
    """What the other cells of a row hold."""
    cells = (cell for i, cell in enumerate(row) if i != place)
    return met(source, (node for cell in cells for node in ast.walk(cell)))


def partners(table: Table, place: int, number: int) -> list[int]:
    """Rows further down (at most two) whose cell is of the same kind and another value."""
    mine = table.rows[number][place]
    found = []
    for step in range(1, len(table.rows)):
        other = (number + step) % len(table.rows)
        row = table.rows[other]
        if row and alike(mine, row[place]):
            found.append(other)
        if len(found) == 2:
            break
    return found


def alike(one: ast.expr, two: ast.expr) -> bool:
    """Whether two cells may change places."""
    if literal(one) and literal(two):
        return differ(one, two)
    return bool(dotted(one)) and bool(dotted(two)) and dotted(one) != dotted(two)


def exchange(source: Source, one: ast.expr, two: ast.expr) -> tuple[Change, ...]:
    """The two changes that exchange two cells, if both stand on as many lines."""
    left, right = source.text(one), source.text(two)
    if left.count("\n") != right.count("\n"):
        return ()
    fixed = literal(one) and literal(two) and differ(one, two)
    (a, b), (c, d) = source.span(one), source.span(two)
    return (Change(a, b, right, "swap-rows", fixed=fixed),
            Change(c, d, left, "swap-rows", fixed=fixed))  # fmt: skip


def alone(
    check: Check,
    pool: Pool,
    table: Table,
    line: Sequence[ast.expr],
    place: int,
    role: str,
    ids: tuple[str, ...],
) -> Iterator[Proposal]:
    """Other values for one cell of a row."""
    cell = line[place]
    prefix = "input-" if role == "input" else ""
    if not literal(cell):
        name = dotted(cell)
        root = name.rpartition(".")[0]
        spelled = [dotted(c) for row in table.rows for c in row]
        names = [n for n in spelled if n not in ("", name) and n.rpartition(".")[0] == root]
        for other in list(dict.fromkeys(names))[:2] if name else ():
            change = Change(*table.source.span(cell), other, "swap-name")
            yield Proposal(check, f"{prefix}cell-swap-name", (change,), True, ids=ids)
        return
    replacer = Replacer(pool.vocabulary, table.source, f"{check.name}:{table.source.span(cell)}")
    column = [table.source.text(row[i]) for row in table.rows if row for i in range(len(row))
              if row[i] is not cell and kind(row[i]) == kind(cell) and literal(row[i])]  # fmt: skip
    near = [t for t in dict.fromkeys(column) if "\n" not in t][:2]
    around = beside(table.source, line, place)
    for change in replacer.alternatives(cell, near)[:4]:
        new = parsed(replaced(table.source, cell, change).decode("utf-8", "replace"))
        strong = change.strong and not gives_away(cell, new, around)
        yield Proposal(
            check, f"{prefix}cell-{change.operator}", (change,), strong, ids=ids,
            exclusive=prefix == "" and check.kind == "compare" and change.fixed,
        )  # fmt: skip


def row_ids(found: Sequence[Table], index: int, tests: Sequence[Test]) -> list[tuple[str, ...]]:
    """Per row of one table the ids that it gives, as pytest orders them; a guess until tried."""
    decorated = [t for t in found if t.call is not None]
    table = found[index]
    if table.call is None:
        return [tuple(i for test in tests for i in test.ids)] * len(table.rows)
    position = decorated.index(table)
    combos = list(product(*(range(len(t.rows)) for t in decorated)))
    result: list[list[str]] = [[] for _ in table.rows]
    for test in tests:
        for group in by_prefix(test.ids):
            if len(group) % len(combos):
                return [tuple(i for t in tests for i in t.ids)] * len(table.rows)
            each = len(group) // len(combos)
            for number, test_id in enumerate(group):
                result[combos[number // each][position]].append(test_id)
    return [tuple(r) for r in result]


def by_prefix(ids: Sequence[str]) -> list[list[str]]:
    """Ids grouped by what stands before the parameters."""
    groups: dict[str, list[str]] = {}
    for test_id in ids:
        groups.setdefault(test_id.partition("[")[0], []).append(test_id)
    return list(groups.values())
