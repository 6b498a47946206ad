"""What every sandbox must hold, whoever starts it. A new backend is added in conftest.py."""

import contextlib
import os
import signal
import socket
import sys
import threading
import time
from pathlib import Path

import pytest

from benchwright.formats import SandboxError
from benchwright.sandbox import DOOR_PORT, EVENTS, Caps, Mount, Spec
from sandbox.caller import Caller

SMALL = Caps(memory=100 << 20, processes=40, wall_seconds=20, scratch=10 << 20)


def text(data: bytes) -> str:
    return data.decode().strip()


# streams


def test_streams_and_exit_code(caller: Caller) -> None:
    done = caller.shell("echo out; echo err >&2; exit 7")

    assert (done.end, done.exit_code, done.stdout, done.stderr) == ("exited", 7, b"out\n", b"err\n")


def test_streams_can_be_opened_by_name(caller: Caller) -> None:
    done = caller.shell("echo out > /dev/stdout; echo err > /dev/stderr")

    assert (done.stdout, done.stderr) == (b"out\n", b"err\n")


def test_a_signal_is_counted_as_the_shell_counts(caller: Caller) -> None:
    done = caller.shell("kill -SEGV $$")

    assert (done.end, done.exit_code) == ("exited", 139)


def test_stdin(caller: Caller) -> None:
    assert caller.run("/bin/cat", stdin=b"a\0b" * 100_000).stdout == b"a\0b" * 100_000


def test_without_stdin_there_is_an_end_of_file(caller: Caller) -> None:
    assert caller.run("/bin/cat").stdout == b""


def test_a_missing_command_is_an_exit_code(caller: Caller) -> None:
    done = caller.run("/bin/nonsense")

    assert (done.end, done.exit_code != 0, b"nonsense" in done.stderr) == ("exited", True, True)


def test_a_flood_is_bounded(caller: Caller) -> None:
    script = "head -c 300000000 /dev/zero; echo end >&2"

    done = caller.shell(script, caps=Caps(output=1 << 20))

    assert (len(done.stdout), done.stderr, done.truncated) == (1 << 20, b"end\n", ("stdout",))


def test_events(caller: Caller) -> None:
    done = caller.shell(f"echo hello > /proc/self/fd/${EVENTS}; echo out", events=True)

    assert (done.events, done.stdout) == (b"hello\n", b"out\n")


def test_events_are_there_when_the_box_ended_before_the_wait(caller: Caller) -> None:
    spec = Spec(("/bin/sh", "-c", f"echo hello > /proc/self/fd/${EVENTS}"), events=True)

    def late() -> bytes:
        with caller.sandbox.start(spec) as box:
            time.sleep(0.5)
            return box.wait().events

    assert caller.call(late) == b"hello\n"


def test_events_can_be_read_while_the_box_floods_stdout(caller: Caller) -> None:
    script = f"head -c 10000000 /dev/zero; echo hello > /proc/self/fd/${EVENTS}; sleep 20"
    spec = Spec(("/bin/sh", "-c", script), events=True)

    def read() -> tuple[bytes, str]:
        with caller.sandbox.start(spec) as box:
            assert box.events is not None
            line = os.read(box.events.fileno(), 100)
            box.kill()
            return line, box.wait().end

    assert caller.call(read) == (b"hello\n", "killed")


def test_a_flood_of_events_ends_the_box(caller: Caller) -> None:
    script = f"head -c 300000000 /dev/zero > /proc/self/fd/${EVENTS}; sleep 20"

    done = caller.shell(script, events=True, caps=Caps(output=1 << 20))

    assert (done.end, len(done.events)) == ("output", 1 << 20)


# who runs, and with what


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


# what is seen


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


# limits


def test_memory(caller: Caller) -> None:
    done = caller.perl('$x = "a" x (600 << 20); print length $x; sleep 5', caps=SMALL)

    assert (done.end, done.stdout) == ("memory", b"")


def test_memory_of_many_processes(caller: Caller) -> None:
    script = (
        'for (1..8) { if (!fork) { $x = "a" x (40 << 20); sleep 3; exit } }'
        " 1 while wait > 0; exit 1"
    )

    done = caller.perl(script, caps=SMALL)

    assert done.end == "memory"


def test_scratch(caller: Caller) -> None:
    script = "for d in /tmp /dev/shm; do head -c 50000000 /dev/zero > $d/x; stat -c %s $d/x; done"

    done = caller.shell(script, caps=SMALL)

    assert [int(n) <= 10 << 20 for n in done.stdout.split()] == [True, True]


def test_processes(caller: Caller) -> None:
    script = (
        'for (1..300) { $p = fork; if (!defined $p) { print "stopped at $_\\n"; exit }'
        " if (!$p) { sleep 5; exit } }"
    )

    done = caller.perl(script, caps=SMALL)

    assert text(done.stdout) == "stopped at 40"


