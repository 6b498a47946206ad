"""The agent that knows the answer: what a task must always reward."""

from __future__ import annotations

from dataclasses import dataclass

from benchwright.formats import AgentInfo, TaskError
from benchwright.sandbox import Mount

from .box import APP, work
from .protocol import AgentRun, Context

COPY = ("/bin/cp", "-R", "--no-dereference", "--remove-destination", "/solution/.", APP)
REPLACE = ("/bin/sh", "-c", f'find {APP} -mindepth 1 -delete && exec "$@"', "sh", *COPY)
"""Where everything is the product, a reference may also remove files."""


@dataclass(frozen=True, slots=True)
class Oracle:
    """Copies the reference into the workspace, in a box like any other agent's program."""

    @property
    def info(self) -> AgentInfo:
        """The reference belongs to the task, so there is nothing else to say."""
        return AgentInfo(spec="oracle", name="oracle")

    def run(self, context: Context) -> AgentRun:
        """Copy the reference.

        Raises:
            TaskError: the task has no reference.
        """
        solution = context.task.solution
        if not solution.is_dir():
            raise TaskError(f"{solution}: missing: the oracle has nothing to copy")
        everything = "." in context.task.settings.product.paths
        command = REPLACE if everything else COPY
        return work(context, command, mounts=(Mount("/solution", "ro", solution),))
