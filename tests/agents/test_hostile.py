"""Agents that misbehave: what each comes to, and that nothing outside is harmed."""

import json
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.coding import KEY, checked_task, locked
from benchwright import agents, environments, sandbox
from benchwright.agents import AgentRun, Context
from benchwright.formats import AgentLimits, Budget
from benchwright.gateway import (
    Account,
    DoorService,
    Gateway,
    Models,
    Prices,
    Services,
    Trial,
    Upstream,
    calls,
)
from benchwright.gateway.scripted import Script, ScriptedModel
from benchwright.sandbox import freeze

PROBE = Path(__file__).parents[2] / "evidence" / "_probe.py"
Run = Callable[..., AgentRun]


@pytest.fixture(scope="module")
def gateway() -> Iterator[Gateway]:
    with Gateway() as gateway:
        yield gateway


@pytest.fixture
def context(gateway: Gateway, tmp_path: Path) -> Iterator[Context]:
    """A trial on the tiny task, with a model behind the door."""
    task = checked_task(tmp_path / "task")
    box = sandbox.choose()
    workspace, log = tmp_path / "workspace", tmp_path / "log"
    workspace.mkdir()
    log.mkdir()
    box.give(workspace)
    with ScriptedModel(Script.model_validate({"turns": [{"say": "hello"}]})).serve() as url:
        trial = Trial(
            "t",
            Models({"openai": Upstream(url, KEY)}, {"known": "known"}),
            (Account(tmp_path / "ledger.jsonl", Budget()),),
            Prices(),
            Services(),
        )
        yield Context(
            task,
            workspace,
            log,
            box,
            environments.build(*locked(("pytest",))),
            AgentLimits(seconds=30, memory=256 << 20, processes=64),
            DoorService(gateway, trial, tmp_path),
        )


def run(context: Context, line: str, **limits: Any) -> AgentRun:
    changed = context.limits.model_copy(update=limits)
    return agents.get(f"command:{line}").run(replace(context, limits=changed))


def said(context: Context) -> str:
    return (context.log / "stdout.txt").read_text()


CALL = (
    "import json,os,urllib.request as r,urllib.error as e\n"
    "def ask(model):\n"
    "    q=r.Request(os.environ['OPENAI_BASE_URL']+'/chat/completions',"
    "json.dumps({'model':model,'messages':[]}).encode(),"
    "{'authorization':'Bearer '+os.environ['OPENAI_API_KEY']})\n"
    "    try: return r.urlopen(q).status\n"
    "    except e.HTTPError as x: return x.code, x.read().decode()\n"
)


@pytest.mark.parametrize(
    ("line", "end"),
    [
        ("kill -SEGV $$", "failed"),
        ("true", "submitted"),
        ("submit; submit; submit", "submitted"),
        ("submit; sleep 1000", "submitted"),
        ("(sleep 1000 &) ; submit; kill -9 -1", "submitted"),
        ("sleep 1000", "timeout"),
        ("trap '' TERM INT HUP; while :; do :; done", "timeout"),
    ],
)
def test_how_it_ends(context: Context, line: str, end: str) -> None:
    assert run(context, line, seconds=4).end == end


def test_a_fork_bomb_ends_and_is_bounded(context: Context) -> None:
    ended = run(context, "f() { f | f & }; f; sleep 1000", seconds=4)

    # The shell gives up when it can't fork, or the time ends: which comes first is chance.
    assert ended.end in {"failed", "timeout"}
    assert ended.peak_memory <= context.limits.memory


@pytest.mark.parametrize("stream", ["", ">&2"])
def test_a_flood_of_a_gigabyte_is_not_kept(context: Context, stream: str) -> None:
    ended = run(context, f"head -c 1000000000 /dev/zero {stream}; submit")

    kept = sum(path.stat().st_size for path in context.log.iterdir())
    assert (ended.end, kept < 10 << 20) == ("submitted", True)


