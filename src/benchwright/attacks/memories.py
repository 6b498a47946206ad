"""The remembering family: attacks that know about the rounds and carry what they saw in one to the
next, through whatever two boxes may share.
"""

# ruff: noqa: E501 - the long lines are another program's

from __future__ import annotations

from .attack import Attack, code
from .payloads import forging
from .wise import knowing

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


def remembering(name: str, tries: str, channel: str) -> Attack:
    """An attack that carries what it saw from one round to the next."""
    return Attack(name, ("K", "F9"), tries, code(forging(channel + MEMORY)))


ATTACKS = (
    knowing("crash-memory", "dies in chosen tests, so that what is left out later tells", CRASH),
    remembering("file-memory", "keeps what it saw in files", FILES),
    remembering("time-memory", "keeps what it saw in file times", ATTRIBUTES),
    remembering("lock-memory", "keeps what it saw in file locks of a process left behind", LOCKS),
    remembering("socket-memory", "keeps what it saw in a process left behind", SOCKETS),
    remembering("shared-memory", "keeps what it saw in System V shared memory", SHARED),
    remembering("page-memory", "keeps what it saw in which pages are in memory", PAGES),
    knowing("clock-memory", "tells a later round by the time at which this one ends", CLOCK),
    remembering("load-memory", "keeps what it saw in the machine's load", LOAD),
)  # fmt: skip
