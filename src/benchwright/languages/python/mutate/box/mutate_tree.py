"""Keeps the tree and the scratch folder of a box as they were, whatever tests leave behind."""

import os
import shutil
import signal


class Tree:
    """A tree as it was at the start."""

    def __init__(self, root: str, scratch: "tuple[str, ...]" = ("/tmp",)) -> None:  # noqa: S108
        self.root = root
        self.scratch = {folder: frozenset(entries(folder)) for folder in scratch}
        self.known = self.look()
        self.content = {path: read(path) for path in self.known}

    def look(self) -> "dict[str, tuple[int, int]]":
        """Time and size of every file."""
        found = {}
        for folder, _, names in os.walk(self.root):
            for name in names:
                path = os.path.join(folder, name)
                try:
                    stat = os.lstat(path)
                except OSError:
                    continue
                found[path] = (stat.st_mtime_ns, stat.st_size)
        return found

    def put(self, path: str, content: bytes) -> None:
        """Write a file of the tree; `restore` brings the old one back."""
        try:
            with open(path, "wb") as file:
                file.write(content)
        except OSError:
            pass  # a read-only tree: then only what is switched in memory changes

    def restore(self) -> None:
        """Bring back what was there, remove what wasn't."""
        now = self.look()
        for path in now.keys() - self.known.keys():
            remove(path)
        for path, was in self.known.items():
            if now.get(path) != was and self.content[path] is not None:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                self.put(path, self.content[path] or b"")
                os.utime(path, ns=(was[0], was[0]))
        for folder, before in self.scratch.items():
            for name in entries(folder):
                if name not in before:
                    remove(os.path.join(folder, name))


def entries(folder: str) -> "list[str]":
    """Names in a folder, none if there is no such folder."""
    try:
        return os.listdir(folder)
    except OSError:
        return []


def read(path: str) -> "bytes | None":
    """A file's bytes; None for what isn't a file of ordinary size."""
    try:
        if os.path.islink(path) or os.path.getsize(path) > 8 << 20:
            return None
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None


def remove(path: str) -> None:
    """Remove a file or a folder with all that is in it."""
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path, ignore_errors=True)
        return
    try:
        os.unlink(path)
    except OSError:
        pass


def processes() -> "set[int]":
    """All processes that can be seen."""
    return {int(name) for name in os.listdir("/proc") if name.isdigit()}


def busy(keep: "set[int]") -> bool:
    """Whether a thread of a process that isn't in `keep` runs, wants to, or waits for a disk."""
    for pid in processes() - keep:
        try:
            for thread in os.listdir("/proc/%d/task" % pid):
                with open("/proc/%d/task/%s/stat" % (pid, thread), "rb") as file:
                    if file.read().rpartition(b")")[2].split()[0] in b"RD":
                        return True
        except OSError:
            continue
    return False


def kill_strangers(keep: "set[int]") -> None:
    """End every process that isn't in `keep`: what a mutant forked off doesn't outlive it."""
    for _ in range(20):
        strangers = processes() - keep
        for pid in strangers:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
            try:
                os.waitpid(pid, os.WNOHANG)
            except OSError:
                pass
        if not strangers:
            return
