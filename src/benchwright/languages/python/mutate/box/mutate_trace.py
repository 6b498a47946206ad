"""Which lines of the product run, and whether other processes are started, between two moments.

`sys.monitoring` where there is one (each line is told once and costs nothing afterwards), else a
trace function. Python 3.6 must be able to run it.
"""

import sys
import threading
from typing import Any


class Tracer:
    """Collects executed lines of some files; `take` returns them and starts anew."""

    def __init__(self, files: "dict[str, str]") -> None:
        self.lines = {path: set() for path in files}  # type: dict[str, set[int]]
        self.names = files
        self.local = {path: self._local(found.add) for path, found in self.lines.items()}
        self.started = 0
        self.monitoring = getattr(sys, "monitoring", None)  # type: Any
        self._watch_processes()

    def start(self) -> None:
        """Begin."""
        if self.monitoring is None:
            threading.settrace(self._call)
            sys.settrace(self._call)
            return
        tool = self.monitoring.COVERAGE_ID
        self.monitoring.use_tool_id(tool, "benchwright")
        self.monitoring.register_callback(tool, self.monitoring.events.LINE, self._line)
        self.monitoring.set_events(tool, self.monitoring.events.LINE)

    def stop(self) -> None:
        """End."""
        if self.monitoring is None:
            sys.settrace(None)
            threading.settrace(None)
            return
        self.monitoring.set_events(self.monitoring.COVERAGE_ID, 0)
        self.monitoring.free_tool_id(self.monitoring.COVERAGE_ID)

    def take(self) -> "tuple[dict[str, list[int]], bool]":
        """Lines by file since the last time, and whether a process was started."""
        found = {self.names[path]: sorted(lines) for path, lines in self.lines.items() if lines}
        for lines in self.lines.values():
            lines.clear()
        started, self.started = self.started, 0
        if self.monitoring is not None:
            self.monitoring.restart_events()
        return found, bool(started)

    @staticmethod
    def _local(add: "Any") -> "Any":
        def local(frame: "Any", event: str, arg: "Any") -> "Any":
            if event == "line":
                add(frame.f_lineno)
            return local

        return local

    def _call(self, frame: "Any", event: str, arg: "Any") -> "Any":
        return self.local.get(frame.f_code.co_filename)

    def _line(self, code: "Any", line: int) -> "Any":
        found = self.lines.get(code.co_filename)
        if found is not None:
            found.add(line)
        return self.monitoring.DISABLE

    def _watch_processes(self) -> None:
        if hasattr(sys, "addaudithook"):
            sys.addaudithook(self._audit)
            return
        import os
        import subprocess

        self._wrap(subprocess.Popen, "__init__")
        self._wrap(os, "fork")

    def _audit(self, event: str, arguments: "Any") -> None:
        if event in ("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec"):
            self.started += 1

    def _wrap(self, owner: "Any", name: str) -> None:
        plain = getattr(owner, name)

        def wrapper(*arguments: "Any", **keywords: "Any") -> "Any":
            self.started += 1
            return plain(*arguments, **keywords)

        setattr(owner, name, wrapper)
