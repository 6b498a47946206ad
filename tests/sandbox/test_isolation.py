"""There is no way out of a box, and its end is the end of everything inside."""

import contextlib
import os
import signal
import socket
import time
from pathlib import Path

from benchwright.sandbox import Caps, Spec
from sandbox.caller import Caller, text


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
