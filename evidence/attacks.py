"""Attacks and honest submissions on a small and a medium library: who wins, who is accused.

`BENCHWRIGHT_EVIDENCE=slice` makes one library with a few attacks, variants and coins, `short` one
library with all of them. The table says which it is.
"""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import benchwright as bw
from benchwright.attacks import ATTACKS, STUBS, Arena, Attack, arena, chosen
from benchwright.formats import BenchwrightError, Verdict, apply
from benchwright.judge import calibrate
from benchwright.languages import get
from benchwright.sources import fetch
from benchwright.tasks import Task, walk

from ._kept import Kept

EXTENT = os.environ.get("BENCHWRIGHT_EVIDENCE", "full")
SLICE = EXTENT == "slice"
LIBRARIES = {"wcwidth==0.2.13": ("0.2.9", "0.2.12"), "tinydb==4.8.0": ("4.7.0", "4.7.1")}
"""Per library, two older releases."""
SIZES = ("half",) if SLICE else ("empty", "half", "most")
HONEST = (*(stub.name for stub in STUBS), "every-error", "lucky")
"""Attacks that are honest, if poor, submissions: they are never accused."""
VARIANTS = 5 if SLICE else 300
COINS = {"slice": 2, "short": 12}.get(EXTENT, 40)
PAIRS = 2
BARE = 5
"""Bare runs a round of the judge, in all of which a test must pass for its pass not to be luck."""
MIXES = {"slice": 1, "short": 5}.get(EXTENT, 20)
NAMES = ("conftest", "patched-report", "no-call", "hijacked-stream", "own-errors-only", "coin",
         "always-equal", "exit-at-import", "skip-in-call", "edited-tests")  # fmt: skip

Progress = Callable[[str], None]


def produce(progress: Progress) -> dict[str, Any]:
    """Attacks, coins and honest submissions, by library; what there is, where Ctrl-C ends it."""
    libraries = list(LIBRARIES) if EXTENT == "full" else list(LIBRARIES)[:1]
    rows: list[dict[str, Any]] = []
    kept, stopped = Kept("attacks"), False
    try:
        for library in libraries:
            rows.append({"library": library, "attacks": [], "coins": {}, "honest": []})
            with tempfile.TemporaryDirectory() as scratch:
                fill(rows[-1], Path(scratch), kept, progress)
    except KeyboardInterrupt:
        progress("stopping: what isn't tried is left out")
        stopped = True
    return {"extent": EXTENT, "stopped": stopped, "rows": rows, "totals": totals(rows)}


def fill(row: dict[str, Any], scratch: Path, kept: Kept, progress: Progress) -> None:
    """Everything about one library, put into its row as it is found."""
    library = row["library"]
    name = library.partition("=")[0]
    task = bw.author(f"pypi:{library}", "completion", scratch / name, progress=progress)
    calibrate(task, pairs=MIXES, progress=progress).write(task.validation / "controls.json")
    with arena(task, pairs=PAIRS, progress=progress) as here:
        for found in honest(here, submissions(here, library), kept, progress):
            row["honest"].append(found)
        for found in attacks(here, kept, progress):
            row["attacks"].append(found)
        row["coins"] = coins(here, progress)
        for found in honest(here, variants(here, task), kept, progress):
            row["honest"].append(found)


def attacks(here: Arena, kept: Kept, progress: Progress) -> Iterator[dict[str, Any]]:
    """Attack × workspace: what was gained here, and before the plain judges."""
    wanted = chosen(NAMES) if SLICE else ATTACKS
    for size in SIZES:
        for number, attack in enumerate(wanted, start=1):
            progress(f"{here.task.name}, {size}, {number} of {len(wanted)}: {attack.name}")
            key = f"{EXTENT} {here.task.name} {size} {attack.name}"
            yield kept.row(key, partial(attack_row, here, attack, size))


def attack_row(here: Arena, attack: Attack, size: Any) -> dict[str, Any]:
    """One attack on one workspace."""
    result = here.attack(attack, size)
    gained, forged = len(result.gained), len(result.forged)
    return asdict(result) | {"counts": result.counts, "gained": gained, "forged": forged}


def coins(here: Arena, progress: Progress) -> dict[str, Any]:
    """How often guessing by content wins an id, beside the stated bound."""
    (plain,) = chosen(("biased-coin",))
    base, won, tries, allowed = here.base("half"), 0, 0, 0.0
    guarded = {t.id for t in base.verdict.tests if t.guarded} - base.scored
    for salt in range(COINS):
        progress(f"{here.task.name}: coin {salt + 1} of {COINS}")

        def make(tree: Path, target: Any, salt: int = salt) -> None:
            plain(tree, target)
            entry = target.entry(tree)
            entry.write_text(entry.read_text().replace("SALT", f"SALT{salt}"))

        tried = here.attack(Attack("coin", ("K",), "", make), "half", plainly=False)
        won += len(set(tried.gained) & guarded)
        tries += len(guarded)
        allowed += len(guarded) * tried.bound
    return {
        "tries": tries,
        "won": won,
        "measured": round(won / tries, 4) if tries else 0.0,
        "bound": round(allowed / tries, 4) if tries else 0.0,
    }


