"""Predictions judged on the tasks of their rows, with the official reports.

What is judged is kept under the digests of the patch and of the task: a new patch never gets an old
verdict, and an interrupted run goes on where it stopped. One bad instance never loses the others.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from benchwright.formats import (
    Document,
    InfraError,
    InputError,
    TaskError,
    Verdict,
    parse,
    printable,
    read_bytes,
    write_atomic,
)
from benchwright.judge import judge
from benchwright.sandbox import Sandbox, choose
from benchwright.tasks import Task

from .grade import Grade, grade
from .ids import match
from .importing import ROW, import_row
from .pins import Pins
from .predictions import Prediction
from .report import Instance, instance_report, run_report
from .rows import Row

Progress = Callable[[str], None]
LOGS = Path("logs") / "run_evaluation"
KEPT = "instance.json"
UNPROVEN = ("vacuous", "unproven")


class Kept(Document):
    """What became of one prediction, and of which."""

    format: str = "benchwright.swebench/1"
    patch: str
    """sha256 of the patch."""
    task: str = ""
    """Digest of the task it was judged on; empty if it wasn't."""
    instance: Instance


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One run."""

    run_id: str
    out: Path
    """Where `logs/run_evaluation/RUN_ID` and the run report are written."""
    tasks: Path
    """Folder of the rows' tasks; what isn't there is imported if there are clones."""
    clones: Path | None = None
    pins: dict[str, Pins] = field(default_factory=dict)
    workers: int = 1
    seconds: float = 1800.0
    unguarded: bool = True
    sandbox: Sandbox | None = None
    progress: Progress = lambda _: None

    def run(self, rows: Sequence[Row], predictions: Iterable[Prediction]) -> dict[str, object]:
        """Judge every prediction and write every report; gives the run report."""
        known = {row.instance_id: row for row in rows}
        asked = [p for p in predictions if p.instance_id in known]
        with ThreadPoolExecutor(self.workers) as pool:
            done = list(pool.map(lambda p: self.one(known[p.instance_id], p), asked))
        report = run_report(known, done)
        model = asked[0].model.replace("/", "__") if asked else "none"
        path = self.out / f"{model}.{self.run_id}.json"
        write_atomic(path, json.dumps(report, indent=4).encode())
        self.progress(f"report: {path}")
        return report

    def one(self, row: Row, prediction: Prediction) -> Instance:
        """Judge one prediction, or take what is known of the same one."""
        folder = self.folder(prediction)
        patch = hashlib.sha256(prediction.patch.encode(errors="surrogatepass")).hexdigest()
        if (kept := self.known(folder, patch, row)) is not None:
            return kept
        task_digest, verdict = "", None
        if not prediction.patch.strip():
            instance = Instance(instance_id=row.instance_id, status="empty_patch")
        else:
            self.progress(f"{row.instance_id}: starting")
            instance, task_digest, verdict = self.judged(row, prediction)
        write_atomic(folder / "patch.diff", prediction.patch.encode(errors="surrogatepass"))
        if verdict is not None:
            verdict.write(folder / "verdict.json")
        report = json.dumps(instance_report(instance), indent=4)
        write_atomic(folder / "report.json", report.encode())
        Kept(patch=patch, task=task_digest, instance=instance).write(folder / KEPT)
        resolved = "resolved" if instance.resolved else instance.reason or "not resolved"
        self.progress(f"{row.instance_id}: {instance.status}, {resolved}")
        return instance

    def folder(self, prediction: Prediction) -> Path:
        """Where the official harness keeps an instance's files."""
        model = prediction.model.replace("/", "__") or "none"
        return self.out / LOGS / self.run_id / model / prediction.instance_id

    def known(self, folder: Path, patch: str, row: Row) -> Instance | None:
        """What is kept of the same patch on the same task; infra losses are tried again."""
        path = folder / KEPT
        if not path.is_file():
            return None
        kept = parse(Kept, read_bytes(path), path)
        if kept.patch != patch or kept.instance.status in ("infra", "not_built"):
            return None
        root = self.tasks / row.instance_id
        same = not kept.task or (root.is_dir() and Task.load(root).digest() == kept.task)
        return kept.instance if same else None

    def judged(self, row: Row, prediction: Prediction) -> tuple[Instance, str, Verdict | None]:
        """The instance, with the task's digest and the verdict where there are any."""
        name = row.instance_id
        try:
            task = self.task(row)
            verdict = self.verdict(task, prediction.patch)
        except InfraError as error:
            why = printable(str(error), 500)
            return Instance(instance_id=name, status="infra", reason=why), "", None
        except InputError as error:
            why = printable(str(error), 500)
            return Instance(instance_id=name, status="not_built", reason=why), "", None
        return instance_of(row, task, verdict), task.digest(), verdict

    def task(self, row: Row) -> Task:
        """The row's task, imported if it isn't there.

        Raises:
            TaskError: it isn't there, and there are no clones to make it from.
        """
        root = self.tasks / row.instance_id
        if root.is_dir():
            return Task.load(root)
        if self.clones is None:
            raise TaskError(
                f"{row.instance_id}: no task of it in {self.tasks}",
                hint="import it, or give --repos",
            )
        pins = self.pins.get(row.instance_id)
        return import_row(
            row,
            self.clones,
            root,
            pins=pins,
            sandbox=self.sandbox,
            progress=lambda text: self.progress(f"{row.instance_id}: {text}"),
        )

    def verdict(self, task: Task, patch: str) -> Verdict:
        """Judge one patch, within this run's limit."""
        limits = task.settings.limits
        limits = limits.model_copy(
            update={"suite_seconds": min(self.seconds, limits.suite_seconds)}
        )
        settings = task.settings.model_copy(update={"limits": limits})
        task = Task(task.root, task.config.model_copy(update={"benchwright": settings}))
        with tempfile.TemporaryDirectory(prefix="benchwright-") as scratch:
            path = Path(scratch) / "patch.diff"
            path.write_bytes(patch.encode(errors="surrogatepass"))
            if "diff --git" not in patch and "\n+++ " not in patch:
                path.write_bytes(b"diff --git \n" + path.read_bytes())
            return judge(task, path, sandbox=self.sandbox or choose(), unguarded=self.unguarded)


