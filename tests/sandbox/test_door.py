"""The door of a box."""

import pytest

from benchwright.formats import SandboxError
from benchwright.sandbox import DOOR_PORT, Spec
from sandbox.caller import Caller

CONNECT = (
    "use Socket; socket(S, AF_INET, SOCK_STREAM, 0);"
    f'connect(S, pack_sockaddr_in({DOOR_PORT}, inet_aton("127.0.0.1"))) or die $!;'
)


def visiting(script: str) -> Spec:
    """A box that knocks at its door."""
    return Spec(("/usr/bin/perl", "-e", CONNECT + script), door=True)


def test_the_door(caller: Caller) -> None:
    spec = visiting('syswrite S, "ping"; sysread S, $x, 10; print $x')

    def answer() -> tuple[bytes, bytes]:
        with caller.sandbox.start(spec) as box:
            visitor, _ = box.door.accept()
            with visitor:
                asked = visitor.recv(10)
                visitor.sendall(b"pong")
            return asked, box.wait().stdout

    assert caller.call(answer) == (b"ping", b"pong")


def test_two_doors_do_not_meet(caller: Caller) -> None:
    spec = visiting("sysread S, $x, 10; print $x")

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
