"""Runs inside a sandbox, as an agent would, and tries every way out that it knows.

Standard input: `{"loopback": PORT, "abstract": NAME, "key": TEXT, "token": TEXT, "paths": [...]}`
of things that do exist outside (`root`: where to look for keys, by default everywhere).
Standard output: a JSON list of `{way, closed, saw}`.
Addresses are those reserved for documentation: nothing would answer there even if a way were open,
but a packet that leaves gives another error than a network that isn't there.
"""

import contextlib
import ctypes
import json
import os
import socket
import struct
import sys
import urllib.error
import urllib.request
from pathlib import Path

TOLD = json.load(sys.stdin)
LIBC = ctypes.CDLL(None, use_errno=True)
NOWHERE = {
    "Network is unreachable",
    "Connection refused",
    "Operation not permitted",
    "Permission denied",
    "Address family not supported by protocol",
    "Protocol not supported",
    "No such file or directory",
    "No such device",
    "Function not implemented",
    "Read-only file system",
    "No such process",
}
FOUND = []


def way(name):
    """Try one way: closed if it raises an error of a closed door; what else it says is `saw`."""

    def run(function):
        try:
            saw = function()
            closed = not saw
        except (OSError, ValueError) as error:
            saw = getattr(error, "strerror", None) or str(error)
            closed = isinstance(error, socket.gaierror) or saw in NOWHERE
        FOUND.append({"way": name, "closed": closed, "saw": str(saw or "nothing")[:200]})

    return run


def reach(family, kind, address, protocol=0):
    with socket.socket(family, kind, protocol) as sock:
        sock.settimeout(2)
        if kind == socket.SOCK_STREAM:
            sock.connect(address)
        else:
            sock.sendto(b"\x08\0\xf7\xff\0\0\0\0", address)
        return f"reached {address}"


def called(number, text):
    """The result of a libc call; -1 is an OSError."""
    if number == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return text


def readable(paths, needles):
    """Which of the needles stand in which of the files."""
    for path in paths:
        try:
            data = Path(path).read_bytes()
        except OSError:
            continue
        for needle in needles:
            if needle.encode() in data:
                yield f"{needle[:6]}… in {path}"


INET, INET6, UNIX = socket.AF_INET, socket.AF_INET6, socket.AF_UNIX
TCP, UDP, RAW = socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW

way("DNS: resolve a name")(lambda: socket.getaddrinfo("example.com", 80))
way("DNS: a packet to a name server")(lambda: reach(INET, UDP, ("192.0.2.53", 53)))
way("IPv4: TCP")(lambda: reach(INET, TCP, ("192.0.2.1", 80)))
way("IPv4: UDP")(lambda: reach(INET, UDP, ("192.0.2.1", 9)))
way("IPv4: broadcast")(lambda: reach(INET, UDP, ("255.255.255.255", 9)))
way("IPv4: cloud metadata")(lambda: reach(INET, TCP, ("169.254.169.254", 80)))
way("IPv6: TCP")(lambda: reach(INET6, TCP, ("2001:db8::1", 80)))
way("IPv6: UDP")(lambda: reach(INET6, UDP, ("2001:db8::1", 9)))
way("IPv6: link-local multicast")(lambda: reach(INET6, UDP, ("ff02::1", 9)))
way("ICMP: raw socket")(lambda: reach(INET, RAW, ("192.0.2.1", 0), socket.IPPROTO_ICMP))
way("ICMP: ping socket")(lambda: reach(INET, UDP, ("192.0.2.1", 0), socket.IPPROTO_ICMP))
way("ICMP: to the host's loopback")(lambda: reach(INET, RAW, ("127.0.0.1", 0), socket.IPPROTO_ICMP))
way("packet socket")(lambda: socket.socket(socket.AF_PACKET, RAW, 3).close() or "made")
way("vsock: the host")(lambda: reach(40, TCP, (2, 1024)))
way("host loopback, IPv4")(lambda: reach(INET, TCP, ("127.0.0.1", TOLD["loopback"])))
way("host loopback, IPv6")(lambda: reach(INET6, TCP, ("::1", TOLD["loopback"])))
way("host loopback, any address")(lambda: reach(INET, TCP, ("0.0.0.0", TOLD["loopback"])))
way("abstract socket of the host")(lambda: reach(UNIX, TCP, "\0" + TOLD["abstract"]))
for path in (
    "/var/run/docker.sock",
    "/run/docker.sock",
    "/run/containerd/containerd.sock",
    "/run/podman/podman.sock",
    "/run/dbus/system_bus_socket",
    "/run/systemd/private",
):
    way(f"socket {path}")(lambda path=path: reach(UNIX, TCP, path))


@way("network interfaces besides lo")
def _():
    return [name for _, name in socket.if_nameindex() if name != "lo"]


@way("routes")
def _():
    routes = Path("/proc/net/route").read_text().splitlines()[1:]
    return [line for line in routes if not line.startswith("lo")]