def test_two_boxes_do_not_share_a_count_of_processes(caller: Caller) -> None:
    script = "for i in 1 2 3 4 5; do sleep 1 & sleep 1 & sleep 1 & sleep 1 & sleep 1 & done"
    script += "; wait; echo done"
    spec = Spec(("/bin/sh", "-c", script), caps=SMALL)

    def both() -> bytes:
        with caller.sandbox.start(spec) as first, caller.sandbox.start(spec) as second:
            return first.wait().stdout + second.wait().stdout

    assert caller.call(both) == b"done\ndone\n"


def test_wall_clock(caller: Caller) -> None:
    done = caller.run("/bin/sleep", "60", caps=Caps(wall_seconds=0.5))

    assert (done.end, 0.5 <= done.wall_seconds < 5) == ("wall", True)


def test_cpu_time_of_many_processes(caller: Caller) -> None:
    done = caller.perl("fork; fork; 1 while 1", caps=Caps(cpu_seconds=0.5, wall_seconds=30))

    assert (done.end, done.cpu_seconds >= 0.5) == ("cpu", True)


def test_cpu_time_is_counted(caller: Caller) -> None:
    done = caller.perl("1 while (times)[0] + (times)[1] < 0.4")

    assert 0.3 < done.cpu_seconds < 2


def test_cores(caller: Caller) -> None:
    done = caller.shell("grep Cpus_allowed_list /proc/self/status", caps=Caps(cores=1))

    assert text(done.stdout).split("\t")[1].isdigit()


def test_open_files_and_file_size(caller: Caller) -> None:
    script = "ulimit -n; ulimit -c; head -c 5000000 /dev/zero > /tmp/x; stat -c %s /tmp/x"

    done = caller.shell(script, caps=Caps(open_files=77, file_size=1 << 20))

    assert text(done.stdout).split("\n") == ["77", "0", str(1 << 20)]


# no way out


def test_no_network(caller: Caller) -> None:
    host = socket.create_server(("127.0.0.1", 0))
    port = host.getsockname()[1]
    script = f"""
        use Socket qw(:all);
        sub try {{ my ($name, $family, $type, $protocol, $address) = @_;
            print "$name open\\n" if socket(S, $family, $type, $protocol) && connect(S, $address)
                && send(S, "x", 0) }}
        try("loopback", AF_INET, SOCK_STREAM, 0, pack_sockaddr_in({port}, inet_aton("127.0.0.1")));
        try("ipv4", AF_INET, SOCK_STREAM, 0, pack_sockaddr_in(80, inet_aton("192.0.2.1")));
        try("udp", AF_INET, SOCK_DGRAM, 0, pack_sockaddr_in(53, inet_aton("8.8.8.8")));
        try("ipv6", AF_INET6, SOCK_DGRAM, 0,
            pack_sockaddr_in6(53, inet_pton(AF_INET6, "2001:db8::1")));
        try("icmp", AF_INET, SOCK_DGRAM, 1, pack_sockaddr_in(0, inet_aton("192.0.2.1")));
        try("raw", AF_INET, SOCK_RAW, 1, pack_sockaddr_in(0, inet_aton("127.0.0.1")));
        print "name resolved\\n" if gethostbyname("example.com");
        print "netlink\\n" if socket(N, 16, SOCK_RAW, 0);
        print "vsock\\n" if socket(V, 40, SOCK_STREAM, 0);
        print "packet\\n" if socket(P, 17, SOCK_RAW, 0);
        print scalar gethostbyname("localhost") eq inet_aton("127.0.0.1") ? "local\\n" : "";
    """
    try:
        done = caller.perl(script)
        interfaces = caller.shell("tail -n +3 /proc/net/dev | cut -d: -f1")
    finally:
        host.close()

    assert (text(done.stdout), done.stderr) == ("local", b"")
    assert text(interfaces.stdout) == "lo"


def test_no_abstract_socket_of_the_host(caller: Caller) -> None:
    with socket.socket(socket.AF_UNIX) as host:
        host.bind("\0benchwright-test")
        host.listen()
        done = caller.perl(
            "use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0);"
            'print connect(S, pack_sockaddr_un("\\0benchwright-test")) ? "open" : "closed"'
        )

    assert done.stdout == b"closed"


def test_no_further_namespace(caller: Caller) -> None:
    script = "for o in -U -Ur -m -n -p -i -u -C; do unshare $o true 2>/dev/null && echo $o; done"

    assert text(caller.shell(script).stdout) == ""


def test_no_other_process_is_seen(caller: Caller) -> None:
    done = caller.shell("ls -d /proc/[0-9]* | wc -l; kill -0 -1 && echo reached")

    assert int(text(done.stdout).split()[0]) < 6


def test_everything_is_gone_after_the_end(caller: Caller) -> None:
    marks = [f"73{os.getpid()}{n}" for n in range(2)]
    script = "setsid sleep {0} & (setsid setsid sleep {0} &) ; trap '' TERM HUP; {1}"

    caller.shell(script.format(marks[0], "echo done"))
    caller.shell(script.format(marks[1], "sleep 60"), caps=Caps(wall_seconds=0.3))

    assert [n for mark in marks for n in sleeping(mark)] == []


