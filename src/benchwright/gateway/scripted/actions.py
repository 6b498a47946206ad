"""Putting a script's actions into the words of the tools that an agent offers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from shlex import quote
from typing import Any

from .script import Turn

Tools = Mapping[str, dict[str, Any]]
"""Name of a tool -> schema of its arguments."""
SHELLS = ("Bash", "bash", "exec_command", "shell_command", "shell", "run_shell_command")
CODE = "exec"
"""Codex's tool that takes a program, which calls the other tools."""
READS = {"Read": "file_path", "read": "filePath"}
WRITES = {"Write": ("file_path", "content"), "write": ("filePath", "content")}
EDITS = {
    "Edit": ("file_path", "old_string", "new_string"),
    "edit": ("filePath", "oldString", "newString"),
}
FINISH = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
"""How mini-swe-agent is told that the work is done: the first line of a command's output."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool."""

    name: str
    arguments: dict[str, Any]
    code: str = ""
    """The program, for a tool that takes one instead of arguments."""


def action(turn: Turn, tools: Tools) -> ToolCall | None:
    """The tool call of a turn; None where it only says something."""
    if turn.tool:
        return ToolCall(turn.tool.name, turn.tool.arguments)
    if turn.run is not None:
        return shell(turn.run, tools)
    if turn.read is not None:
        return _own(READS, tools, turn.read) or shell(f"cat {quote(turn.read)}", tools)
    if turn.write:
        path, text = turn.write.path, turn.write.text
        return _own(WRITES, tools, path, text) or shell(heredoc(path, text), tools)
    if turn.edit:
        edit = turn.edit
        return _own(EDITS, tools, edit.path, edit.old, edit.new) or shell(
            f"OLD={quote(edit.old)} NEW={quote(edit.new)} "
            f"perl -0pi -e 's/\\Q$ENV{{OLD}}\\E/$ENV{{NEW}}/' {quote(edit.path)}",
            tools,
        )
    return None


def shell(command: str, tools: Tools) -> ToolCall | None:
    """A shell command; None where the agent offers no shell."""
    if CODE in tools:
        call = json.dumps({"cmd": command})
        code = f"const r = await tools.exec_command({call});\ntext(r.output);"
        return ToolCall(CODE, {}, code)
    name = next((name for name in SHELLS if name in tools), None)
    if name is None:
        return None
    takes = tools[name].get("properties", {})
    arguments: dict[str, Any] = {"cmd" if "cmd" in takes else "command": command}
    if takes.get("command", {}).get("type") == "array":
        arguments["command"] = ["sh", "-c", command]
    if "description" in takes:
        arguments["description"] = "run a command"
    if "is_background" in takes:
        arguments["is_background"] = False
    return ToolCall(name, arguments)


def heredoc(path: str, text: str) -> str:
    """A command that writes a file."""
    end = "END_OF_TEXT"
    while end in text:
        end += "_"
    return f"cat > {quote(path)} <<'{end}'\n{text.removesuffix(chr(10))}\n{end}"


def _own(names: Mapping[str, str | tuple[str, ...]], tools: Tools, *values: str) -> ToolCall | None:
    for name, keys in names.items():
        if name in tools:
            keys = (keys,) if isinstance(keys, str) else keys
            return ToolCall(name, dict(zip(keys, values, strict=True)))
    return None
