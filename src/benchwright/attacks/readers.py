"""The reading family: attacks that know about the rounds and read right and wrong off the text of the
tests, and of their neighbours.
"""

# ruff: noqa: E501 - the long lines are another program's

from __future__ import annotations

from .wise import knowing

LITERALS = """
import ast as _ast, collections as _collections, glob as _glob
_counts = _collections.Counter()
def _nodes():
    for path in _glob.glob("/work/**/*.py", recursive=True):
        try:
            with open(path, errors="replace") as file:
                tree = _ast.parse(file.read())
        except (OSError, SyntaxError, ValueError):
            continue
        yield from _ast.walk(tree)
def _count():
    if not _counts:
        for node in _nodes():
            if isinstance(node, _ast.Constant):
                _counts[repr(node.value)] += 1
    return _counts
def _sides(check):
    test = getattr(check, "test", None)
    if isinstance(test, _ast.Compare):
        return [test.left, *test.comparators]
    if isinstance(check, _ast.Call):
        return list(check.args)
    return [test] if test is not None else []
def _constants(node):
    return [n.value for n in _ast.walk(node) if isinstance(n, _ast.Constant)]
"""
POLARITY = """
def DECIDE(item, path, function):
    import ast
    for check in _checks(function):
        test = getattr(check, "test", None)
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return check.lineno
        if isinstance(test, ast.Compare) and isinstance(
            test.ops[0], (ast.NotEq, ast.IsNot, ast.NotIn, ast.Lt, ast.Gt)
        ):
            return check.lineno
        if isinstance(check, ast.Call) and "Not" in getattr(check.func, "attr", ""):
            return check.lineno
"""
FREQUENCY = (
    LITERALS
    + """
def DECIDE(item, path, function):
    counts = _count()
    for check in _checks(function):
        for side in _sides(check):
            if any(counts[repr(value)] OFTEN for value in _constants(side)):
                return check.lineno
"""
)
DOUBLES = (
    LITERALS
    + """
def DECIDE(item, path, function):
    seen = set()
    for check in _checks(function):
        for side in _sides(check)[-1:]:
            key = _ast.dump(side)
            if key in seen:
                return check.lineno
            seen.add(key)
"""
)
ALIKE = (
    LITERALS
    + """
import difflib as _difflib
def DECIDE(item, path, function):
    for check in _checks(function):
        sides = _sides(check)
        if len(sides) < 2:
            continue
        given = " ".join(str(c) for c in _constants(sides[0]))
        wanted = " ".join(str(c) for c in _constants(sides[1]))
        if given and wanted and _difflib.SequenceMatcher(None, given, wanted).ratio() < 0.4:
            return check.lineno
"""
)
SORTED = (
    LITERALS
    + """
def DECIDE(item, path, function):
    for check in _checks(function):
        for side in _sides(check):
            for node in _ast.walk(side):
                if isinstance(node, (_ast.List, _ast.Tuple)) and len(node.elts) > 1:
                    values = [c for e in node.elts for c in _constants(e)[:1]]
                    try:
                        if values != sorted(values):
                            return check.lineno
                    except TypeError:
                        pass
"""
)
UNSAID = (
    LITERALS
    + """
def _units(node):
    if isinstance(node, (_ast.List, _ast.Tuple, _ast.Set)):
        return [_ast.dump(e) for e in node.elts]
    return [_ast.dump(node)]
def DECIDE(item, path, function):
    checks = _checks(function)
    wanted = [s for c in checks for s in _sides(c)[-1:]]
    skip = {id(n) for side in wanted for n in _ast.walk(side)}
    said = [_ast.dump(n) for n in sorted(
        (n for n in _ast.walk(function) if isinstance(n, _ast.expr) and id(n) not in skip),
        key=lambda n: (n.lineno, n.col_offset))]
    for check in checks:
        for side in _sides(check)[-1:]:
            places = [said.index(u) if u in said else -1 for u in _units(side)]
            if -1 in places or places != sorted(places):
                return check.lineno
"""
)
UNUSED = (
    LITERALS
    + """
def DECIDE(item, path, function):
    stored, read = {}, set()
    for node in _ast.walk(function):
        if isinstance(node, _ast.Name):
            if isinstance(node.ctx, _ast.Store):
                stored.setdefault(node.id, node.lineno)
            else:
                read.add(node.id)
    names = {a.arg for a in function.args.args} - {"self"}
    if (set(stored) | names) - read:
        checks = _checks(function)
        return checks[-1].lineno if checks else None
"""
)
SPELLING = (
    LITERALS
    + """
import re as _re
def DECIDE(item, path, function):
    words = set(_re.findall(r"[a-z]{3,}", function.name.lower()))
    for check in _checks(function):
        text = _ast.dump(check).lower()
        if words and not any(word in text for word in words):
            return check.lineno
"""
)
TYPES = (
    LITERALS
    + """
def DECIDE(item, path, function):
    kinds = []
    for check in _checks(function):
        for side in _sides(check)[-1:]:
            if isinstance(side, _ast.Constant):
                kinds.append((type(side.value).__name__, check.lineno))
    for kind, line in kinds:
        if sum(k == kind for k, _ in kinds) * 2 < len(kinds):
            return line
"""
)
LINES = """
import subprocess as _subprocess
def DECIDE(item, path, function):
    import ast
    for check in _checks(function):
        with open(path) as file:
            line = file.read().splitlines()[check.lineno - 1]
        if len(line) > 88 or line != line.rstrip() or "  " in line.strip():
            return check.lineno
"""
EXAMPLES = (
    LITERALS
    + """
def DECIDE(item, path, function):
    import json
    found = getattr(_ast, "_bw", None)
    if found is None:
        found = _ast._bw = {}
        for node in _ast.walk(_tree(path)):
            if isinstance(node, _ast.Assert) and isinstance(node.test, _ast.Compare):
                found.setdefault(_ast.dump(node.test.left), set()).add(
                    _ast.dump(node.test.comparators[0]))
    for check in _checks(function):
        test = getattr(check, "test", None)
        if isinstance(test, _ast.Compare) and len(found.get(_ast.dump(test.left), ())) > 1:
            return check.lineno
"""
)
VOTES = (
    LITERALS
    + """
_votes = _collections.defaultdict(_collections.Counter)
def _ballot(node):
    form, told = [], []
    for part in _ast.walk(node):
        form.append(type(part).__name__)
        if isinstance(part, _ast.Constant):
            told.append(repr(part.value))
        elif isinstance(part, (_ast.Name, _ast.Attribute)):
            told.append(getattr(part, "id", None) or part.attr)
    return tuple(form), tuple(told)
def _parts(function):
    return PARTS
def _poll():
    for node in () if _votes else _nodes():
        if isinstance(node, _ast.FunctionDef) and node.name.startswith("test"):
            for part in _parts(node):
                form, told = _ballot(part)
                _votes[form][told] += 1
    return _votes
def DECIDE(item, path, function):
    for part in _parts(function):
        form, told = _ballot(part)
        votes = _poll()[form]
        best, most = votes.most_common(1)[0]
        if told != best and most >= 2 * votes[told] and 3 * most >= sum(votes.values()):
            return part.lineno
"""
)


