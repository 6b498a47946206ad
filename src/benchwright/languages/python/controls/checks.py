"""Find every check of the hidden tests.

A check is a statement that can fail a test: an assertion, an awaited exception, a helper that
asserts, or a condition that leads to a complaint.
"""

from __future__ import annotations

import ast

from .check import Check, Flip
from .claims import EQUAL, OTHER, RAISES, TRUTH, WARNS, awaited, claim, method, side
from .reached import body_nodes, straight
from .source import Function, Source, last
from .suite import Suite, Test
from .trace import trace

COMPLAINTS = {"append", "add", "extend", "update", "insert", "setdefault", "fail"}


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
        deeper = check is None or check.kind == "helper"  # known as one, it may be so for another
        if isinstance(node, ast.Call) and deeper and depth < 4:
            helper = suite.helper(test, node, source)
            if helper is None or helper[1] is function:
                continue
            if reach(suite, test, helper[0], helper[1], found, depth + 1) and check is None:
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
