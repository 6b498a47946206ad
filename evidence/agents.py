"""Real coding agents on a real task, offline: solved, counted as scripted, isolated, and how fast.

The task is a construction authored from itsdangerous 2.2.0. The model is a script made from the
task's own reference: it looks around, writes the files (one of them wrongly), checks, mends, and
submits. What is shown is everything between the prompt and the verdict, not that a model is clever.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchwright import agents, authoring, environments, jobs, sandbox
from benchwright.agents import Context, Program
from benchwright.agents.doors import Doors
from benchwright.agents.layers import find
from benchwright.formats import AgentLimits, Check, Tokens
from benchwright.gateway import Account, Gateway, Models, Trial, Upstream, calls
from benchwright.gateway.scripted import Script, ScriptedModel
from benchwright.sandbox import Caps, Mount, Spec
from benchwright.tasks import Task, save_config, walk

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))
import gateway as gateway_benchmark  # noqa: E402

SOURCE = "pypi:itsdangerous==2.2.0"
MODELS = {
    "claude-code": "claude-sonnet-4-5",
    "codex": "gpt-5.1-codex",
    "opencode": "gpt-5.1",
    "mini-swe-agent": "gpt-5.1",
}
TOKENS = Tokens(input=1200, cache_read=4000, cache_write=300, output=55, reasoning=12)
KEY = "the-real-key-0123456789"
SLIP = "\nraise SystemExit  # a slip\n"
PROBE = Path(__file__).with_name("_probe.py").read_bytes()
Say = Callable[[str], None]


def produce(say: Say) -> dict[str, Any]:
    """All tables."""
    with tempfile.TemporaryDirectory(prefix="benchwright-evidence-") as folder:
        root = Path(folder)
        task = made(root, say)
        model = ScriptedModel(script(task))
        with model.serve() as url:
            for name in ("ANTHROPIC", "OPENAI"):
                os.environ |= {f"{name}_BASE_URL": url, f"{name}_API_KEY": KEY}
            rows = [solved(root, task, model, name, say) for name in MODELS]
            eight = [together(root, task, model, name, say) for name in ("claude-code", "codex")]
        for row in rows:
            row |= start_up(root, task, row["agent"], say)
        say("probing every way out")
        ways = probed(root)
        tests = len(task.manifest.counted)
    say("measuring what the gateway adds to a call")
    return {
        "task": f"construction of {SOURCE}, {tests} hidden tests",
        "tokens_a_call": TOKENS.model_dump(),
        "agents": rows,
        "eight_at_once": eight,
        "ways_out_open": [w["way"] for w in ways if not w["closed"]],
        "ways_out_tried": ways,
        "gateway_ms_a_call": gateway_benchmark.measure(),
    }


def made(root: Path, say: Say) -> Task:
    """The task, with one check of the hidden tests allowed."""
    task = authoring.author(SOURCE, "construction", root / "task", progress=say)
    settings = task.settings.model_copy(update={"check": Check(allow=("hidden-count",), limit=1)})
    save_config(task.root, task.config.model_copy(update={"benchwright": settings}))
    return Task.load(task.root)


def script(task: Task) -> Script:
    """What a model would do that knows the reference."""
    turns: list[dict[str, Any]] = [{"say": "I look around.", "run": "ls -R /docs | head -20"}]
    files = [(name, path) for name, path in walk(task.solution) if path.suffix == ".py"]
    folders = sorted({str(Path("/app", name).parent) for name, _ in files})
    turns.append({"run": f"mkdir -p {' '.join(folders)}"})
    for number, (name, path) in enumerate(files):
        text = path.read_text() + ("" if number else SLIP)
        turns.append({"write": {"path": f"/app/{name}", "text": text}})
    first = f"/app/{files[0][0]}"
    turns += [
        {"run": "check hidden-count"},
        {"read": first},
        {"edit": {"path": first, "old": SLIP, "new": ""}},
        {"run": "submit"},
        {"say": "Done."},
    ]
    return Script.model_validate({"tokens": TOKENS.model_dump(), "turns": turns})


def solved(root: Path, task: Task, model: ScriptedModel, name: str, say: Say) -> dict[str, Any]:
    """One trial of one agent, and its ledger beside the script."""
    started = time.monotonic()
    layer = agents.install(name, say)
    installed = time.monotonic() - started
    say(f"{name} {layer.version}: one trial")
    model.played.clear()
    ran = run(root, task, name, "one")
    result = ran.results[0]
    folder = ran.root / "trials" / result.trial / result.attempt
    stated = [p.tokens for p in model.played]
    billed = [
        as_stated(line.tokens, name) for line in calls((folder / "ledger.jsonl").read_bytes())
    ]
    assert result.usage is not None
    return {
        "agent": name,
        "version": layer.version,
        "install_s": round(installed, 1),
        "solved_offline": result.reward == 1,
        "score": result.score,
        "calls": result.usage.calls,
        "input_tokens": result.usage.input_tokens,
        "output_tokens": result.usage.output_tokens,
        "tokens_as_scripted": billed == stated,
        "ledger_equals_script": result.usage.calls == len(stated),
        "cost_usd": round(result.usage.cost, 6) if result.usage.cost is not None else None,
        "peak_mb": result.peaks.memory >> 20,
        "check_seen": f" of {len(task.manifest.counted)} pass"
        in (folder / "log" / "trajectory.json").read_text(),
    }


def as_stated(tokens: Tokens | None, name: str) -> Tokens | None:
    """Anthropic's dialect doesn't split reasoning off, so a ledger can't either."""
    if tokens is None or name != "claude-code":
        return tokens
    return tokens.model_copy(update={"reasoning": TOKENS.reasoning})


