import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchwright.cli.main import COMMANDS, build

PROGRAM = [sys.executable, "-m", "benchwright"]


def call(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *arguments], capture_output=True, text=True, check=False, env=os.environ | env
    )


def test_help_lists_every_command_with_its_summary() -> None:
    done = call("--help")

    assert (done.returncode, done.stderr) == (0, "")
    for name, (_, summary) in COMMANDS.items():
        assert f"{name} " in done.stdout
        assert summary in done.stdout


def test_help_imports_nothing_that_takes_time() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "benchwright", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )

    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert loaded & {"cyclopts", "pydantic", "rich", "libcst", "benchwright.formats"} == set()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str) -> None:
    app = build([name])

    assert app[name].help or app[name].default_command is not None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rnu"], "benchwright: no such command: rnu (did you mean: run)\n"),
        (["\x1b[2J"], "benchwright: no such command: \\x1b[2J (see: benchwright --help)\n"),
        (["report"], "benchwright: "),
        (["report", "/no/such/job"], "benchwright: /no/such/job: not a job: "),
        (["report", "--no-such-option", "x"], "benchwright: "),
        (["run", "/no/such/task", "-a", "nop"], "benchwright: /no/such/task: neither a task nor"),
        (["run"], "benchwright: no task to run (name task folders, or folders of them)\n"),
        (["run", "x", "--attempts", "many"], "benchwright: "),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(arguments: list[str], message: str) -> None:
    done = call(*arguments)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(message)
    assert done.stderr.count("\n") == 1


def test_a_locale_that_cannot_show_a_name_gets_an_escape() -> None:
    done = call("report", "/no/such/jöb", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")

    assert done.returncode == 2
    assert done.stderr.startswith("benchwright: /no/such/j")
    assert "Traceback" not in done.stderr


def test_a_reader_that_goes_away_is_no_error() -> None:
    read, write = os.pipe()
    os.close(read)

    done = subprocess.run(
        [*PROGRAM, "--help"], stdout=write, stderr=subprocess.PIPE, text=True, check=False
    )

    os.close(write)
    assert (done.returncode, done.stderr) == (141, "")


WAITS = """
from benchwright.cli import main
def wait():
    import time
    print("ready", flush=True)
    time.sleep(60)
import sys
sys.exit(main.guarded(wait))
"""


def test_ctrl_c_is_exit_code_130() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", WAITS], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout
    process.stdout.readline()
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)

    _, said = process.communicate(timeout=20)

    assert (process.returncode, said) == (130, "benchwright: interrupted\n")


def test_report_reads_a_job_from_disk(tmp_path: Path) -> None:
    (tmp_path / "job.toml").write_text("format = 'benchwright.job/1'\nsurprise = 1\n")

    done = call("report", str(tmp_path))

    assert done.returncode == 2
    assert "job.toml: created: Field required" in done.stderr
