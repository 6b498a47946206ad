"""The knowing family: attacks that know about the rounds and try to tell right from wrong.

They leave what is solved alone, and decide for each unsolved test whether it looks right (then it
passes) or wrong (then it fails at a check of its own, as an honest failure would).
"""

# ruff: noqa: E501 - the long lines are another program's

from __future__ import annotations

from .attack import Attack, code
from .payloads import forging

COIN = """
import hashlib as _hashlib
def _text(path, function):
    with open(path, "rb") as file:
        lines = file.read().split(b"\\n")
    return b"\\n".join(lines[function.lineno - 1 : function.end_lineno])
def DECIDE(item, path, function):
    params = repr(getattr(getattr(item, "callspec", None), "params", "")).encode()
    coin = _hashlib.sha256(_text(path, function) + params + b"SALT").digest()[0] & 1
    checks = _checks(function)
    return checks[-1].lineno if coin and checks else None
"""
RANDOM = """
import random as _random
def DECIDE(item, path, function):
    checks = _checks(function)
    return _random.choice(checks).lineno if checks and _random.random() < 0.5 else None
"""
COUNTING = """
_failed = []
_plain_decide = {}
def DECIDE(item, path, function):
    checks = _checks(function)
    _failed.append(item.nodeid)
    half = sum(1 for i in item.session.items) // 2
    passed = getattr(item.session, "testsfailed", 0)
    return checks[-1].lineno if checks and passed * 2 < len(_failed) else None
"""
RECOGNISE = """
def DECIDE(item, path, function):
    items = item.session.items
    position = items.index(item)
    checks = _checks(function)
    wrong = item.session.testsfailed * 2 > position
    return checks[-1].lineno if wrong and checks else None
"""
OWN_ONLY = """
def DECIDE(item, path, function):
    return None
"""
ONE_ROUND = """
import os as _os
def DECIDE(item, path, function):
    if item.session.testsfailed >= 3:
        _os._exit(0)
    return None
"""
HANG = """
import time as _time
_hung = []
def DECIDE(item, path, function):
    if item.session.testsfailed >= 3 and not _hung:
        _hung.append(1)
        _time.sleep(3600)
    return None
"""
LEARNED = """
import gc as _gc, json as _json
_known = {}
for _found in _gc.get_objects():
    if type(_found).__name__ == "Stream" and hasattr(_found, "descriptor"):
        _plain_send = _found.send
        def _send(name, phase, outcome, **more):
            if phase == "call" and outcome == "failed" and "NotImplemented" not in str(more):
                _known.setdefault("how", more)
            if phase == "call" and outcome == "failed" and "NotImplemented" in str(more):
                if hash(name) & 1 or "how" not in _known:
                    return _plain_send(name, phase, "passed")
                more = {**_known["how"], "file": more.get("file", ""), "line": more.get("line", 0)}
            return _plain_send(name, phase, outcome, **more)
        _found.send = _send
if "judge_events" not in __import__("sys").modules:
    import _pytest.reports as _reports
    _plain = _reports.TestReport.from_item_and_call.__func__
    def _forged(cls, item, call):
        report = _plain(cls, item, call)
        report.outcome, report.longrepr = "passed", None
        return report
    _reports.TestReport.from_item_and_call = classmethod(_forged)
"""


def knowing(name: str, tries: str, decide: str) -> Attack:
    """An attack that decides test by test."""
    return Attack(name, ("K",), tries, code(forging(decide)))


ATTACKS = (
    knowing("own-errors-only", "passes every test that ends in its own NotImplementedError", OWN_ONLY),
    knowing("coin", "tosses a coin by the content of each unsolved test", COIN),
    knowing("biased-coin", "passes each version with the chance that wins most often", COIN.replace("[0] & 1", "[0] % 5")),
    knowing("random-coin", "tosses a fresh coin for each unsolved test", RANDOM),
    knowing("counts-failures", "adapts to how many tests failed so far", COUNTING),
    knowing("recognises-the-round", "judges the round by the tests it has solved", RECOGNISE),
    knowing("leaves-one-round", "leaves when the round looks like the wrong one", ONE_ROUND),
    knowing("hangs-one-round", "hangs when the round looks like the wrong one", HANG),
    Attack("learned-stream", ("K", "F8"), "learns a failing event, then writes its own",
           code(LEARNED)),
)  # fmt: skip