def honest(
    here: Arena, trees: Iterator[tuple[str, Path]], kept: Kept, progress: Progress
) -> Iterator[dict[str, Any]]:
    """Honest submissions: never accused, and what passes a bare run scores."""
    for name, tree in trees:
        progress(f"{here.task.name}: honest: {name}")
        key = f"{EXTENT} {here.task.name} honest {name}"
        yield kept.row(key, partial(honest_row, here, name, tree))
        if tree.is_relative_to(here.work):
            shutil.rmtree(tree, ignore_errors=True)


def honest_row(here: Arena, name: str, tree: Path) -> dict[str, Any]:
    """One honest submission: what the judge made of it, beside a bare run."""
    verdict = here.judge(tree)
    why = {t.id: t.reason for t in verdict.tests}
    lost = sorted(passes(here, tree, verdict))
    return {
        "submission": name,
        "status": verdict.status,
        "score": verdict.score,
        "lost": len(lost),
        "vacuous": sum(why[t] == "vacuous" for t in lost),
        "unproven": sum(why[t] == "unproven" for t in lost),
        "accused": verdict.status == "tampered",
    }


def passes(here: Arena, tree: Path, verdict: Verdict) -> set[str]:
    """The tests that don't score and yet pass in every bare run, many more than the judge made."""
    left = {t.id for t in verdict.tests if not t.scores}
    rounds = len(verdict.guard.rounds) if verdict.guard else 1
    for _ in range(BARE * rounds):
        if not left:
            break
        bare = bw.judge(here.task, tree, pairs=0, unguarded=True)
        left &= {t.id for t in bare.tests if t.outcome == "passed"}
    return left


def submissions(here: Arena, library: str) -> Iterator[tuple[str, Path]]:
    """The reference, stubs, half stubs, slow and flaky ones, older releases."""
    task = here.task
    yield "reference", task.solution
    for size in ("half", "most"):
        kept = here.fresh()
        shutil.copytree(here.base(size).solved.path, kept)
        yield f"{size} stubs", kept
    for name in HONEST:
        tree = here.fresh()
        shutil.copytree(here.base("half").solved.path, tree)
        chosen((name,))[0](tree, here.target)
        yield name, tree
    for name, code in {
        "slow": "import time as _t\n_t.sleep(3)\n",
        "flaky": "import os as _o\nif _o.urandom(1)[0] < 40:\n    raise RuntimeError('flaky')\n",
    }.items():
        tree = here.fresh()
        shutil.copytree(task.solution, tree)
        here.target.inject(tree, code)
        yield name, tree
    name = library.partition("=")[0]
    for version in LIBRARIES[library][: 1 if SLICE else 2]:
        try:
            older = fetch(f"pypi:{name}=={version}").tree
        except BenchwrightError:
            continue
        yield f"{name} {version}", older


def variants(here: Arena, task: Task) -> Iterator[tuple[str, Path]]:
    """Rule-based wrong implementations, drawn at random; they didn't serve to choose controls."""
    language = get(task.settings.language)
    sealed = {name for name, _ in walk(task.hidden)}
    files = {n: p.read_bytes() for n, p in walk(task.solution) if p.is_file() and n not in sealed}
    rules, _ = language.rules(files, task.settings.product)
    wrong = language.wrong(files, task.settings.product, rules, {}).mutants
    draw = random.Random("variants")
    for mutant in draw.sample(list(wrong), min(VARIANTS, len(wrong))):
        tree = here.fresh()
        shutil.copytree(task.solution, tree)
        path = tree / mutant.file
        path.write_bytes(apply(path.read_bytes(), mutant.edits))
        yield f"variant {mutant.operator} {mutant.file}:{mutant.line}", tree


def totals(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The figures that matter."""
    tried = [a for r in rows for a in r["attacks"]]
    counted = [a for a in tried if a["counts"]]
    judged = [h for r in rows for h in r["honest"]]
    return {
        "attacks": len({a["attack"] for a in tried}),
        "trials": len(tried),
        "count": len(counted),
        "won": sum(a["won"] for a in tried if a["attack"] not in HONEST),
        "forged": sum(a["forged"] > 0 for a in tried if a["attack"] not in HONEST),
        "won_reward": sum(a["won_reward"] for a in tried),
        "honest": len(judged),
        "accused": sum(h["accused"] for h in judged),
        "lost": sum(h["lost"] for h in judged),
        "unproven": sum(h["unproven"] for h in judged),
    }
