import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from benchwright import agents, sandbox
from benchwright.agents import AgentRun, Context
from benchwright.environments import Environment
from benchwright.formats import (
    AgentError,
    AgentLimits,
    Product,
    Settings,
    SourcePin,
    TaskConfig,
    TaskError,
)
from benchwright.tasks import Task


@pytest.fixture
def context(tmp_path: Path) -> Context:
    """A task with two documents, and an empty workspace that is writable inside."""
    root = tmp_path / "task"
    for name, text in {
        "instruction.md": "Do it.\n",
        "environment/docs/PRD.md": "A product.\n",
        "solution/files/pkg/core.py": "ANSWER = 42\n",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    settings = Settings(
        kind="construction",
        language="python",
        source=SourcePin(spec="path:pkg"),
        product=Product(paths=("pkg",)),
    )
    box = sandbox.choose()
    workspace, log = tmp_path / "workspace", tmp_path / "log"
    workspace.mkdir()
    log.mkdir()
    box.give(workspace)
    return Context(
        task=Task(root, TaskConfig(benchwright=settings)),
        workspace=workspace,
        log=log,
        sandbox=box,
        environment=Environment("sha256:none", (), {"ENVIRONMENT": "here"}),
        limits=AgentLimits(seconds=20, memory=256 << 20),
    )


def run(context: Context, line: str) -> AgentRun:
    return agents.get(f"command:{line}").run(context)


def said(context: Context) -> str:
    return (context.log / "stdout.txt").read_text()


def test_nop_submits_what_it_found(context: Context) -> None:
    assert agents.get("nop").run(context) == AgentRun(end="submitted")
    assert list(context.workspace.iterdir()) == []


def test_the_oracle_copies_the_reference_over_whatever_is_there(context: Context) -> None:
    (context.workspace / "pkg").mkdir()
    (context.workspace / "pkg" / "core.py").symlink_to("/etc/hostname")
    context.sandbox.give(context.workspace)

    assert agents.get("oracle").run(context).end == "submitted"
    assert (context.workspace / "pkg" / "core.py").read_text() == "ANSWER = 42\n"
    assert not (context.workspace / "pkg" / "core.py").is_symlink()


def test_the_oracle_needs_a_reference(context: Context) -> None:
    (context.task.root / "solution").rename(context.task.root / "elsewhere")

    with pytest.raises(TaskError, match="missing: the oracle has nothing to copy"):
        agents.get("oracle").run(context)


def test_a_command_sees_its_task_and_nothing_else(context: Context) -> None:
    run(context, 'cat; cat "$BENCHWRIGHT_INSTRUCTION" /docs/PRD.md; pwd; echo $ENVIRONMENT; ls /')

    lines = said(context).splitlines()
    assert lines[:5] == ["Do it.", "Do it.", "A product.", "/app", "here"]
    assert {"solution", "tests", "home", "root"} & set(lines[5:]) == set()


@pytest.mark.parametrize(
    ("line", "end", "code", "message"),
    [
        ("true", "submitted", 0, ""),
        ("echo no such model >&2; exit 7", "failed", 7, "exit code 7: no such model"),
        ("printf '\\033[2J' >&2; exit 1", "failed", 1, "exit code 1: \\x1b[2J"),
        ("kill -9 $$", "failed", 137, "exit code 137"),
        ("no-such-program", "failed", 127, "exit code 127: /bin/sh: 1: no-such-program: not found"),
    ],
)
def test_how_a_command_ends(context: Context, line: str, end: str, code: int, message: str) -> None:
    found = run(context, line)

    assert (found.end, found.exit_code, found.message) == (end, code, message)


def test_a_flood_is_bounded(context: Context) -> None:
    found = run(context, "head -c 50000000 /dev/zero")

    assert found.end == "submitted"
    assert len(said(context)) == 4 << 20


def test_a_script_is_read_once_and_known_by_its_bytes(context: Context, tmp_path: Path) -> None:
    script = tmp_path / "my-agent.sh"
    script.write_bytes(b"#!/bin/sh\necho first $1\n")
    agent = agents.get(f"command:{script} word")
    script.write_bytes(b"echo second\n")

    assert agent.run(context).end == "submitted"
    assert said(context) == "first word\n"
    digest = hashlib.sha256(b"#!/bin/sh\necho first $1\n").hexdigest()
    assert agent.info.digest == f"sha256:{digest}"


def test_a_script_may_have_any_name(context: Context, tmp_path: Path) -> None:
    script = tmp_path / "my agent $(id).sh"
    script.write_bytes(b"echo $1\n")
    script.chmod(0o755)

    agents.get(f"command:'{script}' word").run(context)

    assert said(context) == "word\n"


def test_a_workspace_that_grows_without_end_is_stopped(context: Context) -> None:
    bounded = replace(context, limits=AgentLimits(seconds=60, disk=50 << 20))

    found = run(bounded, "head -c 100M /dev/zero > big; sleep 60")

    assert (found.end, found.message) == ("failed", "the workspace held more than 50 MB")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("claude-kode", "claude-kode: no such agent"),
        ("", "an empty name: no such agent"),
        ("nop@1", "nop: takes no version"),
        ("command:", "says nothing to run"),
        ("command:./no-such-script.sh", "no such script on this machine"),
    ],
)
def test_bad_specs_are_refused_in_one_line(spec: str, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        agents.get(spec)


def test_the_known_agents_are_named() -> None:
    assert {"oracle", "nop", "command"} <= set(agents.names())
