import json

import pytest

from benchwright.judge.stream import LINE, TOTAL, Observed, Tally


def line(**fields: object) -> bytes:
    return json.dumps(fields).encode() + b"\n"


def told(*events: tuple[str, str, str]) -> Tally:
    tally = Tally()
    for name, phase, outcome in events:
        tally.feed(line(id=name, phase=phase, outcome=outcome), 1.0)
    return tally


def test_a_pass_needs_a_call_that_passed_and_an_end() -> None:
    tally = told(("a", "setup", "started"), ("a", "call", "passed"), ("a", "teardown", "done"))

    assert tally.tests == {"a": Observed("passed")}


@pytest.mark.parametrize(
    ("events", "outcome"),
    [
        ([("call", "passed"), ("teardown", "error")], "error"),
        ([("call", "failed"), ("call", "passed")], "failed"),
        ([("setup", "skipped")], "skipped"),
        ([], "error"),
    ],
)
def test_the_worst_claim_counts(events: list[tuple[str, str]], outcome: str) -> None:
    tally = told(
        ("a", "setup", "started"), *(("a", *event) for event in events), ("a", "teardown", "done")
    )

    assert tally.tests["a"].outcome == outcome


def test_a_second_run_of_a_test_only_makes_it_worse() -> None:
    once = [("a", "setup", "started"), ("a", "call", "failed"), ("a", "teardown", "done")]
    again = [("a", "setup", "started"), ("a", "call", "passed"), ("a", "teardown", "done")]

    assert told(*once, *again).tests["a"].outcome == "failed"
    assert told(*again, *once).tests["a"].outcome == "failed"


def test_claims_about_a_test_that_does_not_run_are_strange() -> None:
    tally = told(("b", "call", "passed"), ("b", "teardown", "done"))

    assert tally.tests == {}
    assert tally.strange == 2


@pytest.mark.parametrize(
    "junk",
    [
        b"\xff\xfe\n",
        b"[" * 100_000 + b"\n",
        b"{}\n",
        b'{"id": "a", "phase": "call", "outcome": "won"}\n',
        b'{"id": "\\ud800", "phase": "call", "outcome": "passed"}\n',
        b'{"id": "a", "phase": "call", "outcome": "passed", "line": ' + b"9" * 5000 + b"}\n",
        b"x" * (LINE + 10) + b"\n",
    ],
)
def test_junk_is_counted_and_does_no_harm(junk: bytes) -> None:
    tally = Tally()

    tally.feed(junk, 0.0)
    tally.feed(line(id="", phase="session", outcome="started"), 0.0)

    assert tally.strange >= 1
    assert tally.begun


def test_a_line_may_come_in_pieces() -> None:
    tally = Tally()
    data = line(id="", phase="session", outcome="started")

    for at in range(len(data)):
        tally.feed(data[at : at + 1], 0.0)

    assert tally.begun
    assert tally.strange == 0


def test_a_flood_is_noticed() -> None:
    tally = Tally()
    while not tally.full:
        tally.feed(b"x" * (1 << 20), 0.0)

    assert tally.size == TOTAL + (1 << 20)
    assert len(tally._rest) <= LINE + (1 << 20)


def test_what_is_observed_is_cut_to_size() -> None:
    tally = Tally()
    tally.feed(line(id="a", phase="setup", outcome="started"), 0.0)
    fields = {"exception": "E" * 9999, "message": "m" * 9999, "line": -5, "elapsed": 1e300}
    tally.feed(line(id="a", phase="call", outcome="failed", **fields), 0.0)
    tally.feed(line(id="a", phase="teardown", outcome="done"), 2.0)

    seen = tally.tests["a"]
    assert (len(seen.exception), len(seen.message), seen.line, seen.seconds) == (200, 2000, 0, 2.0)
