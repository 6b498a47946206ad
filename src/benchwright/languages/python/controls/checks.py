"""Find every check of the hidden tests, and the places in the source that decide it.

A `Site` is a node whose text can be replaced. Its role says what that does: an `expected` value, a
`type` or a `match` that is awaited, the arguments of a `construct` that is compared, an `input` of
the product. `Check.flips` are replacements that turn a check around.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from .source import Function, Source, last
from .suite import Suite, Test
from .trace import Role, Site, Tracer, literal, trace

Kind = Literal["compare", "truth", "raises", "warns", "mock", "helper", "quiet"]

EQUAL = {
    "assertEqual", "assertEquals", "assertDictEqual", "assertListEqual", "assertTupleEqual",
    "assertSetEqual", "assertSequenceEqual", "assertCountEqual", "assertMultiLineEqual",
    "assertAlmostEqual", "assertIs", "assert_equal",
}  # fmt: skip
OTHER = {
    "assertNotEqual", "assertNotEquals", "assertIsNot", "assertNotAlmostEqual", "assertIn",
    "assertNotIn", "assertGreater", "assertGreaterEqual", "assertLess", "assertLessEqual",
    "assertRegex", "assertNotRegex", "assertIsInstance", "assertNotIsInstance",
}  # fmt: skip
TRUTH = {"assertTrue", "assert_", "assertFalse", "assertIsNone", "assertIsNotNone"}
RAISES = {"raises", "assertRaises", "assertRaisesRegex", "assertRaisesRegexp"}
WARNS = {"warns", "assertWarns", "assertWarnsRegex", "deprecated_call"}
SWALLOWS = {*RAISES, "suppress", "subTest"}
OPPOSITE = {
    "assertEqual": "assertNotEqual", "assertIs": "assertIsNot", "assertTrue": "assertFalse",
    "assertIsNone": "assertIsNotNone", "assertIn": "assertNotIn", "assertGreater":
    "assertLessEqual", "assertGreaterEqual": "assertLess", "assertRegex": "assertNotRegex",
    "assertIsInstance": "assertNotIsInstance", "assertAlmostEqual": "assertNotAlmostEqual",
    "assert_": "assertFalse", "assertEquals": "assertNotEqual",
}  # fmt: skip
OPPOSITE |= {
    **{v: k for k, v in OPPOSITE.items() if k not in ("assert_", "assertEquals")},
    **dict.fromkeys(EQUAL - set(OPPOSITE) - {"assert_equal"}, "assertNotEqual"),
}
OPERATORS: dict[type[ast.cmpop], str] = {
    ast.Eq: "!=", ast.NotEq: "==", ast.Is: "is not", ast.IsNot: "is", ast.In: "not in",
    ast.NotIn: "in", ast.Lt: ">=", ast.GtE: "<", ast.Gt: "<=", ast.LtE: ">",
}  # fmt: skip
LAZY = (
    ast.BoolOp, ast.IfExp, ast.Lambda, ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp,
)  # fmt: skip
PLAIN = (ast.expr, ast.Assert, ast.Expr, ast.Assign, ast.withitem, ast.keyword)
COMPLAINTS = {"append", "add", "extend", "update", "insert", "setdefault", "fail"}
BUILTIN = {"isinstance", "issubclass", "hasattr", "len", "callable"}
TEXT = {"startswith", "endswith", "isdigit", "match", "search", "fullmatch"}


@dataclass(frozen=True)
class Flip:
    """A replacement that turns a check around."""

    start: int
    end: int
    text: str


@dataclass(eq=False)
class Check:
    """One check: a statement (or call, or `with` item) that can fail a test."""

    source: Source
    node: ast.stmt | ast.expr
    kind: Kind
    function: Function
    tests: list[Test] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
    flips: list[Flip] = field(default_factory=list)
    callee: str = ""
    """Last name of what is called on the actual side: checks of one callee are siblings."""
    positive: bool = True
    sure: bool = False
    """Every passing run of the function reaches it."""

    @property
    def name(self) -> str:
        """`file:line:column`."""
        return self.source.where(self.node)

    @property
    def ids(self) -> tuple[str, ...]:
        """Every id that can reach it."""
        return tuple(dict.fromkeys(i for test in self.tests for i in test.ids))


def find(suite: Suite) -> list[Check]:
    """Every check of every test, in the order of the files."""
    found: dict[ast.AST, Check] = {}
    for test in suite.tests:
        reach(suite, test, test.source, test.node, found, depth=0)
        if not any(test in check.tests for check in found.values()):
            quiet(suite, test, found)
    return sorted(found.values(), key=lambda c: (c.source.path, c.node.lineno, c.node.col_offset))


def reach(
    suite: Suite, test: Test, source: Source, function: Function,
    found: dict[ast.AST, Check], depth: int,
) -> bool:  # fmt: skip
    """Collect the checks of a function and of the helpers it calls; whether there were any."""
    any_found = False
    for node in body_nodes(function):
        check = found.get(node) or make(source, function, node)
        if check is None and isinstance(node, ast.Call) and depth < 4:
            helper = suite.helper(test, node, source)
            if helper is None or helper[1] is function:
                continue
            if reach(suite, test, helper[0], helper[1], found, depth + 1):
                check = Check(source, node, "helper", function, callee=last(node.func))
                for arg in [*node.args, *(k.value for k in node.keywords)]:
                    check.sites += trace(source, function, arg, "construct", node.lineno)
        if check is None:
            continue
        found[node] = check
        any_found = True
        if test not in check.tests:
            check.tests.append(test)
        # a complaint may be one of several that are counted later
        certain = depth == 0 and not isinstance(node, ast.If)
        check.sure = certain and straight(source, function, node)
    return any_found


def body_nodes(function: Function) -> Iterator[ast.AST]:
    """Every node in a function's body, decorators and defaults left out."""
    for statement in function.body:
        yield from ast.walk(statement)