def instance_of(row: Row, task: Task, verdict: Verdict) -> Instance:
    """A verdict in the official terms."""
    name = row.instance_id
    how = next(
        (f.message.rpartition(" by ")[2] for f in verdict.findings if f.code == "applied"), ""
    )
    if verdict.status == "infra":
        return Instance(instance_id=name, status="infra", reason=verdict.error)
    if verdict.status == "unusable":
        why = "; ".join(f.message for f in verdict.findings if f.code == "unusable")
        return Instance(instance_id=name, status="not_applied", reason=why)
    late = [t for t in verdict.tests if t.outcome == "timeout" and "suite" in t.message]
    if late:
        reason = f"the suite took longer than it may; {len(late)} tests have no outcome"
        return Instance(instance_id=name, status="timed_out", applied=how, reason=reason)
    graded = graded_by(row, task, verdict)
    reason = "its tests were tampered with" if verdict.status == "tampered" else ""
    return Instance(instance_id=name, status="judged", grade=graded, applied=how, reason=reason)


def graded_by(row: Row, task: Task, verdict: Verdict) -> Grade:
    """The official grade, over the row's ids that count here.

    An id that stands for several tests has the worst of their outcomes.
    """
    outcomes = {
        test.id: "failed"
        if test.reason in UNPROVEN or verdict.status == "tampered"
        else test.outcome
        for test in verdict.tests
    }
    lists: list[list[str]] = []
    of_row: dict[str, str] = {}
    for ids in (row.fail_to_pass, row.pass_to_pass):
        kept = []
        for found in match(ids, [test.id for test in task.manifest.tests]):
            seen = [outcomes[name] for name in found.ids if name in outcomes]
            if seen:
                kept.append(found.row_id)
                of_row[found.row_id] = next((s for s in seen if s != "passed"), "passed")
        lists.append(kept)
    return grade(lists[0], lists[1], of_row)


def forget(evaluation: Evaluation) -> None:
    """Remove what a run kept."""
    shutil.rmtree(evaluation.out / LOGS / evaluation.run_id, ignore_errors=True)


__all__ = ["ROW", "Evaluation", "forget", "instance_of"]
