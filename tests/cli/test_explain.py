"""`benchwright explain`: what isn't a verdict on this task is refused in one line."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchwright.formats import Verdict
from judge import shapes

OTHER = Verdict(
    task="someone/else", task_digest="", submission_digest="", environment_digest="",
    status="judged", score=0.0, reward=0.0, counts={}, tests=(),
)  # fmt: skip


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "not JSON"),
        ("[]", "document: "),
        ('{"verdict": {"task": 1}}', "task: "),
        ('{"verdict": ["\\u001b[2J"]}', "document: "),
        (OTHER.model_dump_json(), "a verdict on someone/else, not on "),
        (json.dumps({"verdict": OTHER.model_dump(mode="json")}), "a verdict on someone/else, not"),
    ],
)
def test_what_is_no_verdict_on_the_task_is_refused(content: str, says: str, tmp_path: Path) -> None:
    task = shapes.write_task(tmp_path / "tâsk [1]")
    verdict = tmp_path / "vérdict.json"
    verdict.write_text(content)

    command = [sys.executable, "-m", "benchwright", "explain", str(verdict), str(task.root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"benchwright: {verdict}: ")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
