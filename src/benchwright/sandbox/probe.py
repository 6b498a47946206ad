"""What this machine can do, found out by doing it.

Contract: every capability is measured in a box of its own; nothing is concluded from versions.
What doesn't hold says how to get it. A probe takes about two seconds, and never raises because
something is missing: that is its answer.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from benchwright.formats import SandboxError, cache_root

from . import cgroups
from .bubblewrap import Bubblewrap, find
from .protocol import DOOR_PORT, Caps, Completed, Mount, Spec

State = Literal["yes", "limited", "no"]
APPARMOR = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
CLONE = Path("/proc/sys/kernel/unprivileged_userns_clone")
MAXIMUM = Path("/proc/sys/user/max_user_namespaces")
MEMORY_HINT = (
    "without a control group a watchdog keeps this, softly; run as root, or from "
    "`systemd-run --user --scope -p Delegate=yes`"
)
STARTS = 11


@dataclass(frozen=True, slots=True)
class Capability:
    """One thing that was tried."""

    name: str
    state: State
    detail: str
    hint: str = ""
    """The way out, where it isn't `yes`."""
    needed: bool = False
    """Nothing can be judged here without it."""


def probe() -> tuple[Capability, ...]:
    """Try everything."""
    found = [_bwrap(), _caller()]
    start = _start()
    found.append(start)
    if start.state == "yes":
        found.extend(_in_boxes())
    found.extend((_docker(), _disk()))
    return tuple(found)


def _in_boxes() -> Iterator[Capability]:
    """What holds in a box, each tried in one."""
    for try_one in (_rights, _filter, _network, _memory, _traces, _processes, _copies, _door):
        try:
            yield try_one()
        except SandboxError as error:
            name = try_one.__name__.strip("_")
            yield Capability(name, "no", error.message, error.hint, needed=True)


def _bwrap() -> Capability:
    path = find()
    if path is None:
        hint = "apt install bubblewrap, or pip install 'benchwright[bubblewrap]'"
        return Capability("bubblewrap", "no", "not found", hint, needed=True)
    said = _ask(str(path), "--version")
    state: State = "yes" if said else "no"
    return Capability("bubblewrap", state, f"{said or 'does not run'} ({path})", needed=True)


def _caller() -> Capability:
    if os.geteuid() == 0:
        return Capability("caller", "yes", "root: boxes get an ordinary user of their own")
    return Capability("caller", "yes", "an ordinary user: boxes get a user namespace")


def _start() -> Capability:
    """Whether a box starts at all, and how long that takes."""
    sandbox, times = Bubblewrap(), []
    try:
        for _ in range(STARTS):
            begun = time.perf_counter()
            sandbox.run(Spec(("/bin/true",)))
            times.append(time.perf_counter() - begun)
    except SandboxError as error:
        return Capability("sandbox", "no", error.message, why_not(), needed=True)
    median = statistics.median(times) * 1000
    return Capability("sandbox", "yes", f"starts in {median:.1f} ms (median of {STARTS})")


def why_not() -> str:
    """The likely reason that no box can be made, and the way out."""
    if os.geteuid() != 0 and _reads(APPARMOR, "1"):
        return (
            "AppArmor keeps user namespaces from ordinary users (Ubuntu 24.04): install an "
            "AppArmor profile that allows `userns` for bwrap, or set "
            "kernel.apparmor_restrict_unprivileged_userns=0, or run as root"
        )
    if os.geteuid() != 0 and (_reads(CLONE, "0") or _reads(MAXIMUM, "0")):
        return "user namespaces are switched off on this machine: switch them on, or run as root"
    return (
        "in a container, start it with --privileged, or with --cap-add SYS_ADMIN "
        "--security-opt seccomp=unconfined --security-opt apparmor=unconfined, or use "
        "the docker sandbox"
    )


def _run(script: str, caps: Caps, mounts: tuple[Mount, ...] = ()) -> Completed:
    return Bubblewrap().run(Spec(("/bin/sh", "-c", script), caps=caps, mounts=mounts))


SHORT = Caps(wall_seconds=20)


def _rights() -> Capability:
    done = _run("id -u; grep -E '^(CapEff|CapBnd|NoNewPrivs)' /proc/self/status", SHORT)
    words = done.stdout.decode(errors="replace").split()
    good = words[:1] != ["0"] and words[2::2] == ["0" * 16, "0" * 16, "1"]
    detail = f"uid {words[0]}, no capabilities, no new privileges" if good else " ".join(words)
    return Capability("rights", "yes" if good else "no", detail, needed=True)


