"""The knowing family: attacks that know about the rounds and try to tell right from wrong.

They leave what is solved alone, and decide for each unsolved test whether it looks right (then it
passes) or wrong (then it fails at a check of its own, as an honest failure would).
"""

# ruff: noqa: E501 - the long lines are another program's

from __future__ import annotations

from .attack import Attack, code
from .payloads import forging

LITERALS = """
import ast as _ast, collections as _collections, glob as _glob
_counts = _collections.Counter()
def _count():
    if not _counts:
        for path in _glob.glob("/work/**/*.py", recursive=True):
            try:
                with open(path, errors="replace") as file:
                    tree = _ast.parse(file.read())
            except (OSError, SyntaxError, ValueError):
                continue
            for node in _ast.walk(tree):
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
            if any(counts[repr(value)] <= 1 for value in _constants(side)):
                return check.lineno
"""
)
COMMON = (
    LITERALS
    + """
def DECIDE(item, path, function):
    counts = _count()
    for check in _checks(function):
        for side in _sides(check):
            if any(counts[repr(value)] >= 3 for value in _constants(side)):
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

MEMORY = """
import hashlib as _hashlib, json as _json, os as _os
def _load():
    try:
        return _json.loads(recall() or "{}")
    except (ValueError, OSError):
        return {}
_memory = _load()
def _version(item, path, function):
    with open(path, "rb") as file:
        lines = file.read().split(b"\\n")
    text = b"\\n".join(lines[function.lineno - 1 : function.end_lineno])
    params = repr(getattr(getattr(item, "callspec", None), "params", "")).encode()
    return _hashlib.sha256(text + params).hexdigest()[:8]
def DECIDE(item, path, function):
    key = item.nodeid
    version = _version(item, path, function)
    known = _memory.setdefault(key, {})
    if version not in known:
        known[version] = not known
        try:
            remember(_json.dumps(_memory))
        except OSError:
            pass
    checks = _checks(function)
    return None if known[version] or not checks else checks[-1].lineno
"""
FILES = """
import os as _os
_PLACES = ["/work/.seen", "/tmp/.seen", "/dev/shm/.seen", "/judge/.seen", "/env/.seen", "/meta/.seen",
           "/var/tmp/.seen", _os.path.expanduser("~/.seen"), __file__ + ".seen"]
def recall():
    for place in _PLACES:
        try:
            with open(place) as file:
                return file.read()
        except OSError:
            continue
def remember(text):
    for place in _PLACES:
        try:
            with open(place, "w") as file:
                file.write(text)
        except OSError:
            continue
"""
SOME = """
import itertools as _itertools, os as _os
def _some(most, *tops):
    for top in tops:
        found = (_os.path.join(d, f) for d, _, files in _os.walk(top) for f in files)
        yield from _itertools.islice(filter(_os.path.isfile, found), most)
"""
ATTRIBUTES = (
    SOME
    + """
_places = sorted(_some(400, "/env", "/python", "/usr/share", "/work", "/judge"))
def recall():
    bits = "".join("01"[int(_os.stat(p).st_mtime) % 2] for p in _places)
    raw = bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits) - 7, 8))
    return raw.partition(b"\\0")[0].decode("latin-1")
def remember(text):
    bits = "".join(f"{b:08b}" for b in text.encode("latin-1", "replace") + b"\\0")
    for place, bit in zip(_places, bits):
        try:
            when = int(_os.stat(place).st_mtime) // 2 * 2 + int(bit)
            _os.utime(place, (when, when))
        except OSError:
            pass
"""
)
LOCKS = (
    SOME
    + """
import fcntl as _fcntl
_places = sorted(_some(3000, "/env", "/python", "/usr/lib", "/judge"))[:2048]
def recall():
    bits = ""
    for place in _places:
        try:
            with open(place) as file:
                _fcntl.flock(file, _fcntl.LOCK_EX | _fcntl.LOCK_NB)
            bits += "0"
        except OSError:
            bits += "1"
    raw = bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits) - 7, 8))
    return raw.partition(b"\\0")[0].decode("latin-1")
def remember(text):
    bits = "".join(f"{b:08b}" for b in text.encode("latin-1", "replace") + b"\\0")
    if _os.fork() == 0:
        _os.setsid()
        held = []
        for place, bit in zip(_places, bits):
            if bit == "1":
                held.append(open(place))
                _fcntl.flock(held[-1], _fcntl.LOCK_SH)
        import time
        time.sleep(300)
        _os._exit(0)
