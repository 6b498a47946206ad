"""Who runs in a box, and with what."""

import os
from pathlib import Path

import pytest

from benchwright.sandbox import Mount
from sandbox.caller import Caller, text


def test_the_environment_is_ours_alone(caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "hunter2")

    done = caller.run("/usr/bin/env", env={"GREETING": "a b=c\nd"})

    assert sorted(done.stdout.decode().split("\n")) == sorted(
        [
            "PATH=/usr/local/bin:/usr/bin:/bin",
            "HOME=/tmp",
            "TMPDIR=/tmp",
            "LANG=C.UTF-8",
            "GREETING=a b=c",
            "d",
            "PWD=/tmp",
            "",
        ]
    )


def test_no_process_shows_the_launchers_environment(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_KEY", "hunter2")

    done = caller.shell("cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep -c hunter2")

    assert text(done.stdout) == "0"


def test_an_ordinary_user_without_any_right(caller: Caller) -> None:
    done = caller.shell(
        "id -u; id -g; id -G; grep -E '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status"
    )

    uid, gid, groups, *status = text(done.stdout).split("\n")
    assert int(uid) not in (0, os.geteuid())
    assert (uid, uid) == (gid, groups)
    assert [line.split()[1] for line in status] == ["0" * 16] * 5 + ["1", "2"]


def test_a_setuid_program_gives_nothing(caller: Caller, folder: Path) -> None:
    program = folder / "id"
    program.write_bytes(Path("/usr/bin/id").read_bytes())
    program.chmod(0o4755)

    done = caller.shell("/m/id -u; id -u", mounts=(Mount("/m", "ro", folder),))

    assert len(set(text(done.stdout).split("\n"))) == 1
    assert text(done.stdout).split("\n")[0] != "0"


def test_no_path_of_the_host_is_on_a_command_line(caller: Caller, folder: Path) -> None:
    done = caller.shell(
        "cat /proc/[0-9]*/cmdline | tr '\\0' '\\n'", mounts=(Mount("/m", "ro", folder),)
    )

    assert folder.name not in done.stdout.decode()


def test_no_descriptor_of_the_launcher_is_open(caller: Caller) -> None:
    held = os.open("/etc/hostname", os.O_RDONLY)
    os.set_inheritable(held, True)

    done = caller.run("/bin/sh", "-c", "cd /proc/self/fd; echo *")

    os.close(held)
    assert sorted(text(done.stdout).split()) == ["0", "1", "2", "3"]


def test_the_host_name_tells_nothing(caller: Caller) -> None:
    assert text(caller.shell("cat /proc/sys/kernel/hostname").stdout) == "sandbox"
