"""The door of a real box: the commands in it, and what ends the work."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchwright.formats import Budget
from benchwright.gateway import (
    Account,
    DoorService,
    Gateway,
    Models,
    Services,
    Trial,
    Upstream,
    calls,
)
from benchwright.gateway.scripted import Script, ScriptedModel
from benchwright.sandbox import Caps, Completed, Mount, Sandbox, Spec, choose
from gateway.shapes import KEY, PRICES

Run = Callable[..., Completed]


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    return choose()


@pytest.fixture
def service(gateway: Gateway, tmp_path: Path) -> Iterator[DoorService]:
    script = Script.model_validate({"turns": [{"say": "hello"}]})
    with ScriptedModel(script).serve() as url:
        models = Models({"openai": Upstream(url, KEY)}, {"*": "m"})
        services = Services(allow=("lint",), limit=1, check=lambda kind: f"{kind}: 2 problems")
        accounts = (Account(tmp_path / "ledger.jsonl", Budget(calls=1)),)
        trial = Trial("t", models, accounts, PRICES, services)
        yield DoorService(gateway, trial, tmp_path)


def run(sandbox: Sandbox, service: DoorService, line: str, *mounts: Mount) -> Completed:
    spec = Spec(
        command=("/bin/sh", "-c", line),
        mounts=(*service.mounts, *mounts),
        env={**service.env, "PATH": "/door:/usr/bin:/bin"},
        caps=Caps(wall_seconds=20),
        door=True,
    )
    with sandbox.start(spec) as box, service.serve(box):
        return box.wait()


def test_submitting_ends_a_box_that_hangs(sandbox: Sandbox, service: DoorService) -> None:
    started = time.monotonic()

    done = run(sandbox, service, "submit all done; submit; sleep 60")

    assert done.stdout.decode() == (
        "submitted: the work as it is now will be judged\n"
        "already submitted: the first submission counts\n"
    )
    assert (done.end, service.ended) == ("killed", "submitted")
    assert time.monotonic() - started < 10


def test_checking(sandbox: Sandbox, service: DoorService) -> None:
    done = run(sandbox, service, "check lint; echo $?; check lint; echo $?")

    assert done.stdout.decode() == (
        "lint: 2 problems\n(0 of 1 checks left)\n0\nno checks left (of 1)\n1\n"
    )
    assert service.ended is None


@pytest.mark.parametrize("program", ["bash", "perl"])
def test_the_commands_need_no_program_in_particular(
    sandbox: Sandbox, service: DoorService, program: str
) -> None:
    tools = ["sh", "cat", "wc", program]
    line = (
        f"mkdir /tmp/bin; for t in {' '.join(tools)}; do ln -s $(command -v $t) /tmp/bin/$t; done;"
        "PATH=/tmp/bin exec /door/check lint"
    )

    assert run(sandbox, service, line).stdout.decode().startswith("lint: 2 problems\n")


def test_the_commands_cannot_be_changed(sandbox: Sandbox, service: DoorService) -> None:
    line = "echo x > /door/submit; rm -f /door/submit; mv /door/check /tmp; ls /door"

    done = run(sandbox, service, line)

    assert done.stdout.decode() == "check\nsubmit\n"
    assert done.stderr.count(b"Read-only file system") == 3


CALL = (
    "curl -s -o /tmp/answer -w '%{http_code} ' -H \"authorization: Bearer $OPENAI_API_KEY\" "
    '-d \'{"model": "x", "messages": []}\' $OPENAI_BASE_URL/chat/completions'
)


def test_model_calls_and_a_spent_budget(sandbox: Sandbox, service: DoorService) -> None:
    done = run(sandbox, service, f"{CALL}; {CALL}; cat /tmp/answer")

    assert done.stdout.startswith(b"200 400 ")
    assert b"the budget of calls is spent" in done.stdout
    assert (service.ended, service.usage.calls) == ("budget", 1)


def test_the_real_key_is_nowhere_in_the_box(
    sandbox: Sandbox, service: DoorService, tmp_path: Path
) -> None:
    workspace = tmp_path / "app"
    workspace.mkdir()
    sandbox.give(workspace)
    line = f"{CALL}; env; cat /proc/self/environ /proc/self/mountinfo; cat /door/* /tmp/*"

    done = run(sandbox, service, line, Mount("/app", "rw", workspace))

    assert KEY.encode() not in done.stdout + done.stderr
    assert service.trial.token.encode() in done.stdout
    kept = [p for p in tmp_path.rglob("*") if p.is_file() and KEY.encode() in p.read_bytes()]
    assert kept == []


def test_a_box_killed_during_a_call(sandbox: Sandbox, service: DoorService) -> None:
    done = run(sandbox, service, f"{CALL} & submit; kill -9 $$")

    assert done.exit_code != 0
    ledger = service.trial.accounts[0].path  # there is none where the box died before the call
    lines = list(calls(ledger.read_bytes())) if ledger.exists() else []
    assert [line.model for line in lines] in ([], ["m"])