@way("listening ports besides the own door")
def _():
    found = set()
    for name in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]:
            local, state = line.split()[1], line.split()[3]
            if state == "0A" and int(local.split(":")[1], 16) != 8321:
                found.add(local)
    return found


@way("another trial's token at the own door")
def _():
    request = urllib.request.Request(
        "http://127.0.0.1:8321/v1/chat/completions",
        b"{}",
        {"authorization": f"Bearer {TOLD['token']}"},
    )
    try:
        return urllib.request.urlopen(request, timeout=5).status
    except urllib.error.HTTPError as error:
        return "" if error.code == 401 else error.code


@way("other doors on the loopback network")
def _():
    found = []
    for last in range(2, 30):
        try:
            found.append(reach(INET, TCP, (f"127.0.0.{last}", 8321)))
        except OSError:
            continue
    return found


PIDS = [name for name in os.listdir("/proc") if name.isdigit()]


@way("/proc: processes of others")
def _():
    mine = os.getuid()
    return [p for p in PIDS if int(p) > 1 and os.stat(f"/proc/{p}").st_uid != mine]


@way("keys: environment, command lines, memory maps of every process")
def _():
    files = [f"/proc/{p}/{f}" for p in PIDS for f in ("environ", "cmdline", "maps", "mountinfo")]
    return list(readable(files, [TOLD["key"]]))


@way("keys: every readable small file outside /usr and /proc")
def _():
    seen = []
    for folder, folders, names in os.walk(TOLD.get("root", "/")):
        folders[:] = [
            f
            for f in folders
            if os.path.join(folder, f) not in ("/usr", "/proc", "/env", "/python", "/dev", "/agent")
        ]
        paths = [os.path.join(folder, n) for n in names]
        small = [p for p in paths if os.path.isfile(p) and os.path.getsize(p) < 1 << 20]
        seen += readable(small, [TOLD["key"]])
    return seen


@way("keys: variables")
def _():
    return [k for k, v in os.environ.items() if TOLD["key"] in v]


for path in TOLD["paths"]:
    way("file of the host")(lambda path=path: os.path.exists(path) and path)
for path in (
    "/proc/1/root/etc/shadow",
    "/proc/kcore",
    "/etc/shadow",
    "/dev/mem",
    "/dev/sda",
    "/dev/kmsg",
):
    way(f"read {path}")(lambda path=path: len(Path(path).read_bytes()[:10]))
for path in (
    "/proc/sysrq-trigger",
    "/proc/sys/kernel/core_pattern",
    "/proc/sys/kernel/hostname",
    "/proc/1/mem",
    "/door/submit",
    "/etc/passwd",
    "/usr/bin/sh",
):
    way(f"write {path}")(lambda path=path: os.close(os.open(path, os.O_WRONLY)) or "opened")

NEW = {"user": 0x10000000, "net": 0x40000000, "mount": 0x20000, "pid": 0x20000000}
for name, flag in NEW.items():
    way(f"new {name} namespace")(lambda flag=flag: called(LIBC.unshare(flag), "made"))


@way("enter the first process's network namespace")
def _():
    handle = os.open("/proc/1/ns/net", os.O_RDONLY)
    return called(LIBC.setns(handle, 0), "entered")


way("mount")(lambda: called(LIBC.mount(b"none", b"/tmp", b"tmpfs", 0, None), "mounted"))
way("trace the first process")(lambda: called(LIBC.ptrace(16, 1, 0, 0), "traced"))


@way("become root")
def _():
    with contextlib.suppress(OSError):  # refused, or no such user in here: who we are decides
        os.setuid(0)
    return 0 in (os.getuid(), os.geteuid()) and "root"


way("kernel keyring")(lambda: called(LIBC.syscall(250, 0, -3, 0), "joined"))
way("bpf")(lambda: called(LIBC.syscall(321, 0, ctypes.create_string_buffer(64), 64), "loaded"))
way("io_uring")(lambda: called(LIBC.syscall(425, 8, ctypes.create_string_buffer(120)), "made"))
way("setuid programs")(
    lambda: [p.name for p in Path("/usr/bin").iterdir() if p.is_file() and p.stat().st_mode & 0o4000
             and not os.statvfs(p).f_flag & os.ST_NOSUID])  # fmt: skip
way("new privileges")(lambda: LIBC.prctl(39, 0, 0, 0, 0) != 1 and "allowed")


@way("netlink: make an interface")
def _():
    with socket.socket(socket.AF_NETLINK, RAW, 0) as sock:
        head = struct.pack("=IHHII", 32, 16, 0x605, 1, 0) + struct.pack("=BxHiII", 0, 0, 0, 1, 1)
        sock.sendto(head, (0, 0))
        error = -struct.unpack_from("=i", sock.recv(4096), 16)[0]
        if error:
            raise OSError(error, os.strerror(error))
        return "made"


print(json.dumps(FOUND))
