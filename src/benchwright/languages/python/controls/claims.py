"""What a check claims: which side is expected, which is the product's, what turns it around."""

from __future__ import annotations

import ast

from .check import Check, Flip
from .source import last
from .trace import Role, Site, Tracer, literal, trace

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
BUILTIN = {"isinstance", "issubclass", "hasattr", "len", "callable"}
TEXT = {"startswith", "endswith", "isdigit", "match", "search", "fullmatch"}


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