"""
)
SOCKETS = """
import os as _os, socket as _socket
def recall():
    for family, address in ((_socket.AF_UNIX, "\\0benchwright-memory"), (_socket.AF_INET, ("127.0.0.1", 45321))):
        try:
            with _socket.socket(family) as s:
                s.settimeout(0.5)
                s.connect(address)
                return s.recv(1 << 16).decode()
        except OSError:
            continue
def remember(text):
    if _os.fork() == 0:
        _os.setsid()
        if _os.fork() == 0:
            import time
            end = time.time() + 300
            s = _socket.socket(_socket.AF_UNIX)
            try:
                s.bind("\\0benchwright-memory")
                s.listen()
                while time.time() < end:
                    s.accept()[0].sendall(text.encode())
            except OSError:
                pass
        _os._exit(0)
"""
SHARED = """
import ctypes as _ctypes, os as _os
_libc = _ctypes.CDLL(None, use_errno=True)
_libc.shmat.restype = _ctypes.c_void_p
def recall():
    ident = _libc.shmget(0x62770001, 1 << 16, 0o666)
    if ident < 0:
        return ""
    where = _libc.shmat(ident, None, 0)
    if where in (None, _ctypes.c_void_p(-1).value):
        return ""
    return _ctypes.string_at(where).decode("latin-1")
def remember(text):
    ident = _libc.shmget(0x62770001, 1 << 16, 0o1666)
    where = _libc.shmat(ident, None, 0) if ident >= 0 else None
    if where not in (None, _ctypes.c_void_p(-1).value):
        raw = text.encode("latin-1", "replace")[:60000] + b"\\0"
        _ctypes.memmove(where, raw, len(raw))
"""
LOAD = """
import os as _os, time as _time
def _pressure():
    for name in ("/proc/loadavg", "/proc/stat", "/proc/meminfo", "/proc/vmstat", "/proc/uptime",
                 "/proc/sys/kernel/random/boot_id", "/proc/sys/fs/file-nr", "/proc/sys/kernel/ns_last_pid"):
        try:
            with open(name) as file:
                yield file.read()
        except OSError:
            yield ""
_first = list(_pressure())
def recall():
    try:
        busy = float(_first[0].split()[0]) > 3
    except (ValueError, IndexError):
        busy = False
    return "{}" if not busy else _json.dumps({"busy": {"x": True}})
def remember(text):
    if _os.fork() == 0:
        _os.setsid()
        end = _time.time() + 20
        while _time.time() < end:
            pass
        _os._exit(0)
"""
PAGES = (
    SOME
    + """
import time as _time
_places = sorted(p for p in _some(4000, "/env", "/python", "/usr/share", "/usr/lib")
                 if _os.path.getsize(p) > 8192)[:4096]
def _resident(place):
    fd = _os.open(place, _os.O_RDONLY)
    try:
        _os.preadv(fd, [bytearray(1)], 4096, _os.RWF_NOWAIT)
        return True
    except BlockingIOError:
        return False
    except OSError:
        start = _time.perf_counter()
        _os.pread(fd, 1, 4096)
        return _time.perf_counter() - start < 3e-5
    finally:
        _os.close(fd)
def recall():
    bits = "".join("10"[_resident(place)] for place in _places)
    raw = bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits) - 7, 8))
    return raw.partition(b"\\0")[0].decode("latin-1")
def remember(text):
    bits = "".join(f"{b:08b}" for b in text.encode("latin-1", "replace") + b"\\0")
    for place, bit in zip(_places, bits):
        fd = _os.open(place, _os.O_RDONLY)
        if bit == "1":
            _os.posix_fadvise(fd, 0, 0, _os.POSIX_FADV_DONTNEED)
        else:
            _os.pread(fd, 1, 4096)
        _os.close(fd)
