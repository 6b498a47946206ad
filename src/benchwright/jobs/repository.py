"""The repository in which an agent finds what it starts from: one commit, and nothing before it.

It is made of the starting files alone, in a box, so there is no future commit, tag, remote or
packed object that could hold the answer.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from benchwright.formats import SandboxError, printable
from benchwright.sandbox import Caps, Mount, Sandbox, Spec

DATE = "2020-01-01T00:00:00Z"
COMMANDS = """\
git init -q .
git config user.name agent
git config user.email agent@localhost
git add --force --all .
git -c core.hooksPath=/dev/null -c gc.auto=0 commit -q --no-verify -m start
"""
CAPS = Caps(wall_seconds=300.0)


def repository(workspace: Path, sandbox: Sandbox) -> None:
    """Make a workspace a repository of one commit; an empty one stays empty.

    A machine without git gives none to its agents either: nothing is made then.

    Args:
        workspace: files that are the box's user's.
        sandbox: where git runs.

    Raises:
        SandboxError: git failed.
    """
    if shutil.which("git") is None or not any(workspace.iterdir()):
        return
    spec = Spec(
        command=("/bin/sh", "-e", "-c", COMMANDS),
        mounts=(Mount("/app", "rw", workspace),),
        env={
            "GIT_CONFIG_GLOBAL": "/dev/null",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_DATE": DATE,
            "GIT_COMMITTER_DATE": DATE,
        },
        cwd="/app",
        caps=CAPS,
    )
    done = sandbox.run(spec)
    if done.exit_code != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines() or [done.end]
        raise SandboxError(f"the starting repository can't be made: {printable(said[-1], 300)}")
