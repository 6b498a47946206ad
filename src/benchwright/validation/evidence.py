"""Run the gates on a task and write what they found: evidence bound to what it speaks of.

What a gate found is kept beside the caches until all are done, under the digest of everything it
depends on: a run that was stopped goes on where it was, and evidence is written whole or not.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import time
from collections.abc import Collection
from pathlib import Path

from benchwright import __version__
from benchwright.environments import build, digest
from benchwright.formats import (
    Evidence,
    GateEvidence,
    InfraError,
    InputError,
    Record,
    Repair,
    StorageError,
    boundary,
    cache_root,
    parse,
    read_bytes,
    write_atomic,
)
from benchwright.languages import get
from benchwright.sandbox import Sandbox, choose
from benchwright.tasks import Task, program, walk

from .bench import Bench, Progress
from .card import card
from .gates import GATES, WRITES, Gate
from .repair import repair

EVIDENCE = "evidence.json"
CARD = "card.html"
ROUNDS = 8
"""How often a task is mended and looked at again, at most."""


def validate(
    task: Task | Path | str,
    *,
    sandbox: Sandbox | None = None,
    progress: Progress | None = None,
    fix: bool = False,
    gates: Collection[str] = (),
) -> Evidence:
    """Find out by execution whether a task is sound; write `validation/evidence.json`.

    Args:
        task: the task, or its folder.
        sandbox: where things run; the default one if not given.
        progress: told what is being done.
        fix: mend what can safely be mended, and report it.
        gates: names of the gates to run; all if empty. The others are `not run`.

    Raises:
        TaskError: the task is broken.
        InputError: there is no such gate.
        InfraError: the machine failed.
    """
    unknown = sorted(set(gates) - set(GATES))
    if unknown:
        raise InputError(f"{unknown[0]}: no such gate", hint=f"known: {', '.join(GATES)}")
    chosen = [name for name in GATES if name in gates or not gates]
    task = Task.of(task)
    say, box = progress or _silent, sandbox or choose()
    start = time.monotonic()
    repairs: list[Repair] = []
    for left in reversed(range(ROUNDS)):
        found, mended = _run(task, box, say, chosen, fix=fix and left > 0)
        repairs += mended
        if not mended:
            break
    return _write(task, box, found, tuple(repairs), time.monotonic() - start)


def _silent(message: str) -> None:
    """Say nothing."""


def _run(
    task: Task, box: Sandbox, say: Progress, chosen: list[str], *, fix: bool
) -> tuple[list[GateEvidence], tuple[Repair, ...]]:
    """Run the gates in turn; where one has something to mend, mend it and go no further."""
    environment = build(task.recipe, task.lock, progress=say)
    key = f"{program()} {task.root} {task.digest()} {environment.digest} {box.describe()}"
    kept = cache_root() / "validation" / hashlib.sha256(key.encode()).hexdigest()
    found: list[GateEvidence] = []
    with (
        boundary(StorageError, "no scratch space"),
        tempfile.TemporaryDirectory(prefix="benchwright-") as work,
    ):
        bench = Bench(task, get(task.settings.language), environment, box, Path(work), say)
        for name in chosen:
            found.append(_one(bench, name, GATES[name], kept))
            mended = repair(task, found[-1:]) if fix else ()
            for change in mended:
                say(f"fixed: {change.file}: {change.what}")
            if mended:
                return found, mended
    shutil.rmtree(kept, ignore_errors=True)
    left = [name for name in GATES if name not in chosen]
    skipped = [GateEvidence(name=n, status="not run", summary="not asked for") for n in left]
    return [*found, *skipped], ()


class _Kept(Record):
    """What a gate found in a run that was stopped, and the files it left."""

    evidence: GateEvidence
    files: dict[str, str]


def _one(bench: Bench, name: str, gate: Gate, kept: Path) -> GateEvidence:
    """A gate's evidence: of this run, or of the one that was stopped if its files still stand."""
    path = kept / f"{name}.json"
    if path.is_file():
        before = parse(_Kept, read_bytes(path), path)
        if before.files == _left(bench.task, name):
            bench.say(f"{name}: as the run before found it")
            return before.evidence
    start = time.monotonic()
    evidence = gate(bench)
    seconds = round(time.monotonic() - start, 2)
    evidence = evidence.model_copy(update={"seconds": seconds})
    bench.say(f"{name}: {evidence.status}: {evidence.summary}")
    now = _Kept(evidence=evidence, files=_left(bench.task, name))
    write_atomic(path, now.model_dump_json().encode())
    return evidence


def _left(task: Task, gate: str) -> dict[str, str]:
    """The files of a gate as they are."""
    paths = {name: task.validation / name for name in WRITES.get(gate, ())}
    return {name: _digest(p) if p.is_file() else "" for name, p in paths.items()}


def _write(
    task: Task,
    box: Sandbox,
    found: list[GateEvidence],
    repairs: tuple[Repair, ...],
    seconds: float,
) -> Evidence:
    evidence = Evidence(
        task=task.name,
        version=__version__,
        task_digest=task.digest(),
        environment_digest=digest(task.recipe, task.lock),
        files=file_digests(task),
        attachments=attachment_digests(task),
        sandbox=box.describe(),
        gates=tuple(found),
        repairs=repairs,
        seconds=round(seconds, 1),
    )
    with boundary(InfraError, f"{task.validation}: can't be written"):
        evidence.write(task.validation / EVIDENCE)
        write_atomic(task.validation / CARD, card(task, evidence).encode())
    return evidence


def file_digests(task: Task) -> dict[str, str]:
    """Every file of the task but those in `validation/`."""
    return {name: _digest(path) for name, path in walk(task.root, skip=("validation",))}


def attachment_digests(task: Task) -> dict[str, str]:
    """The files in `validation/` that the evidence speaks of."""
    if not task.validation.is_dir():
        return {}
    skipped = (EVIDENCE, CARD)
    return {n: _digest(p) for n, p in walk(task.validation) if n not in skipped}


def _digest(path: Path) -> str:
    data = str(path.readlink()).encode() if path.is_symlink() else path.read_bytes()
    return hashlib.sha256(data).hexdigest()
