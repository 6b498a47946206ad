"""The filter, asked from inside a box, call by call."""

import errno
import platform

import pytest

from benchwright.formats import SandboxError
from benchwright.sandbox import seccomp
from sandbox.caller import Caller

COLUMN = 0 if platform.machine() == "x86_64" else 1
NUMBERS = {name: pair[COLUMN] for name, pair in seccomp.CALLS.items() if pair[COLUMN] >= 0}
CLONE_FLAGS = (0x20000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000)


def asked(caller: Caller, *calls: tuple[int, ...]) -> list[int]:
    """The error number of each call, each made by a process of its own."""
    rows = ",".join(f"[{','.join(map(str, call))}]" for call in calls)
    script = (
        f"for $c ({rows}) {{ if (!($p = fork)) {{ $! = 0; "
        "($n, @a) = @$c; $r = syscall($n, @a); "
        'printf "%d\\n", $r == -1 ? $! : 0; exit } '
        'waitpid $p, 0; print "signal $?\\n" if $? & 127 }'
    )
    done = caller.run("/usr/bin/perl", "-e", f"$| = 1; {script}")
    assert (done.stderr, done.exit_code) == (b"", 0)
    return [int(line.split()[-1]) for line in done.stdout.split(b"\n") if line]


def test_every_refused_call_is_refused(caller: Caller) -> None:
    found = asked(caller, *[(number, 0, 0, 0, 0, 0, 0) for number in NUMBERS.values()])

    assert dict(zip(NUMBERS, found, strict=True)) == dict.fromkeys(NUMBERS, errno.EPERM)


def test_no_call_tells_or_changes_which_pages_are_in_memory(caller: Caller) -> None:
    absent = [numbers[COLUMN] for numbers in seccomp.ABSENT.values()]
    ignored = [numbers[COLUMN] for numbers in seccomp.IGNORED.values()]
    advice = [(seccomp.MADVISE[COLUMN], 0, 0, kind) for kind in (*seccomp.PAGING, 4)]

    found = asked(caller, *[(n, 999, 0, 0, 0, 0) for n in (*absent, *ignored)], *advice)

    assert found == [errno.ENOSYS] * len(absent) + [0] * len(ignored) + [errno.EINVAL] * 2 + [0]


def test_calls_that_are_needed_work(caller: Caller) -> None:
    done = caller.perl(
        'use Socket; print "u" if socketpair(A, B, AF_UNIX, SOCK_STREAM, 0);'
        'print "t" if socket(C, AF_INET, SOCK_STREAM, 0); print "f" if defined fork'
    )

    assert sorted(done.stdout.replace(b"f", b"")) == sorted(b"ut")


def test_no_clone_makes_a_namespace(caller: Caller) -> None:
    found = asked(caller, *[(seccomp.CLONE[COLUMN], flag | 17, 0, 0, 0, 0) for flag in CLONE_FLAGS])

    assert found == [errno.EPERM] * len(CLONE_FLAGS)


def test_what_cannot_be_inspected_or_is_too_new_is_absent(caller: Caller) -> None:
    calls = [(seccomp.CLONE3[COLUMN], 0, 0), (seccomp.LAST + 1, 0), (511, 0), (10_000, 0)]

    assert asked(caller, *calls) == [errno.ENOSYS] * len(calls)


def test_calls_of_another_architecture_end_the_process(caller: Caller) -> None:
    killed, absent = 31, errno.ENOSYS  # x32 is a way in on x86_64 only

    assert asked(caller, (0x40000000 + 39,)) == [killed if COLUMN == 0 else absent]


def test_only_local_and_internet_sockets(caller: Caller) -> None:
    families = [f for f in range(1, 46) if f not in seccomp.FAMILIES]

    found = asked(caller, *[(seccomp.SOCKET[COLUMN], family, 2, 0) for family in families])

    assert found == [errno.EAFNOSUPPORT] * len(families)


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_a_program_is_well_formed(machine: str) -> None:
    program = seccomp.program(machine)
    steps = [program[i : i + 8] for i in range(0, len(program), 8)]

    assert len(program) == 8 * len(steps) <= 8 * 4096
    for place, step in enumerate(steps):
        if step[0] & 7 == 5:  # a jump lands inside the program
            assert place + 1 + max(step[2], step[3]) < len(steps)
    assert steps[-1] == seccomp._step(seccomp.RETURN, seccomp.ALLOW)


def test_an_unknown_machine_is_refused() -> None:
    with pytest.raises(SandboxError, match="riscv64"):
        seccomp.program("riscv64")
