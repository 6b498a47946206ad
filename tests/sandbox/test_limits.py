"""The limits of a box."""

from benchwright.sandbox import Caps, Spec
from sandbox.caller import SMALL, Caller, text


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
