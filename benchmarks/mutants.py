"""Mutants per second, side by side: ours, mutmut 3 and cosmic-ray, on one package and its tests.

Each runs the package's whole suite (or what it selects of it) on the mutants it makes; ours on the
operators that mutmut has, too, and completely instead of to the first failure. The others live in a
scratch environment of their own. Prints one JSON object.

Usage: python benchmarks/mutants.py [SPEC] [--limit MUTANTS]
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchwright.authoring import author
from benchwright.environments import build
from benchwright.judge import assemble
from benchwright.languages import get
from benchwright.mutants import Ground, Runner
from benchwright.sandbox import choose
from benchwright.tasks import Task

SHARED = ("arithmetic", "assignment", "argument", "boolean", "boundary", "comparison", "constant",
          "loop", "method", "removed-argument")  # fmt: skip
SECONDS = 900.0


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("spec", nargs="?", default="pypi:cachetools==5.5.0")
    parser.add_argument("--limit", type=int, default=0)
    asked = parser.parse_args()
    print(json.dumps(measure(asked.spec, asked.limit), indent=2))


def measure(spec: str, limit: int = 0) -> dict[str, Any]:
    """The three, one after the other, on one package."""
    with tempfile.TemporaryDirectory(prefix="benchwright-mutants-") as scratch:
        work = Path(scratch)
        task = author(spec, "completion", work / "task", progress=note)
        tools = install(work, task)
        rows = {"benchwright": ours(task, work, limit)}
        rows["mutmut"] = mutmut(task, work, tools)
        rows["cosmic-ray"] = cosmic_ray(task, work, tools)
    rate = rows["mutmut"]["per_second"]
    times = round(rows["benchwright"]["per_second"] / rate, 2) if rate else None
    return {"spec": spec, "rows": rows, "times_mutmut": times}


def note(message: str) -> None:
    """Progress, on stderr."""
    print(message, file=sys.stderr)


def ours(task: Task, work: Path, limit: int) -> dict[str, Any]:
    """Measure, then run every mutant of the shared operators on all tests that may notice it."""
    environment = build(task.recipe, task.lock)
    language = get("python")
    ground = Ground.prepare(task, language, environment, choose(), work / "ground", note)
    start = time.monotonic()
    measured = ground.measure()
    tests = tuple(t.id for t in task.manifest.counted if measured.tests[t.id].outcome == "passed")
    product = task.settings.product
    wrong = language.wrong(ground.files, product, (), measured.imported)
    mutants = [m for m in wrong.mutants if m.operator in SHARED]
    runner = Runner(ground, measured, tests, mutants[: limit or None], work / "kept")
    found = runner.run()
    seconds = time.monotonic() - start
    usable = [ran for ran in found.values() if not ran.broken]
    return row(len(usable), sum(bool(ran.failed) for ran in usable), seconds)


def row(mutants: int, killed: int, seconds: float) -> dict[str, Any]:
    """One line of the table."""
    rate = round(mutants / seconds, 2) if seconds else 0.0
    return {"mutants": mutants, "killed": killed, "seconds": round(seconds, 1), "per_second": rate}


def install(work: Path, task: Task) -> Path:
    """An environment with both tools and what the tests need; its folder of programs."""
    python = shutil.which(f"python{task.recipe.version}") or sys.executable
    subprocess.run([python, "-m", "venv", str(work / "venv")], check=True)
    programs = work / "venv" / "bin"
    wanted = [*task.recipe.requires, "mutmut==3.8.1", "cosmic-ray==8.7.0"]
    run = [str(programs / "python"), "-m", "pip", "install", "-q", *wanted]
    subprocess.run(run, check=True, stdout=sys.stderr)
    return programs


def project(task: Task, dest: Path) -> dict[str, str]:
    """The reference with its tests, as a checkout has them; the variables to run it with."""
    assemble(task, task.solution, dest)
    roots = [str(dest / root) for root in task.settings.product.roots]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(roots)}


def mutmut(task: Task, work: Path, tools: Path) -> dict[str, Any]:
    """`mutmut run` as it comes, on both cores."""
    tree = work / "mutmut"
    env = project(task, tree)
    paths = list(task.settings.product.paths)
    tests = list(task.settings.runner.paths)
    text = f"[mutmut]\npaths_to_mutate=\n{lines(paths)}tests_dir=\n{lines(tests)}"
    (tree / "setup.cfg").write_text(text + "also_copy=\n    README.md\n    README.rst\n")
    start = time.monotonic()
    said = call([str(tools / "mutmut"), "run", "--max-children", "2"], tree, env)
    seconds = time.monotonic() - start
    counts = re.findall(r"(\d+)/(\d+)\s+🎉 (\d+)", said)
    if not counts:
        return {**row(0, 0, seconds), "note": said[-300:]}
    done, _, killed = map(int, counts[-1])
    return row(done, killed, seconds)


def cosmic_ray(task: Task, work: Path, tools: Path) -> dict[str, Any]:
    """`cosmic-ray exec`, one worker, for as long as the others may take."""
    tree = work / "cosmic"
    env = project(task, tree)
    paths = ", ".join(json.dumps(path) for path in task.settings.product.paths)
    test = f"{tools / 'python'} -m pytest -x -q {' '.join(task.settings.runner.paths)}"
    (tree / "cosmic.toml").write_text(
        f"[cosmic-ray]\nmodule-path = [{paths}]\ntimeout = 20.0\nexcluded-modules = []\n"
        f"test-command = {json.dumps(test)}\n[cosmic-ray.distributor]\nname = 'local'\n"
    )
    program = str(tools / "cosmic-ray")
    call([program, "init", "cosmic.toml", "session.sqlite"], tree, env)
    start = time.monotonic()
    call([program, "exec", "cosmic.toml", "session.sqlite"], tree, env, SECONDS / 5)
    seconds = time.monotonic() - start
    said = call([str(tools / "cr-report"), "session.sqlite"], tree, env)
    done = re.search(r"complete: (\d+)", said)
    alive = re.search(r"surviving mutants: (\d+)", said)
    count = int(done.group(1)) if done else 0
    return row(count, count - int(alive.group(1)) if alive else 0, seconds)


def lines(values: list[str]) -> str:
    """A list in a configuration file."""
    return "".join(f"    {value}\n" for value in values)


def call(command: list[str], tree: Path, env: dict[str, str], seconds: float = SECONDS) -> str:
    """What a program says; what takes too long is ended and what it said so far is used."""
    with tempfile.TemporaryFile("w+", errors="replace") as said:
        process = subprocess.Popen(
            command, cwd=tree, env=env, stdout=said, stderr=said, start_new_session=True
        )
        try:
            process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            note(f"{command[0]}: ended after {seconds:.0f} s")
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        said.seek(0)
        return said.read()


if __name__ == "__main__":
    main()
