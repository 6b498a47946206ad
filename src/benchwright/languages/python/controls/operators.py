"""The operators: from a check to the edits that make it wrong.

An edit of the expected side fails whatever else the product does, as long as the product passes
the right version; those come first. An edit of an input makes the outcome depend on the product's
answer to another input, so it is used only where nothing better is known.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from .check import Check, Flip
from .pool import Pool
from .source import dotted
from .told import elsewhere, interchangeable, met, repeats, told
from .trace import Site, Tracer, literal
from .values import Change, Replacer

STRONG, WEAK = 6, 2


@dataclass(frozen=True)
class Proposal:
    """Changes that together make one check wrong."""

    check: Check
    operator: str
    changes: tuple[Change, ...]
    strong: bool
    exclusive: bool = False
    ids: tuple[str, ...] = ()
    """Where only some of the check's ids are affected; empty for all."""


def propose(check: Check, pool: Pool) -> list[Proposal]:
    """Candidates of one check, the best first."""
    strong: list[Proposal] = []
    risky: list[Proposal] = []
    weak: list[Proposal] = []
    for proposal in [*from_sites(check, pool), *from_flips(check, pool)]:
        if not proposal.strong:
            weak.append(proposal)
        elif proposal.operator.startswith("input"):
            risky.append(proposal)
        else:
            strong.append(proposal)
    return [*spread(strong)[:STRONG], *spread(risky)[:STRONG], *weak[:WEAK]]


def spread(proposals: list[Proposal]) -> list[Proposal]:
    """Take turns between the places that are edited, so that one doesn't crowd out the others."""
    turns: dict[int, int] = {}
    keyed = []
    for index, proposal in enumerate(proposals):
        place = proposal.changes[0].start
        turns[place] = turns.get(place, 0) + 1
        keyed.append((turns[place], index, proposal))
    return [proposal for _, _, proposal in sorted(keyed, key=lambda k: k[:2])]


def from_sites(check: Check, pool: Pool) -> Iterator[Proposal]:
    """What the sites of a check offer."""
    order = {"expected": 0, "match": 0, "type": 0, "construct": 1, "input": 2}
    seen: set[int] = set()
    for site in sorted(check.sites, key=lambda s: (order[s.role], s.shared)):
        start = check.source.span(site.node)[0]
        if site.column or start in seen or check.source.inside_fstring(site.node):
            continue
        seen.add(start)
        if site.role == "type":
            yield from types(check, site, pool)
        elif literal(site.node):
            yield from literals(check, site, pool)
        elif dotted(site.node):
            yield from names(check, site, pool)


def literals(check: Check, site: Site, pool: Pool) -> Iterator[Proposal]:
    """Other values for a literal."""
    source = check.source
    replacer = Replacer(pool.vocabulary, source, f"{check.name}:{source.span(site.node)[0]}")
    prefix = "input-" if site.role == "input" else ""
    around = elsewhere(check, site.node)
    places = met(source, around)
    borrowed = replacer.borrowed(site.node, around) if repeats(site.node, places) else []
    others = replacer.alternatives(site.node, pool.siblings(check, site))
    for change in [*borrowed, *others]:
        strong = change.strong and not told(check, site, change, places)
        if change.operator == "flip-boolean" or is_boolean(site.node):
            strong = pool.balanced(check, True, False)
        yield Proposal(
            check, prefix + change.operator, (change,), strong, exclusive(check, site, change)
        )
    if isinstance(site.node, ast.Constant) and site.node.value is None:
        yield from instead_of_none(check, site, pool)


def instead_of_none(check: Check, site: Site, pool: Pool) -> Iterator[Proposal]:
    """A value of the same callee in the place of None."""
    start, end = check.source.span(site.node)
    for (role, kind), entries in pool.values.items():
        if role != "expected" or kind in ("NoneType", "bool"):
            continue
        for text, users in entries.items():
            if 0 < len(text) < 60 and any(u.callee == check.callee for u in users):
                change = Change(start, end, text, "swap-none", fixed=True)
                flip = equality(check, change)
                if flip:
                    yield Proposal(check, "swap-none", flip, strong=True,
                                   exclusive=exclusive(check, site, change))  # fmt: skip
                break


