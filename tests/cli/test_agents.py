import json
import signal
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from benchwright.cli.main import main


def call(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(words)
    return int(ended.value.code or 0)


def test_the_list_of_agents(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("BENCHWRIGHT_CACHE", str(tmp_path))

    assert call("agents", "list", "--json") == 0

    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["codex"] == {"name": "codex", "tried": "0.171.0", "installed": []}
    assert rows["oracle"] == {"name": "oracle", "tried": None, "installed": []}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("agents", "install"), "no agent to install"),
        (("agents", "install", "no-such"), "known: claude-code"),
        (("agents", "install", "codex@../../x"), "not a version"),
        (("model", "serve", "/no/such.yaml"), "does not exist"),
    ],
)
def test_bad_input_is_one_line(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], message: str
) -> None:
    assert call(*words) == 2

    said = capsys.readouterr().err
    assert message in said
    assert len(said.splitlines()) == 1


def test_a_scripted_model_is_served_until_interrupted(tmp_path: Path) -> None:
    script = tmp_path / "script.yaml"
    script.write_text("turns: [{say: hello}]\n")
    command = [sys.executable, "-m", "benchwright", "model", "serve", str(script), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as serving:
        assert serving.stdout is not None
        url = serving.stdout.readline().split(" at ")[1].split()[0]
        body = {"model": "m", "messages": [], "tools": [{"function": {"name": "bash"}}]}
        answer = httpx2.post(f"{url}/v1/chat/completions", json=body).json()
        serving.send_signal(signal.SIGINT)
        rest = serving.stdout.read()

    assert answer["choices"][0]["message"]["content"] == "hello"
    assert (serving.returncode, rest) == (0, "1 calls answered\n")
