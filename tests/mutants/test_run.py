"""Mutants that hang, in real boxes: each test that does is cut, the others are not."""

from pathlib import Path

from mutants.conftest import Make, ran

PRODUCT = """
import threading
import time

LOCK = threading.Lock()


def counted(n):
    while n > 0:
        n -= 1
    return n


def locked(n):
    with LOCK:
        return n


def waited(n):
    time.sleep(0)
    return n
"""

TESTS = """
import shapes


def test_counted():
    assert shapes.counted(3) == 0


def test_counted_more():
    assert shapes.counted(5) == 0


def test_counted_again():
    assert shapes.counted(7) == 0


def test_counted_nothing():
    assert shapes.counted(0) == 0


def test_locked():
    assert shapes.locked(3) == 3


def test_waited():
    assert shapes.waited(3) == 3
"""


def test_what_loops_or_waits_for_ever_is_cut_and_what_waits_a_second_is_not(
    make: Make, tmp_path: Path
) -> None:
    found = ran(
        make(PRODUCT, TESTS),
        tmp_path,
        {
            "n -= 1": "n += 1",
            "with LOCK:\n        return n": "with LOCK, LOCK:\n        return n",
            "time.sleep(0)": "time.sleep(1)",
        },
    )

    loops, waits, sleeps = found.values()
    assert (loops[1], loops[0].timeouts) == ({"counted", "counted_more", "counted_again"}, 3)
    assert (waits[1], waits[0].timeouts) == ({"locked"}, 1)
    assert (sleeps[1], sleeps[0].timeouts) == (set(), 0)


def test_a_test_that_is_too_slow_only_once_is_not_cut(make: Make, tmp_path: Path) -> None:
    once = "next((n for _ in [0] if __import__('os').path.exists('/tmp/seen')), None)"
    slow = "[open('/tmp/seen', 'w'), [0 for _ in iter(int, 1)]]"

    found = ran(
        make(PRODUCT, TESTS), tmp_path, {"with LOCK:\n        return n": f"return {once} or {slow}"}
    )

    ((seen, failed),) = found.values()
    assert (failed, seen.timeouts) == (set(), 0)


def test_a_module_that_is_compiled_once_is_still_the_one_that_each_mutant_changed(
    make: Make, tmp_path: Path
) -> None:
    product = "A = 1\nB = 2\nC = 3\nD = 4\nE = 5\n"
    tests = "".join(
        f"def test_{name.lower()}():\n    import shapes\n    assert shapes.{name} == {value}\n\n\n"
        for value, name in enumerate("ABCDE", start=1)
    )

    changes = {f"{name} = {value}": f"{name} = 9" for value, name in enumerate("ABCDE", start=1)}
    found = ran(make(product, tests), tmp_path, changes)

    assert [failed for _, failed in found.values()] == [{"a"}, {"b"}, {"c"}, {"d"}, {"e"}]