def run(root: Path, task: Task, name: str, label: str, **more: Any) -> jobs.JobResult:
    """A job of one agent."""
    spec = f"{name}:{MODELS[name]}"
    out = root / f"{name}-{label}"
    return jobs.run([task], [spec], out, unvalidated=True, unguarded=True, retries=0, **more)


def together(root: Path, task: Task, model: ScriptedModel, name: str, say: Say) -> dict[str, Any]:
    """Eight trials of one agent at the same time."""
    say(f"{name}: eight trials at once")
    model.played.clear()
    started = time.monotonic()
    ran = run(root, task, name, "eight", attempts=8, concurrency=8)
    took = time.monotonic() - started
    lines = list(calls((ran.root / "ledger.jsonl").read_bytes()))
    agent = [p.seconds for r in ran.results for p in r.phases if p.name == "agent"]
    return {
        "agent": name,
        "rewards": sum(r.reward or 0 for r in ran.results),
        "agent_s_slowest": round(max(agent), 1),
        "all_with_judging_s": round(took, 1),
        "calls": len(lines),
        "ledger_equals_script": [as_stated(c.tokens, name) for c in lines]
        == [p.tokens for p in model.played],
        "trials_in_ledger": len({c.trial for c in lines}),
    }


def start_up(root: Path, task: Task, name: str, say: Say) -> dict[str, Any]:
    """A trivial run of the program, bare on this machine and by us, in turns; the best of each."""
    runs = 3 if name in ("claude-code", "codex") else 1  # the others take tens of seconds
    say(f"{name}: bare, and in our box, {runs} times each, after one to warm up")
    short = Script.model_validate({"turns": [{"run": "true"}, {"say": "done"}]})
    bare, ours = [], []
    with ScriptedModel(short).serve() as url, Gateway() as gate:
        for number in range(runs + 1):
            bare.append(bare_run(root / f"bare-{name}-{number}", name, url))
            ours.append(our_run(root / f"ours-{name}-{number}", task, name, url, gate))
    one, other = min(bare[1:]), min(ours[1:])
    return {
        "start_runs": runs,
        "bare_s": round(one, 2),
        "ours_s": round(other, 2),
        "overhead_s": round(other - one, 2),
    }