def equality(check: Check, change: Change) -> tuple[Change, ...]:
    """The change, and `==` in the place of `is` where the value isn't a singleton."""
    for node in ast.walk(check.node):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            left = check.source.span(node.left)[1]
            right = check.source.span(node.comparators[0])[0]
            if right == change.start and isinstance(node.ops[0], ast.Is):
                between = check.source.data[left:right].decode()
                return (Change(left, change.end, between.replace("is", "==", 1) + change.text,
                               change.operator, fixed=True),)  # fmt: skip
    return (change,)


def names(check: Check, site: Site, pool: Pool) -> Iterator[Proposal]:
    """Another name of the same form."""
    start, end = check.source.span(site.node)
    prefix = "input-" if site.role == "input" else ""
    if isinstance(site.node, ast.Name) and only_use(check, site.node.id):
        return
    for name in pool.other_names(check, site):
        change = Change(start, end, name, "swap-name")
        strong = interchangeable(check, site, name)
        yield Proposal(check, f"{prefix}swap-name", (change,), strong)


def only_use(check: Check, name: str) -> bool:
    """Whether a name would be left unused, which gives the edit away."""
    tracer = Tracer(check.source, check.function, check.node.lineno)
    return tracer.loads(name) == 1 and tracer.is_local(name)


def types(check: Check, site: Site, pool: Pool) -> Iterator[Proposal]:
    """Another exception or warning type."""
    if not dotted(site.node):
        return
    start, end = check.source.span(site.node)
    for name, seen in pool.other_types(check, site):
        yield Proposal(check, "swap-type", (Change(start, end, name, "swap-type"),), strong=seen)


def from_flips(check: Check, pool: Pool) -> Iterator[Proposal]:
    """The check turned around; strong only where both directions are as common."""
    if check.flips:
        changes = tuple(Change(f.start, f.end, f.text, "negate") for f in merged(check.flips))
        strong = check.kind == "truth" and pool.balanced(check, True, False)
        yield Proposal(check, "negate", changes, strong)
    if check.kind == "quiet":
        yield from loud(check)


def merged(flips: list[Flip]) -> list[Flip]:
    """Of several claims in one check, the first is enough."""
    return flips if len(flips) == 2 and flips[0].text == "not (" else flips[:1]


def loud(check: Check) -> Iterator[Proposal]:
    """A statement that must raise nothing is told to raise, or to have given what nothing gives."""
    node, source = check.node, check.source
    while isinstance(node, ast.With | ast.AsyncWith | ast.For) and node.body:
        node = node.body[0]
    start = source.span(node)[0]
    ahead = source.data[source.starts[node.lineno - 1] : start]
    if not isinstance(node, ast.Expr | ast.Assign | ast.Return) or ahead.strip():
        return
    for name, text in (("pytest", "pytest.raises"), ("self", "self.assertRaises")):
        if name in available(check):
            change = Change(start, start, f"with {text}(ValueError): ", "expect-raise")
            yield Proposal(check, "expect-raise", (change,), strong=False)
    change = Change(start, start, "assert not callable(len); ", "demand-result")
    yield Proposal(check, "demand-result", (change,), strong=False)


def available(check: Check) -> set[str]:
    """Modules and `self`, as far as a check may name them."""
    names = {
        (a.asname or a.name)
        for n in check.source.tree.body if isinstance(n, ast.Import) for a in n.names
    }  # fmt: skip
    owner = check.tests[0].owner if check.tests else None
    bases = {dotted(b).rpartition(".")[2] for b in owner.bases} if owner else set()
    return names | ({"self"} if any(b.endswith("TestCase") for b in bases) else set())


def exclusive(check: Check, site: Site, change: Change) -> bool:
    """Whether no value satisfies both versions: one result, equal to two unequal literals."""
    if not (change.fixed and site.alone and check.kind == "compare" and site.role == "expected"):
        return False
    node = check.node
    if isinstance(node, ast.Call):
        return dotted(node.func).endswith(("assertEqual", "assertEquals", "assertIs"))
    if not isinstance(node, ast.Assert) or not isinstance(node.test, ast.Compare):
        return False
    return len(node.test.ops) == 1 and isinstance(node.test.ops[0], ast.Eq | ast.Is)


def is_boolean(node: ast.AST) -> bool:
    """Whether a literal is `True` or `False`."""
    return isinstance(node, ast.Constant) and isinstance(node.value, bool)


__all__ = ["Proposal", "propose"]
