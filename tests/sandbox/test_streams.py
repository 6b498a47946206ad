"""What goes into a box and comes out of it."""

import os
import time

from benchwright.sandbox import EVENTS, Caps, Spec
from sandbox.caller import Caller


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