def bare_run(folder: Path, name: str, url: str) -> float:
    """The program itself: no sandbox, no gateway, straight to the model."""
    adapter = agents.adapter(name)
    _, layer = find(name, adapter.version)
    home, app = folder / "home", folder / "app"
    for path in (home, app):
        path.mkdir(parents=True)
    places = {"/agent/": f"{layer}/", "/home/agent": str(home), "http://127.0.0.1:8321": url}

    def placed(text: str) -> str:
        for inside, outside in places.items():
            text = text.replace(inside, outside)
        return text

    env = {
        "PATH": "/usr/bin:/bin", "HOME": str(home), "IS_SANDBOX": "1", "LANG": "C.UTF-8",
        "ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "x", "OPENAI_BASE_URL": f"{url}/v1",
        "OPENAI_API_KEY": "x",
        **{k: placed(v) for k, v in adapter.variables(MODELS[name]).items()},
    }  # fmt: skip
    started = time.monotonic()
    done = subprocess.run(
        [placed(word) for word in adapter.words(MODELS[name])],
        input=b"Do nothing.",
        cwd=app, env=env, capture_output=True, timeout=300, check=False,
    )  # fmt: skip
    took = time.monotonic() - started
    if done.returncode:
        raise RuntimeError(f"{name} failed: {(done.stderr or done.stdout)[-500:]!r}")
    return took


def our_run(folder: Path, task: Task, name: str, url: str, gate: Gateway) -> float:
    """The same by us: box, door, gateway, ledger, trajectory."""
    box = sandbox.choose()
    workspace, log = folder / "workspace", folder / "log"
    workspace.mkdir(parents=True)
    log.mkdir()
    box.give(workspace)
    upstream = Upstream(url, KEY)
    doors = Doors(gate, box, upstreams={"anthropic": upstream, "openai": upstream})
    agent = agents.get(f"{name}:{MODELS[name]}")
    assert isinstance(agent, Program)
    trial = type("Attempt", (), {"name": name, "task": task, "agent": agent})()
    environment = environments.build(task.recipe, task.lock)
    started = time.monotonic()
    service = doors(trial, folder)
    context = Context(task, workspace, log, box, environment, AgentLimits(seconds=300), service)
    ended = agent.run(context)
    took = time.monotonic() - started
    if ended.end != "exited":
        raise RuntimeError(f"{name} ended as {ended}")
    return took


def probed(root: Path) -> list[dict[str, Any]]:
    """What a program in a box with a door can reach."""
    _, layer = find("mini-swe-agent", agents.adapter("mini-swe-agent").version)
    folder = root / "probe"
    with ExitStack() as stack:
        loopback = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        unix = stack.enter_context(socket.socket(socket.AF_UNIX))
        unix.bind("\0benchwright-evidence")
        unix.listen()
        gate = stack.enter_context(Gateway())
        models = Models({"openai": Upstream("http://127.0.0.1:9", KEY)}, {"*": "*"})
        services = [
            agents.doors.DoorService(
                gate, Trial(n, models, (Account(folder / n / "ledger.jsonl"),)), folder / n
            )
            for n in ("one", "other")
        ]
        told = {
            "loopback": loopback.getsockname()[1],
            "abstract": "benchwright-evidence",
            "key": KEY,
            "token": services[1].trial.token,
            "paths": [str(root), str(Path(__file__)), str(Path.home() / ".cache")],
        }
        box = sandbox.choose()
        sleeper = Spec(command=("/bin/sleep", "60"), door=True)
        other = stack.enter_context(box.start(sleeper))
        stack.enter_context(services[1].serve(other))
        spec = Spec(
            command=("/agent/python/bin/python3", "-I", "/probe.py"),
            stdin=json.dumps(told).encode(),
            mounts=(
                *services[0].mounts,
                Mount("/agent", "ro", layer),
                Mount("/probe.py", "data", content=PROBE),
            ),
            env={**services[0].env, "PATH": "/door:/usr/bin:/bin"},
            caps=Caps(wall_seconds=120),
            door=True,
        )
        running = stack.enter_context(box.start(spec))
        stack.enter_context(services[0].serve(running))
        found: list[dict[str, Any]] = json.loads(running.wait().stdout)
        return found
