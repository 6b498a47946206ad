"""A coding agent's own program as an agent: all that is particular to one is an `Adapter`.

The program comes from a read-only layer, gets the prompt on standard input, and prints JSON lines,
which become the trajectory. It finds its model behind the door. A trial of it is submitted by the
command `submit`; a program that merely ends has not submitted.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from benchwright.formats import (
    AgentError,
    AgentInfo,
    StorageError,
    boundary,
    printable,
    write_atomic,
)
from benchwright.formats.redact import Redactor
from benchwright.sandbox import Mount

from . import atif, layers
from .atif import Json, Seen
from .box import work
from .protocol import AgentRun, Context

HOME = "/home/agent"
URL = "http://127.0.0.1:8321"
"""Where a box's door answers."""
OUTPUT = 64 << 20
"""Bytes kept of what the program prints."""


@dataclass(frozen=True, slots=True)
class Adapter:
    """Everything that is particular to one program."""

    name: str
    version: str
    """The one that is taken where none is named: tried with this adapter."""
    provider: str
    """Whose models it asks for: `anthropic` or `openai`."""
    source: layers.Source
    command: str
    """Words as a shell would split them; no shell runs. Here and in `env`, `{model}` and
    `{machine}` stand for the model and the processor."""
    env: Mapping[str, str]
    """Besides the address and the token of its model, which every box has."""
    steps: Callable[[Iterable[Json]], Iterator[Seen]]
    """What in its output is a step."""
    problem: Callable[[Iterable[Json]], str]
    """What it says went wrong with itself; "" for nothing."""

    def words(self, model: str) -> tuple[str, ...]:
        """The command of one run."""
        return tuple(_filled(word, model) for word in shlex.split(self.command))

    def variables(self, model: str) -> dict[str, str]:
        """The environment of one run."""
        return {name: _filled(text, model) for name, text in self.env.items()}

    def __call__(self, rest: str) -> Program:
        """The agent of a spec: `@VERSION:MODEL`, where the version may be left out.

        Raises:
            AgentError: there is no model in it.
        """
        version, _, model = rest.removeprefix("@").partition(":")
        if rest.startswith(":"):
            version, model = "", rest[1:]
        if not model:
            raise AgentError(
                f"{self.name}: which model?", hint=f"such as {self.name}@{self.version}:MODEL"
            )
        return Program(self, version or self.version, model)


@dataclass(frozen=True, slots=True)
class Program:
    """A version of a program with a model."""

    adapter: Adapter
    version: str
    model: str

    @property
    def info(self) -> AgentInfo:
        """Program, version, model, and the digest of its layer.

        Raises:
            AgentError: it isn't installed.
        """
        name = self.adapter.name
        layer, _ = layers.find(name, self.version)
        spec = f"{name}@{self.version}:{self.model}"
        return AgentInfo(
            spec=spec, name=name, version=self.version, model=self.model, digest=layer.digest
        )

    def run(self, context: Context) -> AgentRun:
        """Work until the program ends, submits, or a limit ends it.

        Raises:
            AgentError: it isn't installed.
            SandboxError: the box couldn't be made or held.
            StorageError: what it left can't be kept.
        """
        adapter, service = self.adapter, context.service
        if service is None:
            raise AgentError(f"{adapter.name}: there is no gateway for its model")
        _, layer = layers.find(adapter.name, self.version)
        given = prompt(context)
        run = work(
            context,
            adapter.words(self.model),
            mounts=(Mount(layers.HOME, "ro", layer), Mount(HOME, "tmpfs", size=512 << 20)),
            env={"HOME": HOME, **adapter.variables(self.model)},
            stdin=given.encode(),
            output=OUTPUT,
        )
        with boundary(StorageError, "what an agent left can't be kept"):
            given = Redactor.of().text(given)
            write_atomic(context.log / "prompt.md", given.encode())
            said = (context.log / "stdout.txt").read_bytes()
            steps = adapter.steps(atif.lines(said))
            document = atif.trajectory(self.info, given, steps, service.usage)
            document.write(context.log / "trajectory.json")
        return judged(run, adapter.problem(atif.lines(said)), ended=service.ended is not None)


def _filled(text: str, model: str) -> str:
    return text.replace("{model}", model).replace("{machine}", layers.machine())


def judged(run: AgentRun, problem: str, *, ended: bool) -> AgentRun:
    """How the work ended, with what the program says of itself.

    A program that ends well hasn't submitted by that; one whose last call failed, but ended well
    all the same, got over it.
    """
    message = printable(problem, 500) or run.message
    if run.end == "submitted" and not ended:
        return replace(run, end="failed" if problem else "exited", message=message)
    if run.end == "provider" and run.exit_code == 0 and not problem:
        return replace(run, end="exited")
    return replace(run, message="" if run.end == "submitted" else message)


def prompt(context: Context) -> str:
    """The instruction, and what the agent must know of the place it works in."""
    text = context.task.instruction.read_text(encoding="utf-8", errors="replace")
    check = context.task.settings.check
    lines = [
        "",
        "---",
        "You work in `/app`, offline, with nobody to ask. When everything is done, run the command",
        "`submit` in a shell: it ends the work, and what stands in `/app` then is judged.",
        "Work that isn't submitted may not count.",
    ]
    if check.allow and check.limit:
        kinds = ", ".join(f"`check {kind}`" for kind in check.allow)
        lines.append(f"Before that you may check your work up to {check.limit} times: {kinds}.")
    return text.rstrip() + "\n" + "\n".join(lines) + "\n"
