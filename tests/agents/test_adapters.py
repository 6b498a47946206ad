"""What each program prints, as it was seen, and what is made of it."""

import json
from typing import Any

import pytest

from benchwright.agents import ADAPTERS, Adapter, adapter
from benchwright.agents.atif import STEPS, Seen, lines, trajectory
from benchwright.agents.program import judged
from benchwright.agents.protocol import AgentRun
from benchwright.formats import AgentEnd, AgentInfo, Trajectory, Usage

Json = dict[str, Any]


def printed(*objects: Json | str) -> bytes:
    return "\n".join(o if isinstance(o, str) else json.dumps(o) for o in objects).encode()


def said(identity: str, **block: Any) -> Json:
    return {"type": "assistant", "message": {"id": identity, "content": [block]}}


def item(**fields: Any) -> Json:
    return {"type": "item.completed", "item": fields}


def part(kind: str, **fields: Any) -> Json:
    return {"type": kind, "timestamp": 1, "sessionID": "s", "part": fields}


LOGS = {
    "claude-code": printed(
        {"type": "system", "subtype": "init", "tools": ["Bash"]},
        said("m1", type="thinking", thinking="hm"),
        said("m1", type="text", text="I look."),
        said("m1", type="tool_use", id="t1", name="Bash", input={"command": "ls"}),
        {
            "type": "user",
            "message": {
                "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "a.py"}]
            },
        },
        said("m2", type="text", text="Done."),
        {"type": "result", "subtype": "success", "is_error": False, "result": "Done."},
    ),
    "codex": printed(
        {"type": "thread.started", "thread_id": "1"},
        item(id="0", type="error", message="Model metadata not found."),
        item(id="1", type="reasoning", text="hm"),
        item(id="2", type="agent_message", text="I look."),
        {"type": "item.started", "item": {"id": "t1", "type": "command_execution"}},
        item(id="t1", type="command_execution", command="ls", aggregated_output="a.py"),
        item(id="4", type="agent_message", text="Done."),
        {"type": "turn.completed", "usage": {}},
    ),
    "opencode": printed(
        part("step_start"),
        part("reasoning", text="hm"),
        part("text", text="I look."),
        part(
            "tool_use",
            callID="t1",
            tool="bash",
            state={"status": "completed", "input": {"command": "ls"}, "output": "a.py"},
        ),
        part("step_finish", tokens={}),
        part("step_start"),
        part("text", text="Done."),
        part("step_finish"),
    ),
    "mini-swe-agent": printed(
        "Building agent config from specs",
        {"role": "system", "content": "You are"},
        {"role": "user", "content": "Please solve"},
        {
            "role": "assistant",
            "content": "I look.",
            "reasoning_content": "hm",
            "tool_calls": [
                {"id": "t1", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}
            ],
        },
        {"role": "tool", "tool_call_id": "t1", "content": "a.py"},
        {"role": "assistant", "content": "Done."},
        {"role": "exit", "content": "", "extra": {"exit_status": "Submitted"}},
    ),
}
ONE_STEP = [Seen("I look.", "hm", [("t1", "bash", {"command": "ls"})], [("t1", "a.py")])]
each = pytest.mark.parametrize("found", ADAPTERS, ids=lambda a: a.name)


def seen(found: Adapter, log: bytes) -> list[Seen]:
    return list(found.steps(lines(log)))


@each
def test_its_log_becomes_steps(found: Adapter) -> None:
    steps = seen(found, LOGS[found.name])

    tool = {"claude-code": "Bash", "codex": "command_execution"}.get(found.name, "bash")
    assert [s.text for s in steps if s.text] == ["I look.", "Done."]
    assert [s.reasoning for s in steps if s.reasoning] == ["hm"]
    assert [s.calls for s in steps if s.calls] == [[("t1", tool, {"command": "ls"})]]
    assert [s.results for s in steps if s.results] == [[("t1", "a.py")]]
    assert found.problem(lines(LOGS[found.name])) == ""


ERRORS = {
    "claude-code": {
        "type": "result", "subtype": "success", "is_error": True, "result": "API Error: 400"
    },
    "codex": {"type": "turn.failed", "error": {"message": "API Error: 400"}},
    "opencode": {"type": "error", "error": {"name": "E", "data": {"message": "API Error: 400"}}},
    "mini-swe-agent": {
        "role": "exit", "content": "API Error: 400", "extra": {"exit_status": "BadRequestError"}
    },
}  # fmt: skip


@each
def test_its_own_errors_are_recognised(found: Adapter) -> None:
    log = LOGS[found.name] + b"\n" + printed(ERRORS[found.name])

    assert found.problem(lines(log)).endswith("API Error: 400")


