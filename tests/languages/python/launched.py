"""The launcher started without a box, and what it says."""

import json
import os
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

from uv import find_uv_bin


def run(
    tree: Path, python: str, packages: str, **more: object
) -> list[dict[str, str | int | float]]:
    """The events of one run of the suite."""
    home = tree.parent / "judge"
    shutil.copytree(str(files("benchwright.languages.python") / "runner"), home)
    (home / "pytest.ini").write_text("[pytest]\n")
    config: dict[str, object] = {
        "runner": "pytest", "tree": str(tree), "roots": ["."], "metadata": "",
        "paths": ["tests", "pkg"],
        "plugins": [], "options": ["--doctest-modules"], "skip": [], "skip_files": [],
        "seed": None, "tests": ["tests"], "product": ["pkg"], "own": False,
    }  # fmt: skip
    (home / "run.json").write_text(json.dumps({**config, **more}))
    read, write = os.pipe()
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": packages, "BENCHWRIGHT_EVENTS": str(write)}
    with os.fdopen(read, "rb") as stream:
        process = subprocess.Popen(
            [python, "-s", "-B", str(home / "launch.py")],
            pass_fds=(write,),
            env=env,
            cwd=tree,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        os.close(write)
        lines = stream.read().splitlines()
        _, said = process.communicate()
    assert process.returncode == 0, said
    return [json.loads(line) for line in lines]


def outcomes(events: list[dict[str, str | int | float]]) -> dict[object, tuple[object, ...]]:
    """Per id, the worst that was said of it."""
    found: dict[object, tuple[object, ...]] = {}
    for event in events:
        if event["phase"] in ("setup", "call", "teardown") and event["outcome"] != "started":
            if event["outcome"] == "done" or found.get(event["id"], ("passed",))[0] != "passed":
                continue
            place = (event.get("exception", ""), event.get("file", ""), event.get("line", 0))
            found[event["id"]] = (event["outcome"], *place)
    return found


def collected(events: list[dict[str, str | int | float]], outcome: str) -> set[object]:
    """What ended so when it was collected."""
    return {e["id"] for e in events if (e["phase"], e["outcome"]) == ("collect", outcome)}


def packages(python: str, tmp: Path, *wanted: str) -> str:
    """A folder with packages in it."""
    folder = tmp / "packages"
    command = [find_uv_bin(), "pip", "install", "-q", "--python", python, "--target", str(folder)]
    subprocess.run([*command, *wanted], check=True)
    return str(folder)