def make(source: Source, function: Function, node: ast.AST) -> Check | None:
    """The check that a node is, if it is one."""
    if isinstance(node, ast.Assert):
        check = Check(source, node, "truth", function)
        claim(check, node.test, positive=True)
        return check
    if isinstance(node, ast.If) and complains(node):
        check = Check(source, node.test, "truth", function)
        claim(check, node.test, positive=True)
        return check
    if not isinstance(node, ast.Call):
        return None
    name = last(node.func)
    if name in RAISES | WARNS:
        return awaited(Check(source, node, "raises" if name in RAISES else "warns", function), node)
    if name in EQUAL | OTHER | TRUTH and isinstance(node.func, ast.Attribute):
        check = Check(source, node, "compare", function)
        method(check, node, name)
        return check
    if name.startswith("assert_") and isinstance(node.func, ast.Attribute):
        check = Check(source, node, "mock", function, callee=name)
        for arg in [*node.args, *(k.value for k in node.keywords)]:
            check.sites += trace(source, function, arg, "expected", node.lineno)
        if name in ("assert_called", "assert_called_once", "assert_called_with",
                    "assert_called_once_with", "assert_any_call"):  # fmt: skip
            start = source.span(node.func.value)[1]
            check.flips.append(Flip(start, source.span(node)[1], ".assert_not_called()"))
        return check
    return None


def complains(node: ast.If) -> bool:
    """Whether a condition leads to a complaint: a failure, or a note of one that is looked at
    later.
    """
    for statement in node.body:
        if isinstance(statement, ast.Raise | ast.AugAssign):
            return True
        call = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(call, ast.Call) and last(call.func) in COMPLAINTS:
            return True
    return False


def claim(check: Check, test: ast.expr, *, positive: bool) -> None:
    """Read a claim: what is compared with what, and how to turn it around."""
    source = check.source
    if isinstance(test, ast.BoolOp):
        for value in test.values:
            claim(check, value, positive=positive)
        if isinstance(test.op, ast.Or):
            check.flips.clear()
        return
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = source.span(test.operand)[0]
        claim(check, test.operand, positive=not positive)
        check.flips[:] = [Flip(source.span(test)[0], inner, "")]
        return
    check.positive = positive
    if isinstance(test, ast.Compare):
        compare(check, test)
        return
    check.callee = callee(test)
    side(check, test, "expected" if plain_call(test) else "input")
    start, end = source.span(test)
    check.flips.append(Flip(start, start, "not "))
    if isinstance(test, ast.IfExp | ast.Lambda | ast.NamedExpr):
        check.flips[-1:] = [Flip(start, start, "not ("), Flip(end, end, ")")]


def compare(check: Check, test: ast.Compare) -> None:
    """A comparison: literal sides are expected, the others are what the product gave."""
    check.kind = "compare"
    operands = [test.left, *test.comparators]
    check.callee = next((callee(o) for o in operands if callee(o)), "")
    pair(check, operands)
    if len(test.ops) == 1:
        start, end = check.source.span(test.left)[1], check.source.span(test.comparators[0])[0]
        between = check.source.data[start:end].decode("utf-8", "replace")
        sign = between.strip(" ()\t\\\r\n")
        if between.count(sign) == 1:
            check.flips.append(
                Flip(start, end, between.replace(sign, OPERATORS[type(test.ops[0])]))
            )


def pair(check: Check, operands: list[ast.expr]) -> None:
    """Give each operand its role."""
    fixed = [o for o in operands if settled(check, o)]
    for operand in operands:
        if operand in fixed and len(fixed) < len(operands):
            side(check, operand, "expected")
        elif fixed:
            side(check, operand, "input")
        else:
            side(check, operand, "construct")


def settled(check: Check, node: ast.expr, depth: int = 4) -> bool:
    """Whether a side is written down by the test rather than computed by the product."""
    if literal(node) or isinstance(node, ast.JoinedStr):
        return True
    if isinstance(node, ast.Call):
        return last(node.func) == "approx"
    if isinstance(node, ast.Name) and depth:
        tracer = Tracer(check.source, check.function, check.node.lineno)
        if tracer.is_column(node.id):
            return True
        value, _ = tracer.assigned(node.id)
        return value is not None and settled(check, value, depth - 1)
    if isinstance(node, ast.List | ast.Tuple | ast.Set | ast.Dict):
        return not any(isinstance(n, ast.Call) for n in ast.walk(node))
    return isinstance(node, ast.Attribute) and node.attr.isupper()


