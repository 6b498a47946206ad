"""The box that an agent's program runs in: what it sees, and how its end is read.

Inside: the workspace at `/app` (writable, also the working directory), the environment at `/env`,
public documents at `/docs`, the instruction at `/instruction.md`. No network; one loopback port
where a `Service` answers, if there is one.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from benchwright.formats import AgentEnd, StorageError, boundary, printable, write_atomic
from benchwright.formats.redact import Redactor
from benchwright.sandbox import Caps, Completed, Mount, Spec

from .protocol import AgentRun, Context
from .quota import Quota

APP = "/app"
INSTRUCTION = "/instruction.md"
OUTPUT = 4 << 20
"""Bytes kept of what the program prints."""


def work(
    context: Context,
    command: tuple[str, ...],
    *,
    mounts: tuple[Mount, ...] = (),
    env: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    output: int = OUTPUT,
) -> AgentRun:
    """Run a program on the workspace; exit code 0 is its submission.

    Raises:
        SandboxError: the box couldn't be made or held.
        StorageError: its output couldn't be kept.
    """
    service = context.service
    spec = Spec(
        command=command,
        mounts=(*_mounts(context), *mounts),
        env=_env(context, env or {}),
        cwd=APP,
        caps=_caps(context, output),
        stdin=stdin,
        door=service is not None,
    )
    quota = Quota(context.workspace, context.limits.disk)
    with context.sandbox.start(spec) as box, quota.held(box):
        if service is None:
            completed = box.wait()
        else:
            with service.serve(box):
                completed = box.wait()
    keep(context.log, completed)
    end, message = _end(completed, service.ended if service else None)
    return AgentRun(
        end=end,
        exit_code=completed.exit_code,
        message=quota.exceeded or message,
        cpu_seconds=completed.cpu_seconds,
        peak_memory=completed.peak_memory,
        usage=service.usage if service else None,
    )


def keep(log: Path, completed: Completed) -> None:
    """Keep what the program printed, without secrets."""
    redactor = Redactor.of()
    with boundary(StorageError, "an agent's output can't be kept"):
        write_atomic(log / "stdout.txt", redactor.data(completed.stdout))
        write_atomic(log / "stderr.txt", redactor.data(completed.stderr))


def _env(context: Context, more: Mapping[str, str]) -> dict[str, str]:
    """The box's variables; a `PATH` of the service goes before the environment's."""
    given = context.environment.env
    served = context.service.env if context.service else {}
    paths = [env["PATH"] for env in (served, given) if "PATH" in env]
    env = {**given, **served, "BENCHWRIGHT_INSTRUCTION": INSTRUCTION, **more}
    return env | ({"PATH": ":".join(paths)} if paths else {})


def _mounts(context: Context) -> tuple[Mount, ...]:
    mounts = [*context.environment.mounts, Mount(APP, "rw", context.workspace)]
    if context.task.docs.is_dir():
        mounts.append(Mount("/docs", "ro", context.task.docs))
    mounts.append(Mount(INSTRUCTION, "data", content=context.task.instruction.read_bytes()))
    return (*mounts, *(context.service.mounts if context.service else ()))


def _caps(context: Context, output: int) -> Caps:
    limits = context.limits
    return Caps(
        wall_seconds=limits.seconds,
        memory=limits.memory,
        processes=limits.processes,
        cores=limits.cores,
        output=output,
    )


def _end(completed: Completed, ended: AgentEnd | None) -> tuple[AgentEnd, str]:
    """What a finished box means; a service that ended the work knows best."""
    if ended:
        return ended, ""
    if completed.end in ("wall", "cpu"):
        return "timeout", f"stopped after {completed.wall_seconds:.0f} s"
    if completed.end != "exited":
        return "failed", f"stopped by its {completed.end} limit"
    if completed.exit_code == 0:
        return "submitted", ""
    said = completed.stderr.decode(errors="replace").strip().splitlines()
    last = f": {printable(said[-1], 200)}" if said else ""
    return "failed", f"exit code {completed.exit_code}{last}"
