"""Failing sets are explained by the rules whose omission makes the same tests fail."""

import pytest

from benchwright.formats import (
    Fate,
    KillMatrix,
    Row,
    Rule,
    RuleSet,
    Sort,
    TestVerdict,
    Verdict,
    ranges,
)
from benchwright.mutants import Diagnosis, Statement, attributed, classes, diagnose, redundant

TESTS = tuple(f"t{n}" for n in range(20))
KILLS = {"a": {0, 1, 2}, "b": {5, 6}, "twin": {5, 6}, "tail": {9}, "wide": set(range(12))}


def rule(name: str) -> Rule:
    return Rule(
        id=name, kind="guard", file="m.py", line=1, end_line=1, subject=f"m.{name}", public=True,
        sentence=f"`m.{name}` raises.", literals=("boom",), edits=(),
    )  # fmt: skip


def row(name: str, kills: set[int], sort: Sort = "omission", fate: Fate = "killed") -> Row:
    return Row(
        id=f"without {name}", sort=sort, operator="class" if sort == "missing" else "guard",
        file="m.py", line=1, subject=f"m.{name}", change="", rule="" if sort == "missing" else name,
        fate=fate, kills=ranges(kills), ran=ranges(kills),
    )  # fmt: skip


RULES = RuleSet(reference="r", rules=tuple(rule(name) for name in KILLS))
MATRIX = KillMatrix(
    reference="r",
    tests=TESTS,
    rows=(
        *(row(name, kills) for name, kills in KILLS.items()),
        row("Big", {12, 13, 14, 15, 16, 17}, "missing"),
        row("alive", set(), "mutant", "survived"),
    ),
)


def verdict(
    failing: set[int], exception: str = "AssertionError", outcome: str = "failed"
) -> Verdict:
    tests = tuple(
        TestVerdict(
            id=name, outcome=outcome if n in failing else "passed", scores=n not in failing,
            reason=("missing" if outcome == "missing" else "failed") if n in failing else "",
            exception=exception if n in failing else "",
        )
        for n, name in enumerate(TESTS)
    )  # fmt: skip
    return Verdict(
        task="t", task_digest="", submission_digest="", environment_digest="", status="judged",
        score=0.0, reward=0.0, counts={}, tests=tests,
    )  # fmt: skip


def explained(failing: set[int], **more: str) -> Diagnosis:
    return diagnose(verdict(failing, **more), MATRIX, RULES)


@pytest.mark.parametrize(
    ("failing", "mode", "rules"),
    [
        (set(), "solved", []),
        ({0, 1, 2}, "single omission", [("a",)]),
        ({5, 6}, "long-tail rule", [("b", "twin")]),
        ({9}, "long-tail rule", [("tail",)]),
        ({0, 1, 2, 5, 6}, "several omissions", [("a",), ("b", "twin")]),
        ({12, 13, 14, 15, 16, 17}, "missing subsystem", [()]),
        ({18, 19}, "unexplained", []),
    ],
)
def test_a_failing_set_has_its_mode(
    failing: set[int], mode: str, rules: list[tuple[str, ...]]
) -> None:
    answer = explained(failing)

    assert answer.mode == mode
    assert [cause.rules for cause in answer.causes] == rules


def test_what_no_omission_explains_may_be_a_rule_that_was_misread() -> None:
    changed = row("a", {16, 17, 18}, "mutant").model_copy(update={"change": "0 → 1"})
    matrix = MATRIX.model_copy(update={"rows": (*MATRIX.rows, changed)})

    answer = diagnose(verdict({16, 17, 18}), matrix, RULES)

    assert answer.mode == "misread rule"
    assert [(c.rules, c.change) for c in answer.causes] == [(("a",), "m.a, line 1: 0 → 1")]
    assert "0 → 1" in answer.summary


def test_a_change_is_no_cause_where_an_omission_explains_enough() -> None:
    changed = row("b", {0, 1, 2}, "mutant").model_copy(update={"change": "0 → 1"})
    matrix = MATRIX.model_copy(update={"rows": (*MATRIX.rows, changed)})

    assert diagnose(verdict({0, 1, 2}), matrix, RULES) == explained({0, 1, 2})


def test_what_does_not_run_at_all_is_a_crash() -> None:
    assert explained(set(range(20)), outcome="missing").mode == "crash"


def test_failures_of_the_machine_are_told_apart() -> None:
    assert explained({18, 19}, exception="PermissionError").mode == "environment-dependent"


def test_a_class_that_would_break_passing_tests_is_no_cause() -> None:
    assert all("wide" not in cause.rules for cause in explained({0, 1, 2, 3}).causes)


def test_the_statement_s_lines_are_shown() -> None:
    statement = Statement({"PRD.md": "Intro\n`m.a` raises boom when it is late.\n"})

    cause = diagnose(verdict({0, 1, 2}), MATRIX, RULES, statement).causes[0]

    assert [(line.file, line.line) for line in cause.lines] == [("PRD.md", 2)]


def test_rules_with_equal_kill_sets_form_a_class() -> None:
    assert classes(MATRIX)[frozenset({5, 6})] == ("b", "twin")


def test_tests_that_notice_nothing_are_named() -> None:
    assert redundant(MATRIX) == ("t18", "t19")


def test_a_private_rule_belongs_to_whose_tests_notice_it() -> None:
    operations = [rule(n).model_copy(update={"kind": "operation"}) for n in ("a", "b")]
    helper = rule("tail").model_copy(update={"public": False})
    rows = (row("a", {0, 1, 2}), row("b", {5, 6}), row("tail", {1, 2}))
    rules = RuleSet(reference="r", rules=(*operations, helper))

    owned = attributed(rules, MATRIX.model_copy(update={"rows": rows})).rules

    assert [r.entries for r in owned] == [(), (), ("m.a",)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nothing", "unstated"),
        ("a is here", "unstated"),
        ("`a` raises an error that says BOOM.", "stated"),
        ("x `m.a` raises. boom", "generated"),
    ],
)
def test_a_rule_is_stated_with_all_its_literals(text: str, expected: str) -> None:
    assert Statement({"PRD.md": text}).states(rule("a")) == expected
