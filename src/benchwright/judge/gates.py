"""Quality gates beside the score: a linter and type checkers, configured by the task alone.

A tool runs in a box on the product's paths of the judged tree. Its exit code decides; its output is
for people, and counted. Whatever a submission does to a tool, it costs the submission.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchwright.environments import Environment, build, lock
from benchwright.formats import Gate, GateResult, TaskError, printable
from benchwright.sandbox import Caps, Completed, Mount, Sandbox, Spec
from benchwright.tasks import Task

SHOWN = 50
SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Tool:
    """How a tool is called."""

    config: str
    """Where its configuration is put."""
    arguments: tuple[str, ...]
    problem: str
    """What a line that names a problem contains."""


TOOLS = {
    "ruff": Tool(
        "/judge/ruff.toml",
        ("check", "--config", "/judge/ruff.toml", "--no-cache", "--output-format", "concise"),
        ".py:",
    ),
    "mypy": Tool(
        "/judge/mypy.ini",
        ("--config-file", "/judge/mypy.ini", "--cache-dir", "/dev/null", "--no-color-output"),
        " error: ",
    ),
    "pyright": Tool(
        "/judge/pyrightconfig.json", ("--project", "/judge/pyrightconfig.json"), " error: "
    ),
}


def check_gates(task: Task) -> None:
    """Make sure that every gate's tool is known.

    Raises:
        TaskError: one isn't.
    """
    for gate in task.settings.gates:
        if gate.tool not in TOOLS:
            hint = f"known: {', '.join(TOOLS)}"
            raise TaskError(f"{task.root / 'task.toml'}: gate {gate.tool!a} is unknown", hint=hint)


def run_gates(
    task: Task,
    tree: Path,
    sandbox: Sandbox,
    environment: Environment,
    progress: Callable[[str], None],
) -> tuple[GateResult, ...]:
    """Run every gate of the task on the product in a judged tree.

    Raises:
        BuildError: a tool can't be installed for want of an index.
    """
    results = []
    for gate in task.settings.gates:
        if not present(task.settings.product.paths, tree):
            absent = GateResult(
                tool=gate.tool,
                passed=False,
                problems=0,
                required=gate.required,
                output="no product",
            )
            results.append(absent)
            continue
        progress(f"gate {gate.tool}")
        place = equipped(task, gate.tool, environment, progress)
        results.append(judged(gate, sandbox.run(spec(task, gate, tree, place))))
    return tuple(results)


def equipped(
    task: Task, tool: str, environment: Environment, progress: Callable[[str], None]
) -> Environment:
    """The task's environment if the tool is in it, else one of its own that has the tool too."""
    if (environment.folder() / "bin" / tool).exists():
        return environment
    recipe = task.recipe
    recipe = recipe.model_copy(update={"requires": (*recipe.requires, tool)})
    return build(recipe, lock(recipe, progress=progress), progress=progress)


def spec(task: Task, gate: Gate, tree: Path, environment: Environment) -> Spec:
    """The box of one gate."""
    tool, settings = TOOLS[gate.tool], task.settings
    command = (f"/env/bin/{gate.tool}", *tool.arguments, *gate.options)
    mounts = (
        *environment.mounts,
        Mount("/work", "overlay", tree, size=settings.limits.disk),
        Mount(tool.config, "data", content=gate.config.encode()),
    )
    caps = Caps(wall_seconds=SECONDS, memory=settings.limits.memory)
    paths = present(settings.product.paths, tree)
    return Spec((*command, *paths), mounts, environment.env, "/work", caps)


def present(paths: Sequence[str], tree: Path) -> tuple[str, ...]:
    """The product's paths that are there; an absent one is the tests' affair."""
    return tuple(f"./{path}" for path in paths if (tree / path).exists())


def judged(gate: Gate, done: Completed) -> GateResult:
    """What a tool's run means."""
    text = (done.stdout + done.stderr).decode(errors="replace")
    lines = [printable(line, 300) for line in text.splitlines() if line.strip()]
    problems = sum(TOOLS[gate.tool].problem in line for line in lines)
    if done.end != "exited":
        lines.insert(0, f"ended: {done.end} limit")
    return GateResult(
        tool=gate.tool,
        passed=done.end == "exited" and done.exit_code == 0,
        problems=problems,
        required=gate.required,
        output="\n".join(lines[:SHOWN]),
    )
