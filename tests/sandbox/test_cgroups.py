"""What a group held is gone with it."""

import subprocess
import sys
import time

from benchwright.sandbox import Caps, cgroups, probe

LOOK = """
import os, random
for number in range(20_000):
    os.path.exists(f"/usr/share/{random.random()}")
"""


def held(group: cgroups.Group) -> int:
    """Bytes that are charged to a group."""
    name = "memory.current" if group.version == 2 else "memory.usage_in_bytes"
    return int((group.folders["memory"] / name).read_text())


def test_a_group_forgets_the_names_that_were_looked_up() -> None:
    group = cgroups.create(Caps(), forgetful=True)
    if group is None:  # an ordinary user, to whom the probe says so
        assert {c.name: c.state for c in probe()}["no traces"] == "limited"
        return

    with group.born():
        child = subprocess.Popen([sys.executable, "-c", LOOK])
    group.join(child.pid)
    child.wait()
    before = held(group)
    group.forget()
    for _ in range(100):  # the kernel counts a moment later
        after = held(group)
        if after < before / 4:
            break
        time.sleep(0.1)
    group.close()

    assert before > 20_000 * 100
    assert after < before / 4