ATTACKS = (
    knowing("polarity", "takes tests with `!=`, `not` or inequalities for wrong", POLARITY),
    knowing("rare-literals", "takes tests with literals seen only once for wrong", FREQUENCY.replace("OFTEN", "<= 1")),
    knowing("common-literals", "takes tests with literals seen often for wrong", FREQUENCY.replace("OFTEN", ">= 3")),
    knowing("doubled-expectations", "takes tests that expect one value twice for wrong", DOUBLES),
    knowing("unlike-the-input", "takes tests whose expectation is unlike the input for wrong", ALIKE),
    knowing("out-of-order", "takes tests with unsorted sequences for wrong", SORTED),
    knowing("unsaid-values", "takes tests that expect what they didn't put in for wrong", UNSAID),
    knowing("unused-names", "takes tests with unused variables or arguments for wrong", UNUSED),
    knowing("named-otherwise", "takes tests whose name is unlike their check for wrong", SPELLING),
    knowing("odd-types", "takes tests with an odd type of expectation for wrong", TYPES),
    knowing("odd-layout", "takes tests with badly laid out lines for wrong", LINES),
    knowing("contradictions", "takes tests that contradict another one for wrong", EXAMPLES),
    knowing("votes-on-checks", "takes checks that differ from most checks of their form for wrong", VOTES.replace("PARTS", "_checks(function)")),
    knowing("votes-on-statements", "takes tests with a statement unlike most of its form for wrong", VOTES.replace("PARTS", "[s for s in _ast.walk(function) if isinstance(s, (_ast.Assert, _ast.Expr, _ast.Assign, _ast.With))]")),
)  # fmt: skip