def side(check: Check, node: ast.expr, role: Role) -> None:
    """Add the sites of one side."""
    check.sites += trace(check.source, check.function, node, role, check.node.lineno)


def method(check: Check, node: ast.Call, name: str) -> None:
    """A `unittest` assertion."""
    args = node.args
    if name in TRUTH:
        check.kind = "truth"
        if args and name in ("assertTrue", "assert_", "assertFalse"):
            claim(check, args[0], positive=name != "assertFalse")
            check.flips.clear()
        elif args:
            check.callee = callee(args[0])
            side(check, args[0], "input")
    elif name in ("assertIsInstance", "assertNotIsInstance") and len(args) > 1:
        side(check, args[1], "expected")
        side(check, args[0], "input")
    else:
        check.callee = next((callee(o) for o in args[:2] if callee(o)), "")
        pair(check, args[:2])
    if name in OPPOSITE and isinstance(node.func, ast.Attribute):
        end = check.source.span(node.func)[1]
        check.flips.append(Flip(end - len(name.encode()), end, OPPOSITE[name]))


def awaited(check: Check, node: ast.Call) -> Check:
    """`raises`, `warns` and their kin: the awaited type, its message, the call's arguments."""
    check.callee = last(node.func)
    around = isinstance(check.source.parents.get(node), ast.withitem)
    for index, arg in enumerate(node.args):
        if index == 0:
            types = arg.elts if isinstance(arg, ast.Tuple) and len(arg.elts) == 1 else [arg]
            check.sites += [Site(t, "type") for t in types]
        elif isinstance(arg, ast.Constant) and isinstance(arg.value, str) and around:
            check.sites.append(Site(arg, "match", alone=True))
        else:
            side(check, arg, "input")
    for keyword in node.keywords:
        if keyword.arg in ("match", "expected_regex", "msg", "regex", "check"):
            side(check, keyword.value, "match")
    if around:
        block = check.source.parents[check.source.parents[node]]
        assert isinstance(block, ast.With | ast.AsyncWith)
        for statement in block.body:
            for value in ast.iter_child_nodes(statement):
                if isinstance(value, ast.expr):
                    side(check, value, "input")
    return check


def quiet(suite: Suite, test: Test, found: dict[ast.AST, Check]) -> None:
    """A test without checks: that its calls raise nothing is what it tests."""
    del suite
    calls = [
        s for s in test.node.body
        if isinstance(s, ast.Expr | ast.Assign | ast.With | ast.For | ast.AsyncWith | ast.Return)
        and any(isinstance(n, ast.Call) for n in ast.walk(s))
    ]  # fmt: skip
    for statement in calls[-2:]:
        check = Check(test.source, statement, "quiet", test.node, [test])
        check.sure = straight(test.source, test.node, statement)
        for value in ast.walk(statement):
            if isinstance(value, ast.Call):
                check.callee = check.callee or last(value.func)
                side(check, value, "input")
                break
        found[statement] = check


def callee(node: ast.AST) -> str:
    """The last name of the outermost call in an expression."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call) and last(inner.func) not in BUILTIN | {"approx", "str"}:
            return last(inner.func)
    return last(node) if isinstance(node, ast.Attribute) else ""


def plain_call(node: ast.AST) -> bool:
    """A call of Python's own, whose literal arguments are expectations."""
    return isinstance(node, ast.Call) and (
        (isinstance(node.func, ast.Name) and node.func.id in BUILTIN) or last(node.func) in TEXT
    )


def straight(source: Source, function: Function, node: ast.AST) -> bool:
    """Whether every passing run of the function evaluates the node."""
    for parent in source.above(node):
        if parent is function:
            break
        if isinstance(parent, ast.With | ast.AsyncWith):
            names = {last(i.context_expr.func) for i in parent.items
                     if isinstance(i.context_expr, ast.Call)}  # fmt: skip
            if names & SWALLOWS and node not in {i.context_expr for i in parent.items}:
                return False
        elif isinstance(parent, ast.For):
            if not (isinstance(parent.iter, ast.List | ast.Tuple) and parent.iter.elts):
                return False
            if any(isinstance(n, ast.Break | ast.Continue) for n in ast.walk(parent)):
                return False
        elif isinstance(parent, LAZY) or not isinstance(parent, PLAIN):
            return False
    return not any(leaves(n) for n in body_nodes(function) if before(n, node))


def before(node: ast.AST, other: ast.AST) -> bool:
    """Whether a node stands on an earlier line."""
    return getattr(node, "lineno", 1 << 30) < getattr(other, "lineno", 0)


def leaves(node: ast.AST) -> bool:
    """Whether a node may end the test early without failing it."""
    if isinstance(node, ast.Return | ast.Yield | ast.YieldFrom):
        return True
    return isinstance(node, ast.Call) and last(node.func) in (
        "skip", "skipTest", "xfail", "importorskip", "exit",
    )  # fmt: skip