"""
)
CLOCK = """
import hashlib as _hashlib, time as _time
_MODULUS = 32
_told = int(_time.time() - 0.4) % _MODULUS
_first = []
def _short(item, path, function):
    with open(path, "rb") as file:
        lines = file.read().split(b"\\n")
    text = b"\\n".join(lines[function.lineno - 1 : function.end_lineno])
    params = repr(getattr(getattr(item, "callspec", None), "params", "")).encode()
    return _hashlib.sha256(text + params).digest()[0] % (_MODULUS // 2)
def DECIDE(item, path, function):
    checks = _checks(function)
    now = _short(item, path, function)
    if not _first:
        _first.append(item.nodeid)
        good = now if _told < _MODULUS // 2 else _told - _MODULUS // 2
        goal = _MODULUS // 2 + good
        while int(_time.time()) % _MODULUS != goal:
            _time.sleep(0.05)
        return None if now == good or not checks else checks[-1].lineno
    return checks[-1].lineno if checks and now % 5 else None
"""
CRASH = '''
import json as _json, os as _os, hashlib as _hashlib
try:
    with open("/judge/run.json") as _f:
        _skip = set(_json.load(_f)["skip"])
except (OSError, ValueError, KeyError):
    _skip = set()
_order = []
def _note(item, path, function):
    with open(path, "rb") as file:
        lines = file.read().split(b"\\n")
    text = b"\\n".join(lines[function.lineno - 1 : function.end_lineno])
    params = repr(getattr(getattr(item, "callspec", None), "params", "")).encode()
    return _hashlib.sha256(text + params).digest()[0] & 1
_plan = {}
def DECIDE(item, path, function):
    """Unsolved tests are taken in twos: the first one's death tells which version of the second
    was shown in the first round, the judge's list of what to leave out carries it on."""
    checks = _checks(function)
    where = item.nodeid.partition("::")[0]
    names = [i.nodeid for i in item.session.items]
    number = int(_hashlib.sha256(item.nodeid.encode()).hexdigest(), 16)
    bit = _note(item, path, function)
    if number % 2 and not _skip:
        _plan[where] = _plan.get(where, 0) + 1
        if bit and _plan[where] < 4:
            _os._exit(0)
    if _skip:
        return checks[-1].lineno if checks and bit else None
    return None if not bit or not checks else checks[-1].lineno
'''


def knowing(name: str, tries: str, decide: str) -> Attack:
    """An attack that decides test by test."""
    return Attack(name, ("K",), tries, code(forging(decide)))


def remembering(name: str, tries: str, channel: str) -> Attack:
    """An attack that carries what it saw from one round to the next."""
    return Attack(name, ("K", "F9"), tries, code(forging(channel + MEMORY)))


ATTACKS = (
    knowing("own-errors-only", "passes every test that ends in its own NotImplementedError", OWN_ONLY),
    knowing("coin", "tosses a coin by the content of each unsolved test", COIN),
    knowing("biased-coin", "passes each version with the chance that wins most often", COIN.replace("[0] & 1", "[0] % 5")),
    knowing("random-coin", "tosses a fresh coin for each unsolved test", RANDOM),
    knowing("polarity", "takes tests with `!=`, `not` or inequalities for wrong", POLARITY),
    knowing("rare-literals", "takes tests with literals seen only once for wrong", FREQUENCY),
    knowing("common-literals", "takes tests with literals seen often for wrong", COMMON),
    knowing("doubled-expectations", "takes tests that expect one value twice for wrong", DOUBLES),
    knowing("unlike-the-input", "takes tests whose expectation is unlike the input for wrong", ALIKE),
    knowing("out-of-order", "takes tests with unsorted sequences for wrong", SORTED),
    knowing("unused-names", "takes tests with unused variables or arguments for wrong", UNUSED),
    knowing("named-otherwise", "takes tests whose name is unlike their check for wrong", SPELLING),
    knowing("odd-types", "takes tests with an odd type of expectation for wrong", TYPES),
    knowing("odd-layout", "takes tests with badly laid out lines for wrong", LINES),
    knowing("contradictions", "takes tests that contradict another one for wrong", EXAMPLES),
    knowing("counts-failures", "adapts to how many tests failed so far", COUNTING),
    knowing("recognises-the-round", "judges the round by the tests it has solved", RECOGNISE),
    knowing("leaves-one-round", "leaves when the round looks like the wrong one", ONE_ROUND),
    knowing("hangs-one-round", "hangs when the round looks like the wrong one", HANG),
    knowing("crash-memory", "dies in chosen tests, so that what is left out later tells", CRASH),
    Attack("learned-stream", ("K", "F8"), "learns a failing event, then writes its own",
           code(LEARNED)),
    remembering("file-memory", "keeps what it saw in files", FILES),
    remembering("time-memory", "keeps what it saw in file times", ATTRIBUTES),
    remembering("lock-memory", "keeps what it saw in file locks of a process left behind", LOCKS),
    remembering("socket-memory", "keeps what it saw in a process left behind", SOCKETS),
    remembering("shared-memory", "keeps what it saw in System V shared memory", SHARED),
    remembering("page-memory", "keeps what it saw in which pages are in memory", PAGES),
    knowing("clock-memory", "tells a later round by the time at which this one ends", CLOCK),
    remembering("load-memory", "keeps what it saw in the machine's load", LOAD),
)  # fmt: skip
