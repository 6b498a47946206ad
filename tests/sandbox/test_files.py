"""What a box sees of the file system."""

import time
from pathlib import Path

import pytest

from benchwright.formats import SandboxError
from benchwright.sandbox import Mount, Spec
from sandbox.caller import Caller, text


def test_mounts(caller: Caller, folder: Path) -> None:
    (folder / "file").write_text("content")
    (folder / "secret").write_text("answer")
    (folder / "twin").mkdir()
    (folder / "twin" / "inner").write_text("answer")
    caller.own(folder)
    script = """
        cat /a/b/ro/file /data; readlink /link; stat -f -c %T /scratch
        echo x > /scratch/new && cat /scratch/new
        cat /a/b/ro/secret; ls /a/b/ro/twin; ls /a /a/b
        for f in /new /a/new /a/b/ro/new /a/b/ro/file /data /usr/new /etc/passwd /dev/new; do
            (echo x > $f) 2>/dev/null && echo "wrote $f"
        done
    """
    done = caller.shell(
        script,
        mounts=(
            Mount("/a/b/ro", "ro", folder),
            Mount("/a/b/ro/secret", "mask"),
            Mount("/a/b/ro/twin", "mask"),
            Mount("/a/b/ro/absent", "mask"),
            Mount("/data", "data", content=b"\ndata\n"),
            Mount("/link", "link", Path("a/b")),
            Mount("/scratch", "tmpfs"),
        ),
    )

    assert text(done.stdout).split("\n") == [
        "content", "data", "a/b", "tmpfs", "x", "/a:", "b", "", "/a/b:", "ro",
    ]  # fmt: skip


def test_a_writable_mount(caller: Caller, folder: Path) -> None:
    (folder / "old").mkdir()
    (folder / "old" / "file").write_text("1")
    (folder / "old" / "file").chmod(0o400)

    done = caller.shell(
        "cd /work; echo 2 >> old/file; echo 3 > new; mkdir d; rm -r old; ls",
        mounts=(caller.give(folder),),
    )

    assert text(done.stdout) == "d\nnew"
    assert ((folder / "new").read_text(), (folder / "old").exists()) == ("3\n", False)


def test_an_overlay_takes_writes_and_forgets_them(caller: Caller, folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "file").write_text("old")
    (folder / "run").write_text("#!/bin/sh\necho ran\n")
    (folder / "run").chmod(0o755)
    (folder / "link").symlink_to("sub/file")
    caller.own(folder)
    script = "cd /w; ./run; cat link; echo new > sub/file; cat link; rm run; echo x > y; ls"

    done = caller.shell(script, mounts=(Mount("/w", "overlay", folder),))

    assert text(done.stdout).split("\n") == ["ran", "oldnew", "link", "sub", "y"]
    assert (folder / "sub" / "file").read_text() == "old"
    assert sorted(p.name for p in folder.iterdir()) == ["link", "run", "sub"]


def test_two_overlays_of_one_tree_share_no_lock(caller: Caller, folder: Path) -> None:
    (folder / "file").write_text("")
    caller.own(folder)
    mounts = (Mount("/w", "overlay", folder),)
    take = "open F, '+<', '/w/file'; print flock(F, 6) ? 'taken' : 'busy'; $| = 1; print qq(\\n);"
    spec = Spec(("/usr/bin/perl", "-e", take + "sleep 20"), mounts=mounts, events=True)

    def both() -> bytes:
        with caller.sandbox.start(spec) as box:
            time.sleep(0.5)
            other = caller.sandbox.run(Spec(("/usr/bin/perl", "-e", take), mounts=mounts))
            box.kill()
            return box.wait().stdout + other.stdout

    assert caller.call(both) == b"taken\ntaken\n"


def test_an_overlay_is_bounded(caller: Caller, folder: Path) -> None:
    script = "head -c 50000000 /dev/zero > /w/x; stat -c %s /w/x"

    done = caller.shell(script, mounts=(Mount("/w", "overlay", folder, size=1 << 20),))

    assert int(done.stdout) <= 1 << 20


def test_a_source_that_is_missing_is_named(caller: Caller) -> None:
    with pytest.raises(SandboxError, match="/no/such/folder"):
        caller.run("/bin/true", mounts=(Mount("/m", "ro", Path("/no/such/folder")),))


def test_the_systems_packages_are_not_seen(caller: Caller) -> None:
    done = caller.shell("ls /usr/lib/python3*/ /usr/local /usr/lib/node_modules | grep -v :")

    assert text(done.stdout) == ""


def test_nothing_changes_with_what_the_machine_does(caller: Caller) -> None:
    script = (
        "cd /proc; cat loadavg uptime stat meminfo vmstat diskstats interrupts softirqs zoneinfo"
    )
    script += "; cat buddyinfo schedstat pressure/* sys/fs/* sys/kernel/pty/*; ls /sys"

    first = caller.shell(script)
    end = time.monotonic() + 0.3
    while time.monotonic() < end:
        Path("/proc/stat").read_bytes()
    second = caller.shell(script)

    assert first.stdout == second.stdout
    assert b"MemTotal: 2097152 kB" in first.stdout
