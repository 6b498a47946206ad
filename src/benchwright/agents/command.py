"""`command:LINE`: any program of the user's as an agent.

The line runs with `/bin/sh -c` inside the sandbox, in the workspace `/app`, with the task's own
environment first on `PATH`. It finds the instruction on standard input and in
`$BENCHWRIGHT_INSTRUCTION`, documents in `/docs`. Exit code 0 is its submission.

A first word that names a file on this machine (`./my-agent.sh`, `~/bin/agent`, `/opt/agent`) is
read once, when the agent is made, and stands at `/agent/NAME` inside: all trials run the same
bytes, and a changed script is another agent. Programs below `/usr`, `/bin`, `/env` are the box's.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from benchwright.formats import AgentError, AgentInfo, StorageError, boundary, write_atomic
from benchwright.sandbox import Mount

from .box import work
from .protocol import AgentRun, Context

FIRST = re.compile(r"""'[^']+'|"[^"]+"|[^\s'"]+""")
"""The first word of a line, in quotes or not."""
OF_THE_BOX = ("/usr/", "/bin/", "/sbin/", "/lib", "/env/", "/python/", "/app/")


@dataclass(frozen=True, slots=True)
class Command:
    """A shell line as an agent."""

    line: str
    script: str = ""
    """Name of the user's script below `/agent`."""
    content: bytes = b""

    @classmethod
    def parse(cls, line: str) -> Command:
        """The agent of a command line.

        Raises:
            AgentError: the line is empty, or names a script that can't be read.
        """
        found = FIRST.match(line.strip())
        if not found:
            raise AgentError("command: says nothing to run", hint="such as command:./my-agent.sh")
        first, rest = found[0].strip("'\""), line.strip()[found.end() :].strip()
        if "/" not in first or first.startswith(OF_THE_BOX):
            return cls(line.strip())
        path = Path(first).expanduser()
        if not path.is_file():
            raise AgentError(
                f"{first}: no such script on this machine",
                hint=f"to run a file of the workspace: command:sh {first}",
            )
        with boundary(AgentError, f"{first}: can't be read"):
            content = path.read_bytes()
        return cls(f"/agent/{quote(path.name)} {rest}".strip(), path.name, content)

    @property
    def info(self) -> AgentInfo:
        """The line, and a digest of the script it runs."""
        digest = f"sha256:{hashlib.sha256(self.content).hexdigest()}" if self.script else ""
        return AgentInfo(spec=f"command:{self.line}", name="command", digest=digest)

    def run(self, context: Context) -> AgentRun:
        """Run the line.

        Raises:
            SandboxError: the box couldn't be made or held.
        """
        mounts: tuple[Mount, ...] = ()
        if self.script:
            copy = context.log / "script"
            with boundary(StorageError, "an agent's script can't be written"):
                write_atomic(copy, self.content, mode=0o755)
            mounts = (Mount(f"/agent/{self.script}", "ro", copy),)
        instruction = context.task.instruction.read_bytes()
        return work(context, ("/bin/sh", "-c", self.line), mounts=mounts, stdin=instruction)