STRANGE: list[Any] = [None, 3, "x", [], {}, [[]], [{}], {"x": [None]}, True]


@each
@pytest.mark.parametrize("value", STRANGE, ids=str)
def test_strange_lines_are_skipped(found: Adapter, value: Any) -> None:
    def spoiled(inside: Any) -> list[Any]:
        if isinstance(inside, dict):
            whole = [{**inside, key: value} for key in inside]
            deep = [{**inside, k: s} for k, v in inside.items() for s in spoiled(v)]
            return whole + deep
        return (
            [value, *([s] for x in inside for s in spoiled(x))] if isinstance(inside, list) else []
        )

    objects = [json.loads(line) for line in LOGS[found.name].splitlines() if line[:1] == b"{"]
    info = AgentInfo(spec="x", name="x", version="1", model="m")
    for broken in [s for o in [*objects, ERRORS[found.name]] for s in spoiled(o)]:
        log = printed(
            broken, "{", "[1]", "\0\ud800".encode(errors="surrogatepass").decode("latin1")
        )
        made = trajectory(info, "prompt", seen(found, log), None)
        assert made.steps[0].message == "prompt"
        assert isinstance(found.problem(lines(log)), str)


def test_a_trajectory(tmp_path) -> None:  # type: ignore[no-untyped-def]
    info = AgentInfo(spec="x", name="codex", version="1", model="m")
    usage = Usage(calls=2, input_tokens=10, cached_tokens=4, output_tokens=5, cost=0.5)

    made = trajectory(info, "Do it.", [*ONE_STEP, Seen("Done.")], usage)
    made.write(tmp_path / "trajectory.json")

    read = json.loads((tmp_path / "trajectory.json").read_text())
    assert Trajectory.read(tmp_path / "trajectory.json") == made
    assert read == {
        "schema_version": "ATIF-v1.8",
        "agent": {"name": "codex", "version": "1", "model_name": "m"},
        "steps": [
            {"step_id": 1, "source": "user", "message": "Do it."},
            {
                "step_id": 2,
                "source": "agent",
                "message": "I look.",
                "model_name": "m",
                "reasoning_content": "hm",
                "tool_calls": [
                    {"tool_call_id": "t1", "function_name": "bash", "arguments": {"command": "ls"}}
                ],
                "observation": {"results": [{"source_call_id": "t1", "content": "a.py"}]},
            },
            {"step_id": 3, "source": "agent", "message": "Done.", "model_name": "m"},
        ],
        "final_metrics": {
            "total_prompt_tokens": 10,
            "total_completion_tokens": 5,
            "total_cached_tokens": 4,
            "total_cost_usd": 0.5,
            "total_steps": 3,
            "extra": {"calls": 2, "reasoning_tokens": 0},
        },
    }


def test_a_trajectory_is_bounded() -> None:
    info = AgentInfo(spec="x", name="x", version="1")

    made = trajectory(info, "p", (Seen("x" * 300_000) for _ in range(STEPS + 5)), None)

    assert (len(made.steps), made.notes) == (STEPS, f"only the first {STEPS} steps are kept")
    assert len(str(made.steps[1].message)) == 200_000


@pytest.mark.parametrize(
    ("end", "code", "problem", "ended", "expected"),
    [
        ("submitted", 0, "", False, "exited"),
        ("submitted", 0, "it broke", False, "failed"),
        ("submitted", 137, "", True, "submitted"),
        ("submitted", 137, "it broke", True, "submitted"),
        ("provider", 0, "", True, "exited"),
        ("provider", 0, "it broke", True, "provider"),
        ("provider", 1, "", True, "provider"),
        ("budget", 0, "", True, "budget"),
        ("timeout", 137, "", False, "timeout"),
        ("failed", 1, "it broke", False, "failed"),
    ],
)
def test_how_the_work_ended(
    end: AgentEnd, code: int, problem: str, ended: bool, expected: AgentEnd
) -> None:
    assert judged(AgentRun(end, code), problem, ended=ended).end == expected


@each
def test_its_command_and_variables_are_filled(found: Adapter) -> None:
    words = found.words("the-model")
    text = " ".join([*words, *found.variables("the-model").values()])

    assert words[0].startswith("/agent/")
    assert "the-model" in text
    assert "{model}" not in text
    assert "{machine}" not in text


def test_no_adapter_of_that_name() -> None:
    from benchwright.formats import AgentError

    with pytest.raises(AgentError, match="known: claude-code, codex"):
        adapter("aider")