def _filter() -> Capability:
    done = _run("grep Seccomp: /proc/self/status; unshare -U true || echo refused", SHORT)
    good = done.stdout.split() == [b"Seccomp:", b"2", b"refused"]
    detail = "on: further namespaces are refused" if good else done.stdout.decode(errors="replace")
    return Capability("system-call filter", "yes" if good else "no", detail.strip(), needed=True)


def _network() -> Capability:
    done = _run("tail -n +3 /proc/net/dev | cut -d: -f1; cat /proc/net/route | wc -l", SHORT)
    good = done.stdout.split()[:1] == [b"lo"] and len(done.stdout.split()) == 2
    detail = "only a loopback of its own" if good else done.stdout.decode(errors="replace")
    return Capability("no network", "yes" if good else "no", detail, needed=True)


def _limit_state() -> tuple[State, str, str]:
    group = cgroups.create(Caps())
    if group is None:
        return "limited", "watchdog", MEMORY_HINT
    group.close()
    return "yes", f"cgroup v{group.version}", ""


def _memory() -> Capability:
    state, how, hint = _limit_state()
    script = "dd if=/dev/zero of=/dev/null bs=300M count=3 && sleep 1"
    done = _run(script, Caps(memory=100 << 20, wall_seconds=20))
    if done.end != "memory":
        return Capability("memory limit", "no", f"300 MB used of 100 ({how})", MEMORY_HINT)
    peak = f"{done.peak_memory / 1e6:.0f} MB"
    return Capability("memory limit", state, f"{how}: ended at {peak} of 105 MB", hint)


def _traces() -> Capability:
    state, _, hint = _limit_state()
    forgets = "forget" if state == "yes" else "keep"
    detail = f"the kernel's caches {forgets} the names and pages that a judged box looked at"
    return Capability("no traces", state, detail, hint)


def _processes() -> Capability:
    _, how, _ = _limit_state()
    script = "for i in 1 2 3 4 5 6 7 8 9; do sleep 5 & sleep 5 & sleep 5 & echo x; done"
    done = _run(script, Caps(processes=12, wall_seconds=20))
    count = done.stdout.count(b"x")
    if count >= 9:
        return Capability("process limit", "no", f"27 processes where 12 are allowed ({how})")
    return Capability("process limit", "yes", "held: stopped at 12")


def _copies() -> Capability:
    place = Path(__file__).parent
    done = _run(
        "cd /w && echo changed > probe.py && cat probe.py", SHORT, (Mount("/w", "overlay", place),)
    )
    good = done.stdout == b"changed\n" and Path(__file__).stat().st_size > 100
    detail = "writable copies work" if good else done.stderr.decode(errors="replace").strip()
    return Capability("overlay", "yes" if good else "no", detail, needed=True)


def _door() -> Capability:
    spec = Spec(("/bin/cat", "/proc/net/tcp"), door=True, caps=SHORT)
    begun = time.perf_counter()
    with Bubblewrap().start(spec) as box:
        made = (time.perf_counter() - begun) * 1000
        done = box.wait()
    good = f":{DOOR_PORT:04X} ".encode() in done.stdout
    detail = f"listens inside ({made:.0f} ms)" if good else "the port isn't there"
    return Capability("door for agents", "yes" if good else "no", detail)


def _docker() -> Capability:
    version = _ask("docker", "version", "--format", "{{.Server.Version}}")
    if version:
        return Capability("docker", "yes", f"engine {version}")
    return Capability("docker", "no", "no engine answers", "only needed for the docker sandbox")


def _disk() -> Capability:
    root = cache_root()
    place = next(p for p in (root, *root.parents) if os.access(p, os.F_OK))
    state = os.statvfs(place)
    free = state.f_bavail * state.f_frsize
    detail = f"{free / 1e9:.1f} GB free for the cache ({root})"
    if not os.access(place, os.W_OK):
        hint = "set BENCHWRIGHT_CACHE to a folder of yours"
        return Capability("disk", "no", f"{root}: can't be written", hint, needed=True)
    if free < 2 << 30:
        return Capability("disk", "limited", detail, "free some space, or set BENCHWRIGHT_CACHE")
    return Capability("disk", "yes", detail)


def _ask(*command: str) -> str:
    """The first line a program prints; empty if it fails or isn't there."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return next(iter(done.stdout.decode(errors="replace").splitlines()), "")


def _reads(path: Path, text: str) -> bool:
    try:
        return path.read_text().strip() == text
    except OSError:
        return False
