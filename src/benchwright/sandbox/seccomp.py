"""The system-call filter of a box, assembled here: no system library is needed.

Contract: `program()` is a BPF program for `bwrap --seccomp`. Foreign architectures (32-bit and x32
calls included) end the process. Calls that reach past the box, that widen the kernel's surface
or that show what other boxes do are refused; calls newer than this table don't exist, so a new
kernel opens no hole that nobody looked at.
"""

from __future__ import annotations

import errno
import platform
import struct
from functools import cache

from benchwright.formats import SandboxError

# Name -> number on x86_64, number on aarch64 (-1: the call doesn't exist there).
CALLS: dict[str, tuple[int, int]] = {
    # other processes
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "process_madvise": (440, 440), "kcmp": (312, 272), "pidfd_getfd": (438, 438),
    # mounts and namespaces
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "mount_setattr": (442, 442), "open_tree": (428, 428), "move_mount": (429, 429),
    "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433),
    "statmount": (457, 457), "listmount": (458, 458), "unshare": (272, 97), "setns": (308, 268),
    "open_by_handle_at": (304, 265), "name_to_handle_at": (303, 264),
    # keys, tracing, rings, other wide surfaces of the kernel
    "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218), "bpf": (321, 280),
    "perf_event_open": (298, 241), "userfaultfd": (323, 282), "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "fanotify_init": (300, 262),
    "modify_ldt": (154, -1), "iopl": (172, -1), "ioperm": (173, -1), "uselib": (134, -1),
    # the machine
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "reboot": (169, 142),
    "swapon": (167, 224), "swapoff": (168, 225), "init_module": (175, 105),
    "finit_module": (313, 273), "delete_module": (176, 106), "acct": (163, 89),
    "quotactl": (179, 60), "quotactl_fd": (443, 443), "settimeofday": (164, 170),
    "clock_settime": (227, 112), "clock_adjtime": (305, 266), "adjtimex": (159, 171),
    "sethostname": (170, 161), "setdomainname": (171, 162), "vhangup": (153, 58),
    # what others on the machine do: kernel log, load and memory, page cache, page placement
    "syslog": (103, 116), "sysinfo": (99, 179), "cachestat": (451, 451), "sysfs": (139, -1),
    "ustat": (136, -1), "lookup_dcookie": (212, 18), "move_pages": (279, 239),
    "migrate_pages": (256, 238),
}  # fmt: skip
ABSENT: dict[str, tuple[int, int]] = {
    "preadv2": (327, 286), "mincore": (27, 232), "io_setup": (206, 0),
}  # fmt: skip
"""Calls that tell whether a page is in memory. Boxes share the pages of what is mounted read-only,
so what one box evicts or loads, a later one could read like a message; libc has other ways."""
IGNORED: dict[str, tuple[int, int]] = {"fadvise64": (221, 223), "readahead": (187, 213)}
"""Advice on those pages: it succeeds and does nothing."""
MADVISE = (28, 233)
PAGING = (20, 21)
"""MADV_COLD and MADV_PAGEOUT."""
CLONE, CLONE3, SOCKET, SOCKETPAIR = (56, 220), (435, 435), (41, 198), (53, 199)
LAST = 466
"""The newest call that was looked at; whatever comes after it doesn't exist in a box."""
FAMILIES = (1, 2, 10)
"""AF_UNIX, AF_INET, AF_INET6. Not AF_NETLINK, and not AF_VSOCK, which no namespace bounds."""
NAMESPACES = 0x7E020080
"""Every CLONE_NEW* flag that clone(2) takes (0x80 is CLONE_NEWTIME, and part of CSIGNAL there)."""

AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
NR, ARCH, ARG0, ARG2 = 0, 4, 16, 32
LOAD, EQUAL, GREATER, TEST, RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000


def _step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("=HBBI", code, yes, no, value)


def _refuse(number: int, error: int) -> bytes:
    """If the loaded call is `number`, refuse it."""
    return _step(EQUAL, number, 0, 1) + _step(RETURN, ERRNO | error)


def _families(number: int) -> bytes:
    """If the loaded call is `number`, allow only FAMILIES as its first argument."""
    tests = b"".join(_step(EQUAL, family, len(FAMILIES) - i) for i, family in enumerate(FAMILIES))
    body = _step(LOAD, ARG0) + tests + _step(RETURN, ERRNO | errno.EAFNOSUPPORT)
    return _step(EQUAL, number, 0, len(body) // 8 + 1) + body + _step(RETURN, ALLOW)


def _clone(number: int) -> bytes:
    """If the loaded call is `number`, refuse new namespaces."""
    body = _step(LOAD, ARG0) + _step(TEST, NAMESPACES & ~0xFF, 0, 1)
    body += _step(RETURN, ERRNO | errno.EPERM) + _step(RETURN, ALLOW)
    return _step(EQUAL, number, 0, len(body) // 8) + body


def _advice(number: int) -> bytes:
    """If the loaded call is `number`, refuse to move pages out of memory."""
    tests = b"".join(_step(EQUAL, kind, len(PAGING) - i) for i, kind in enumerate(PAGING))
    body = _step(LOAD, ARG2) + tests + _step(RETURN, ALLOW) + _step(RETURN, ERRNO | errno.EINVAL)
    return _step(EQUAL, number, 0, len(body) // 8) + body


@cache
def program(machine: str | None = None) -> bytes:
    """The filter for `machine` (default: this one).

    Raises:
        SandboxError: there is no table for that machine.
    """
    machine = machine or platform.machine()
    if machine not in AUDIT:
        raise SandboxError(
            f"{machine}: no system-call filter for this processor",
            hint="use x86_64 or aarch64, or the docker sandbox",
        )
    column = 0 if machine == "x86_64" else 1
    head = _step(LOAD, ARCH) + _step(EQUAL, AUDIT[machine], 1) + _step(RETURN, KILL)
    head += _step(LOAD, NR)
    if machine == "x86_64":
        head += _step(0x35, 0x40000000, 0, 1) + _step(RETURN, KILL)  # x32
    head += _step(GREATER, LAST, 0, 1) + _step(RETURN, ERRNO | errno.ENOSYS)
    head += _refuse(CLONE3[column], errno.ENOSYS)  # its flags can't be seen: libc uses clone
    plain = b"".join(
        _refuse(numbers[column], errno.EPERM) for numbers in CALLS.values() if numbers[column] >= 0
    )
    for table, answer in ((ABSENT, errno.ENOSYS), (IGNORED, 0)):
        plain += b"".join(_refuse(numbers[column], answer) for numbers in table.values())
    plain += _advice(MADVISE[column])
    special = _clone(CLONE[column]) + _families(SOCKET[column]) + _families(SOCKETPAIR[column])
    return head + plain + special + _step(RETURN, ALLOW)