def test_everything_is_gone_after_a_kill(caller: Caller) -> None:
    mark = f"74{os.getpid()}"
    spec = Spec(("/bin/sh", "-c", f"setsid sleep {mark} & setsid sleep {mark} & wait"))

    def kill() -> tuple[int, str, list[str]]:
        with caller.sandbox.start(spec) as box:
            deadline = time.monotonic() + 10
            while len(sleeping(mark)) < 2 and time.monotonic() < deadline:
                time.sleep(0.01)
            before = len(sleeping(mark))
            box.kill()
            return before, box.wait().end, sleeping(mark)

    assert caller.call(kill) == (2, "killed", [])


def test_a_wait_that_is_broken_off_can_be_followed_by_a_kill(caller: Caller) -> None:
    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    def kill() -> tuple[str, int]:
        before = signal.signal(signal.SIGALRM, interrupt)
        try:
            with caller.sandbox.start(Spec(("/bin/sleep", "60"))) as box:
                signal.setitimer(signal.ITIMER_REAL, 0.2)
                with contextlib.suppress(KeyboardInterrupt):
                    box.wait()
                box.kill()
                return box.wait().end, box.wait().exit_code
        finally:
            signal.signal(signal.SIGALRM, before)

    assert caller.call(kill) == ("killed", 137)


def test_everything_is_gone_when_the_launcher_dies(caller: Caller) -> None:
    mark = f"75{os.getpid()}"
    spec = Spec(("/bin/sh", "-c", f"setsid sleep {mark} & sleep {mark}"))
    pid = os.fork()
    if pid == 0:

        def hold() -> None:
            with caller.sandbox.start(spec):
                deadline = time.monotonic() + 10
                while len(sleeping(mark)) < 2 and time.monotonic() < deadline:
                    time.sleep(0.01)
                os.kill(os.getpid(), 9)

        try:
            caller.call(hold)
        finally:
            os._exit(0)
    os.waitpid(pid, 0)

    deadline = time.monotonic() + 10
    while sleeping(mark) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert sleeping(mark) == []


def sleeping(mark: str) -> list[str]:
    """Processes of this machine that sleep for `mark` seconds."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
            state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if words[:2] == [b"sleep", mark.encode()] and state != "Z":
            found.append(folder.name)
    return found


# the door


def test_the_door(caller: Caller) -> None:
    script = (
        "use Socket; socket(S, AF_INET, SOCK_STREAM, 0);"
        f'connect(S, pack_sockaddr_in({DOOR_PORT}, inet_aton("127.0.0.1"))) or die $!;'
        'syswrite S, "ping"; sysread S, $x, 10; print $x'
    )
    spec = Spec(("/usr/bin/perl", "-e", script), door=True)

    def answer() -> tuple[bytes, bytes]:
        with caller.sandbox.start(spec) as box:
            visitor, _ = box.door.accept()
            with visitor:
                asked = visitor.recv(10)
                visitor.sendall(b"pong")
            return asked, box.wait().stdout

    assert caller.call(answer) == (b"ping", b"pong")


def test_two_doors_do_not_meet(caller: Caller) -> None:
    script = (
        "use Socket; socket(S, AF_INET, SOCK_STREAM, 0);"
        f'connect(S, pack_sockaddr_in({DOOR_PORT}, inet_aton("127.0.0.1"))) or die $!;'
        "sysread S, $x, 10; print $x"
    )
    spec = Spec(("/usr/bin/perl", "-e", script), door=True)

    def answer() -> list[bytes]:
        with caller.sandbox.start(spec) as first, caller.sandbox.start(spec) as second:
            for box, word in ((second, b"second"), (first, b"first")):
                visitor, _ = box.door.accept()
                with visitor:
                    visitor.sendall(word)
            return [first.wait().stdout, second.wait().stdout]

    assert caller.call(answer) == [b"first", b"second"]


def test_a_box_without_a_door_has_none(caller: Caller) -> None:
    def ask() -> None:
        with caller.sandbox.start(Spec(("/bin/true",))) as box:
            _ = box.door

    with pytest.raises(SandboxError, match="no door"):
        caller.call(ask)


# our own manners


def test_nothing_is_left_behind(caller: Caller) -> None:
    def count() -> tuple[int, int]:
        caller.sandbox.run(Spec(("/bin/true",), events=True, door=True))
        before = len(list(Path("/proc/self/fd").iterdir())), threading.active_count()
        for _ in range(3):
            caller.sandbox.run(Spec(("/bin/true",), events=True, door=True, stdin=b"x"))
            with contextlib.suppress(SandboxError):
                caller.sandbox.run(Spec(("/bin/true",), mounts=(Mount("/usr/x", "tmpfs"),)))
        after = len(list(Path("/proc/self/fd").iterdir())), threading.active_count()
        return after[0] - before[0], after[1] - before[1]

    assert caller.call(count) == (0, 0)


def test_what_bwrap_refuses_is_one_line(caller: Caller) -> None:
    with pytest.raises(SandboxError, match="couldn't be made") as caught:
        caller.run("/bin/true", mounts=(Mount("/usr/x", "tmpfs"),))

    assert "\n" not in str(caught.value)


def test_describe_says_what_holds(caller: Caller) -> None:
    text = caller.call(caller.sandbox.describe)

    assert "no network" in text
    assert sys.platform == "linux"