def test_a_flood_of_calls_is_not_kept_either(context: Context) -> None:
    program = f"{CALL}\nfor n in range(1500): ask('unknown')"
    run(context, f"python - <<'X'\n{program}\nX", seconds=60)

    ledger = context.log.parent / "ledger.jsonl"
    assert {line.end for line in calls(ledger.read_bytes())} == {"refused"}
    assert len(ledger.read_bytes().splitlines()) == 1000


def test_an_unknown_model(context: Context) -> None:
    program = f"{CALL}\nprint(ask('unknown'), ask('known'))"
    run(context, f"python - <<'X'\n{program}\nX")

    assert said(context).startswith("(404, ")
    assert "is not available here" in said(context)
    assert "model_not_found" in said(context)
    assert said(context).rstrip().endswith("200")


def test_a_call_that_is_broken_off_is_in_the_ledger(context: Context) -> None:
    assert context.service is not None
    line = (
        "exec 3<>/dev/tcp/127.0.0.1/8321; "
        'b=\'{"model":"known","messages":[],"stream":true}\'; '
        'printf "POST /v1/chat/completions HTTP/1.1\\r\\nhost: x\\r\\nauthorization: Bearer '
        '$OPENAI_API_KEY\\r\\ncontent-length: ${#b}\\r\\n\\r\\n$b" >&3; exec 3>&-; '
    )
    run(context, f"bash <<'X'\n{line}\nX\nsleep 0.5")

    ends = [line.end for line in calls((context.log.parent / "ledger.jsonl").read_bytes())]
    assert len(ends) == 1
    assert context.service.usage is not None
    assert context.service.usage.calls == 1


@pytest.mark.parametrize(
    ("line", "entries"),
    [
        ("submit", 0),
        ("echo x > a; rm -rf /app/* /app; submit", 0),
        ("ln -s / root; mkfifo pipe; echo x > a; submit", 1),
    ],
)
def test_what_is_left_can_be_frozen(
    context: Context, tmp_path: Path, line: str, entries: int
) -> None:
    assert run(context, line).end == "submitted"
    assert len(freeze(context.workspace, tmp_path / "frozen").entries) == entries


def test_the_door_is_shut_when_it_is_over(context: Context, tmp_path: Path) -> None:
    run(context, "submit")

    assert context.service is not None
    assert "submitted" in said(context)
    assert context.service.ended == "submitted"


def probed(context: Context, told: dict[str, Any]) -> list[dict[str, Any]]:
    context.workspace.joinpath("told.json").write_text(json.dumps(told))
    context.workspace.joinpath("probe.py").write_bytes(PROBE.read_bytes())
    context.sandbox.give(context.workspace)
    # What it is told must not be found by it.
    run(context, 'told=$(cat told.json); rm told.json; echo "$told" | python probe.py')
    found: list[dict[str, Any]] = json.loads(said(context))
    return found


@pytest.fixture
def told(tmp_path: Path) -> Iterator[dict[str, Any]]:
    """Things that do exist outside."""
    name = f"benchwright-{tmp_path.name}"
    with socket.create_server(("127.0.0.1", 0)) as loopback, socket.socket(socket.AF_UNIX) as unix:
        unix.bind(f"\0{name}")
        unix.listen()
        yield {
            "loopback": loopback.getsockname()[1],
            "abstract": name,
            "key": KEY,
            "token": "bw-another-trial",
            "paths": [str(tmp_path), str(Path(__file__).parent)],
        }


def test_every_way_out_is_closed(context: Context, told: dict[str, Any]) -> None:
    found = probed(context, told)

    assert [row for row in found if not row["closed"]] == []
    assert len(found) > 50


def test_the_probe_finds_what_is_open(told: dict[str, Any], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(PROBE)],
        input=json.dumps(told | {"root": str(tmp_path)}),
        capture_output=True,
        text=True,
        check=True,
        env={"HIDDEN": KEY},
    )

    ways = {row["way"] for row in json.loads(done.stdout) if not row["closed"]}
    assert {"host loopback, IPv4", "abstract socket of the host", "keys: variables"} <= ways
    assert "file of the host" in ways
