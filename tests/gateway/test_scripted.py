"""The scripted model: its script, and how it puts actions into an agent's words."""

from pathlib import Path
from typing import Any

import httpx2
import pytest

from benchwright.formats import FormatError, Tokens
from benchwright.gateway.scripted import Script, ScriptedModel, Turn
from benchwright.gateway.scripted.actions import action, heredoc
from gateway.shapes import REQUESTS, chat

SHELL: dict[str, Any] = {"properties": {"command": {"type": "string"}}}
TEXT: dict[str, Any] = {"properties": {}}


@pytest.mark.parametrize(
    ("tools", "name", "arguments"),
    [
        ({"bash": SHELL}, "bash", {"command": "ls"}),
        (
            {"Bash": {"properties": {"command": {}, "description": {}}}},
            "Bash",
            {"command": "ls", "description": "run a command"},
        ),
        ({"exec_command": {"properties": {"cmd": {}}}}, "exec_command", {"cmd": "ls"}),
        (
            {"shell": {"properties": {"command": {"type": "array"}}}},
            "shell",
            {"command": ["sh", "-c", "ls"]},
        ),
        (
            {"run_shell_command": {"properties": {"command": {}, "is_background": {}}}},
            "run_shell_command",
            {"command": "ls", "is_background": False},
        ),
    ],
)
def test_a_command_in_each_agents_words(
    tools: dict[str, Any], name: str, arguments: dict[str, Any]
) -> None:
    call = action(Turn(run="ls"), tools)

    assert call is not None
    assert (call.name, call.arguments) == (name, arguments)


def test_a_command_as_a_program() -> None:
    call = action(Turn(run='echo "x"'), {"exec": {}})

    assert call is not None
    assert 'tools.exec_command({"cmd": "echo \\"x\\""})' in call.code


FILE = {"path": "/a", "text": "t"}
EDIT = {"path": "/a", "old": "x", "new": "y"}


@pytest.mark.parametrize(
    ("turn", "tools", "arguments"),
    [
        ({"write": FILE}, {"Write": TEXT}, {"file_path": "/a", "content": "t"}),
        ({"write": FILE}, {"write": TEXT}, {"filePath": "/a", "content": "t"}),
        (
            {"edit": EDIT},
            {"Edit": TEXT},
            {"file_path": "/a", "old_string": "x", "new_string": "y"},
        ),
        ({"edit": EDIT}, {"edit": TEXT}, {"filePath": "/a", "oldString": "x", "newString": "y"}),
        ({"read": "/a"}, {"Read": TEXT}, {"file_path": "/a"}),
        ({"tool": {"name": "any", "arguments": {"k": 1}}}, {}, {"k": 1}),
        ({"read": "/a b"}, {"bash": SHELL}, {"command": "cat '/a b'"}),
    ],
)
def test_files_in_each_agents_words(
    turn: dict[str, Any], tools: dict[str, Any], arguments: dict[str, Any]
) -> None:
    call = action(Turn.model_validate(turn), tools)

    assert call is not None
    assert call.arguments == arguments


def test_files_by_the_shell_alone(tmp_path: Path) -> None:
    import subprocess

    path = str(tmp_path / "it's a file")
    for turn in (
        Turn.model_validate({"write": {"path": path, "text": "a 'b' $c\nEND_OF_TEXT\nd\\e\n"}}),
        Turn.model_validate({"edit": {"path": path, "old": "'b' $c", "new": '"(b)" $d'}}),
    ):
        call = action(turn, {"bash": SHELL})
        assert call is not None
        subprocess.run(["/bin/sh", "-c", call.arguments["command"]], check=True)

    assert Path(path).read_text() == 'a "(b)" $d\nEND_OF_TEXT\nd\\e\n'


def test_a_marker_that_is_in_the_text() -> None:
    assert heredoc("f", "END_OF_TEXT") == "cat > f <<'END_OF_TEXT_'\nEND_OF_TEXT\nEND_OF_TEXT_"


@pytest.mark.parametrize("dialect", REQUESTS)
def test_turns_follow_the_results_and_the_last_one_stays(dialect: str) -> None:
    turns = [{"run": "first"}, {"run": "second"}, {"say": "the end"}]
    model = ScriptedModel(Script.model_validate({"turns": turns}))
    path, request = REQUESTS[dialect]
    result: dict[str, Any] = {
        "messages": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x"}]},
        "responses": {"type": "function_call_output", "call_id": "x", "output": ""},
        "chat": {"role": "tool", "tool_call_id": "x", "content": ""},
    }[dialect]
    where = "input" if dialect == "responses" else "messages"

    with model.serve() as url:
        texts = [
            httpx2.post(url + path, json=request(**{where: [result] * count})).text
            for count in (0, 1, 2, 7)
        ]

    found = [[w for w in ("first", "second", "the end") if w in text] for text in texts]
    assert found == [["first"], ["second"], ["the end"], ["the end"]]
    assert [p.turn for p in model.played] == [0, 1, 2, 2]


def test_a_request_without_tools_is_an_aside() -> None:
    model = ScriptedModel(Script.model_validate({"aside": "a title", "turns": [{"run": "ls"}]}))

    with model.serve() as url:
        body = chat()
        del body["tools"]
        answer = httpx2.post(f"{url}/v1/chat/completions", json=body).json()

    assert answer["choices"][0]["message"]["content"] == "a title"
    assert [p.turn for p in model.played] == [-1]


def test_a_fault_is_each_agents_own() -> None:
    turns = [{"say": "x", "fault": {"kind": "status", "status": 503, "times": 1}}]
    model = ScriptedModel(Script.model_validate({"turns": turns}))

    with model.serve() as url:
        codes = [
            httpx2.post(
                f"{url}/v1/chat/completions", json=chat(), headers={"authorization": f"Bearer {k}"}
            ).status_code
            for k in ("a", "b", "a", "b")
        ]

    assert codes == [503, 503, 200, 200]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("turns: [", "not YAML"),
        ("turns: []", "turns"),
        ("turns: [{ran: ls}]", "turns.0.ran"),
        ("format: benchwright.script/9\nturns: [{say: x}]", "format"),
        ("- 1", "document"),
        ("!!python/object/apply:os.system ['true']", "not YAML"),
    ],
)
def test_bad_scripts(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "script.yaml"
    path.write_text(text)

    with pytest.raises(FormatError, match=message):
        Script.load(path)


def test_a_script_file(tmp_path: Path) -> None:
    path = tmp_path / "script.yaml"
    path.write_text("tokens: {input: 7}\nturns:\n  - {say: hi, run: ls}\n")

    script = Script.load(path)

    assert (script.tokens, script.turns) == (Tokens(input=7), (Turn(say="hi", run="ls"),))
