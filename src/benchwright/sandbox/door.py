"""The door: a listening socket inside a box's network namespace, held by us.

Contract: the socket is made by a process of its own with one thread (a user namespace can't be
entered from a process with more), which enters the namespaces, listens on the loopback port
and hands the descriptor back. Nothing is installed in the box.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys

from benchwright.formats import SandboxError, boundary

from .protocol import DOOR_PORT

HELPER = """
import ctypes, os, socket, sys
user, net, back, port = map(int, sys.argv[1:])
libc = ctypes.CDLL(None, use_errno=True)
for handle, kind in ((user, 0x10000000), (net, 0x40000000)):
    if handle >= 0 and libc.setns(handle, kind):
        sys.exit(os.strerror(ctypes.get_errno()))
door = socket.socket()
door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
door.bind(("127.0.0.1", port))
door.listen(128)
socket.send_fds(socket.socket(fileno=back), [b"x"], [door.fileno()])
"""


def make_door(pid: int, *, user: bool) -> socket.socket:
    """The listening socket in the namespaces of `pid` (its user namespace too, if it has one).

    Raises:
        SandboxError: the namespace can't be entered.
    """
    ours, theirs = socket.socketpair()
    handles: list[int] = []
    with ours, theirs, boundary(SandboxError, "the box's door couldn't be made"):
        try:
            net = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY | os.O_CLOEXEC)
            handles.append(net)
            own = -1
            if user:
                own = os.open(f"/proc/{pid}/ns/user", os.O_RDONLY | os.O_CLOEXEC)
                handles.append(own)
            done = subprocess.run(
                [sys.executable, "-I", "-S", "-c", HELPER]
                + [str(n) for n in (own, net, theirs.fileno(), DOOR_PORT)],
                pass_fds=[*handles, theirs.fileno()],
                capture_output=True,
                timeout=30,
                check=False,
            )
        finally:
            for handle in handles:
                os.close(handle)
        if done.returncode:
            reason = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
            raise SandboxError(f"the box's door couldn't be made: {' '.join(reason)}")
        _, descriptors, _, _ = socket.recv_fds(ours, 1, 1)
        return socket.socket(fileno=descriptors[0])
