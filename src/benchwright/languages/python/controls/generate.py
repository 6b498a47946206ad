"""From hidden tests and ids to candidate controls."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Mapping, Sequence

from benchwright.formats import Control, Edit, edit
from benchwright.languages.candidates import Candidates, Checked

from .check import Check
from .checks import find
from .normal import fixed_ids
from .operators import Proposal, propose
from .pool import Pool
from .prose import blanked
from .rows import Table, propose_rows, tables
from .source import Source
from .suite import Suite
from .values import Change, Vocabulary


def candidates(tests: Mapping[str, bytes], ids: Sequence[str]) -> Candidates:
    """Candidate controls of the hidden tests, the best of each check first."""
    suite = Suite(tests, ids)
    checks = find(suite)
    pool = Pool(checks, Vocabulary(suite.sources.values()))
    controls: list[Control] = []
    normal = {(e.file, e.start): e for e in blanked(suite)}
    for check in checks:
        found = [t for test in check.tests[:1] for t in tables(test.source, test.node, test.owner)]
        rows = propose_rows(check, pool, found, check.tests)
        proposals = sorted([*rows, *propose(check, pool)], key=preference)
        controls += [control(p, in_loop=in_loop(p, found)) for p in proposals]
        edits = [e for t in found if rows and t.call for e in fixed_ids(t)]
        normal |= {(e.file, e.start): e for e in edits}
    covered = {i for check in checks for i in check.ids}
    unknown = dict.fromkeys(suite.unknown, "its function isn't written out in the hidden files")
    bare = [i for i in ids if i not in covered and i not in unknown]
    unknown |= dict.fromkeys(bare, "no check was found in it")
    return Candidates(
        unique(controls),
        tuple(normal.values()),
        tuple(Checked(c.name, c.kind, c.ids) for c in checks),
        {**suite.broken, **unknown},
    )


def preference(proposal: Proposal) -> tuple[bool, bool, bool]:
    """Strong before weak, one test before several, the expected side before the input."""
    several = len(proposal.ids or proposal.check.ids) > 1
    return not proposal.strong, several, proposal.operator.startswith("input")


def in_loop(proposal: Proposal, found: Sequence[Table]) -> bool:
    """Whether a loop's table is edited: then the loop reaches every row."""
    return bool(proposal.ids) and all(t.call is None for t in found)


def control(proposal: Proposal, *, in_loop: bool) -> Control:
    """The candidate of a proposal."""
    check: Check = proposal.check
    edits = tuple(narrow(check.source, change) for change in proposal.changes)
    name = hashlib.sha256(repr((check.name, proposal.operator, edits)).encode()).hexdigest()[:12]
    return Control(
        id=name,
        operator=proposal.operator,
        check=check.name,
        lines=check.lines,
        family=family(proposal),
        edits=edits,
        ids=proposal.ids or check.ids,
        strength="strong" if proposal.strong else "weak",
        exclusive=proposal.exclusive and not in_loop,
        unavoidable=check.sure,
    )


def family(proposal: Proposal) -> str:
    """The same where a text is edited that stands in another check that reads alike, too. Rows of a
    table are no copies: who has solved one knows nothing of what another one expects.
    """
    if proposal.ids:
        return ""
    check = proposal.check
    old = [check.source.data[change.start : change.end] for change in proposal.changes]
    return hashlib.sha256(repr((ast.dump(check.node), old)).encode()).hexdigest()[:12]


def narrow(source: Source, change: Change) -> Edit:
    """The edit of what really changes, so that equal results are equal edits."""
    start, end = change.start, change.end
    old, new = source.data[start:end].decode(), change.text
    ahead = len(commonprefix([old, new]))
    old, new = old[ahead:], new[ahead:]
    behind = len(commonprefix([old[::-1], new[::-1]]))
    start += len(change.text[:ahead].encode())
    end -= len(old[len(old) - behind :].encode())
    return edit(source.path, source.data, start, end, new[: len(new) - behind])


def commonprefix(pair: list[str]) -> str:
    """What two texts begin with."""
    same = (a == b for a, b in zip(*pair, strict=False))
    return pair[0][: next((i for i, equal in enumerate(same) if not equal), min(map(len, pair)))]


def unique(controls: Sequence[Control]) -> tuple[Control, ...]:
    """Each set of edits once, under the check that it was made for first."""
    seen: dict[tuple[tuple[str, int, int, str], ...], Control] = {}
    for item in controls:
        key = tuple(sorted((e.file, e.start, e.end, e.text) for e in item.edits))
        seen.setdefault(key, item)
    return tuple(seen.values())
