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
import ctypes, fcntl, os, socket, sys
net, back, port = map(int, sys.argv[1:])
libc = ctypes.CDLL(None, use_errno=True)

def enter(handle, kind):
    if libc.setns(handle, kind):
        sys.exit(os.strerror(ctypes.get_errno()))

owner = fcntl.ioctl(net, 0xB701)  # NS_GET_USERNS: the user namespace that the network belongs to
if os.fstat(owner).st_ino != os.stat("/proc/self/ns/user").st_ino:
    enter(owner, 0x10000000)
enter(net, 0x40000000)
door = socket.socket()
door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
door.bind(("127.0.0.1", port))
door.listen(128)
socket.send_fds(socket.socket(fileno=back), [b"x"], [door.fileno()])
"""


def make_door(pid: int) -> socket.socket:
    """The listening socket in the network namespace of `pid`.

    Raises:
        SandboxError: the namespace can't be entered.
    """
    ours, theirs = socket.socketpair()
    with ours, theirs, boundary(SandboxError, "the box's door couldn't be made"):
        net = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY | os.O_CLOEXEC)
        try:
            done = subprocess.run(
                [sys.executable, "-I", "-S", "-c", HELPER]
                + [str(n) for n in (net, theirs.fileno(), DOOR_PORT)],
                pass_fds=(net, theirs.fileno()),
                capture_output=True,
                check=False,
            )
        finally:
            os.close(net)
        if done.returncode:
            reason = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
            raise SandboxError(f"the box's door couldn't be made: {' '.join(reason)}")
        _, descriptors, _, _ = socket.recv_fds(ours, 1, 1)
        return socket.socket(fileno=descriptors[0])
