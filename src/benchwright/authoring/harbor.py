"""The files by which a task also runs in Harbor: images, `tests/test.sh` and `solution/solve.sh`.

There the suite runs once, in one container, and the reward is what it claims: the pairs of rounds
that make a verdict hard to forge are `benchwright judge`'s alone.
"""

from __future__ import annotations

import shlex
from pathlib import Path

from benchwright import environments
from benchwright.formats import Lock, Recipe, Settings, write_atomic
from benchwright.languages import Language

TEST = """#!/bin/sh
# {canary}
# Runs the hidden tests once and writes the reward for Harbor. `benchwright judge` does more.
set -u
mkdir -p /logs/verifier
# A run that ends early is a failure, not a missing result.
echo '{{"reward": 0.0}}' > /logs/verifier/reward.json
rm -rf /work && mkdir -p /work /judge /meta
cp -a /tests/scaffold/. /work/
for path in {paths}; do
    if [ -e "/app/$path" ]; then
        mkdir -p "$(dirname "/work/$path")" && cp -a "/app/$path" "$(dirname "/work/$path")/"
    fi
done
cp -a /tests/files/. /work/
cp -a /tests/judge/. /judge/
[ -d /tests/metadata ] && cp -a /tests/metadata/. /meta/
cd /work || exit 1
env {variables} BENCHWRIGHT_EVENTS=3 {command} 3>/tmp/events.jsonl
{python} /judge/reward.py /tests/manifest.json /tmp/events.jsonl {kind} {threshold}
"""
SOLVE = """#!/bin/sh
# {canary}
set -eu
mkdir -p /app && cp -a /solution/files/. /app/
"""
REWARD = '''"""Counts the expected tests that passed, and writes Harbor's reward."""

import json
import sys

with open(sys.argv[1]) as manifest:
    counted = [test["id"] for test in json.load(manifest)["tests"] if test["counted"]]
worst = {}
with open(sys.argv[2], errors="replace") as events:
    for line in events:
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if event.get("phase") in ("setup", "call", "teardown"):
            outcome = event.get("outcome")
            if outcome not in ("started", "passed"):
                worst[event["id"]] = outcome
            elif outcome == "passed" and event["phase"] == "call":
                worst.setdefault(event["id"], "passed")
score = sum(worst.get(name) == "passed" for name in counted) / len(counted)
needed = float(sys.argv[4]) if sys.argv[3] == "completion" else 1.0
with open("/logs/verifier/reward-details.json", "w") as file:
    outcomes = {name: worst.get(name, "missing") for name in counted}
    json.dump({"score": score, "outcomes": outcomes}, file)
with open("/logs/verifier/reward.json", "w") as file:
    json.dump({"reward": float(score >= needed)}, file)
'''
AGENT_IMAGE = """
COPY workspace/ /app/
COPY docs/ /docs/
"""
VERIFIER_IMAGE = """
COPY . /tests/
"""
ARTIFACTS = ["/app"]
"""What crosses from the agent's container into the verifier's."""


def write(root: Path, settings: Settings, language: Language) -> None:
    """Write Harbor's files into a task's folder."""
    with_metadata = (root / "tests" / "metadata").is_dir()
    run = language.suite(settings.runner, settings.product, metadata=with_metadata)
    for mount in run.mounts:
        name = mount.target.rsplit("/", 1)[-1]
        write_atomic(root / "tests" / "judge" / name, mount.content)
    write_atomic(root / "tests" / "judge" / "reward.py", REWARD.encode())
    variables = {**language.variables, **run.env}
    test = TEST.format(
        canary=settings.canary,
        paths=shlex.join(settings.product.paths),
        variables=shlex.join(f"{key}={value}" for key, value in variables.items()),
        command=shlex.join(run.command),
        python=shlex.quote(run.command[0]),
        kind=settings.kind,
        threshold=settings.scoring.threshold,
    )
    write_atomic(root / "tests" / "test.sh", test.encode(), 0o755)
    solve = SOLVE.format(canary=settings.canary)
    write_atomic(root / "solution" / "solve.sh", solve.encode(), 0o755)


def images(root: Path, recipe: Recipe, lock: Lock) -> None:
    """Write the Dockerfiles of the agent's container and of the verifier's."""
    base = environments.dockerfile(recipe, lock)
    write_atomic(root / "environment" / "Dockerfile", (base + AGENT_IMAGE).encode())
    write_atomic(root / "tests" / "Dockerfile", (base + VERIFIER_IMAGE).encode())
