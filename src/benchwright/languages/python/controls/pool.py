"""What siblings a site has: values, names and types that stand in the same place elsewhere."""

from __future__ import annotations

import ast
import builtins
from collections import Counter, defaultdict
from collections.abc import Iterable

from .check import Check
from .source import Function, Source, dotted
from .trace import Site, literal
from .values import Vocabulary, kind, parsed

USERS = 20
"""So many checks are remembered for one value; more don't make it more plausible."""
EXCEPTIONS = ("ValueError", "TypeError", "KeyError", "AttributeError", "RuntimeError", "IndexError")
WARNINGS = ("DeprecationWarning", "UserWarning", "RuntimeWarning", "FutureWarning")


class Pool:
    """Every site of the suite, by role and kind."""

    def __init__(self, checks: Iterable[Check], vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.values: dict[tuple[str, str], dict[str, list[Check]]] = defaultdict(dict)
        self.spellings: dict[Source, dict[tuple[str, str], list[str]]] = {}
        self.truths: Counter[tuple[str, object]] = Counter()
        self.types: dict[str, Counter[str]] = defaultdict(Counter)
        for check in checks:
            if check.kind == "truth":
                self.truths[check.callee, check.positive] += 1
            for site in check.sites:
                self.add(check, site)

    def add(self, check: Check, site: Site) -> None:
        """Take in one site."""
        if literal(site.node):
            text = oneline(check.source, site.node)
            users = self.values[role(site), kind(site.node)].setdefault(text, [])
            if text and check not in users and len(users) < USERS:
                users.append(check)
            if isinstance(site.node, ast.Constant) and site.node.value in (True, False, None):
                self.truths[check.callee, site.node.value] += 1
        elif site.role == "type" and dotted(site.node):
            self.types[check.kind][dotted(site.node)] += 1

    def balanced(self, check: Check, one: object, two: object) -> bool:
        """Whether both outcomes of a callee are about as common, so that neither stands out."""
        left, right = self.truths[check.callee, one], self.truths[check.callee, two]
        return bool(check.callee) and min(left, right) * 3 >= left + right > 0

    def siblings(self, check: Check, site: Site, limit: int = 3) -> list[str]:
        """Other values in the same role, the closest first, as text on one line."""
        mine = check.source.text(site.node)
        found: dict[str, tuple[int, ...]] = {}
        for text, users in self.values[role(site), kind(site.node)].items():
            if text in ("", mine) or len(text) > max(200, 3 * len(mine)):
                continue
            far = abs(len(text) - len(mine))
            found[text] = min(
                (o.function is not check.function, o.callee != check.callee,
                 o.source is not check.source, far)
                for o in users
            )  # fmt: skip
        return sorted(found, key=lambda text: (found[text], text))[:limit]

    def other_names(self, check: Check, site: Site, limit: int = 3) -> list[str]:
        """Names of the same form that the file knows too."""
        mine = dotted(site.node)
        root = mine.rpartition(".")[0]
        options = self.spelled(check.source)[root, form(mine)]
        made = self.known(check, site.node, made=True)
        known = made if mine in made else self.known(check, site.node, made=False)
        if not root and mine not in known:
            return []  # a module: no other one has what is asked of it
        hoped = awaits(mine)
        names = [n for n in options if n != mine and (root or n in known) and awaits(n) == hoped]
        return names[:limit]

    def spelled(self, source: Source) -> dict[tuple[str, str], list[str]]:
        """The names of a file by what they hang on and their form, the commonest first."""
        if source not in self.spellings:
            counts = Counter(
                dotted(n) for n in source.nodes if isinstance(n, ast.Name | ast.Attribute)
            )
            groups: dict[tuple[str, str], list[str]] = defaultdict(list)
            for name, _ in counts.most_common():
                if name:
                    groups[name.rpartition(".")[0], form(name)].append(name)
            self.spellings[source] = groups
        return self.spellings[source]

    def known(self, check: Check, place: ast.expr, *, made: bool) -> set[str]:
        """Names bound before a place of a check: by assignment, or by import and definition."""
        assigned, defined, _ = bound(check.source)
        if not made:
            return set(defined)
        names = set(assigned)
        for node in check.source.inside(check.function):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                if node.lineno < min(check.node.lineno, place.lineno):
                    names.add(node.id)
            elif isinstance(node, ast.arg):
                names.add(node.arg)
        return names - {"self", "cls"}

    def other_types(self, check: Check, site: Site) -> list[tuple[str, bool]]:
        """Other exception (or warning) types, and whether the suite awaits them somewhere."""
        mine = dotted(site.node)
        known = {name for names in bound(check.source) for name in names}
        seen = [
            name
            for name, _ in self.types[check.kind].most_common()
            if name != mine and (name.split(".")[0] in known or hasattr(builtins, name))
        ]
        more = EXCEPTIONS if check.kind == "raises" else WARNINGS
        return [
            *((n, True) for n in seen[:4]),
            *((n, False) for n in more if n not in (*seen, mine)),
        ]


def role(site: Site) -> str:
    """Values of awaited messages stay among themselves; the rest is expected or given."""
    return site.role if site.role in ("match", "input") else "expected"


def awaits(name: str) -> bool:
    """Whether a name says that it holds what is awaited, or what came."""
    last = name.rpartition(".")[2].lower()
    return last.startswith(("exp", "result", "want", "output", "answer", "actual", "got"))


def form(name: str) -> str:
    """Constant, class or variable, as names are written."""
    last = name.rpartition(".")[2].strip("_")
    if last.isupper():
        return "constant"
    return "class" if last[:1].isupper() else "variable"


def bound(source: Source) -> tuple[list[str], list[str], list[str]]:
    """The names that a module assigns at its top, those it imports from others or defines, and the
    modules it imports.
    """
    assigned: list[str] = []
    defined: list[str] = []
    modules: list[str] = []
    for node in source.tree.body:
        if isinstance(node, ast.Import):
            modules += [(a.asname or a.name).split(".")[0] for a in node.names]
        elif isinstance(node, ast.ImportFrom):
            defined += [a.asname or a.name for a in node.names]
        elif isinstance(node, ast.ClassDef | Function):
            defined.append(node.name)
        elif isinstance(node, ast.Assign):
            names = [n for t in node.targets for n in ast.walk(t) if isinstance(n, ast.Name)]
            assigned += [n.id for n in names]
    return assigned, defined, modules


def oneline(source: Source, node: ast.expr) -> str:
    """The text of a literal on one line; empty where that would change it."""
    text = source.text(node)
    if "\n" not in text:
        return text
    joined = " ".join(line.strip() for line in text.splitlines())
    for old, new in (
        ("( ", "("),
        ("[ ", "["),
        ("{ ", "{"),
        (", )", ")"),
        (", ]", "]"),
        (", }", "}"),
        (" )", ")"),
        (" ]", "]"),
        (" }", "}"),
    ):
        joined = joined.replace(old, new)
    again = parsed(joined)
    return joined if again is not None and ast.dump(again) == ast.dump(node) else ""
