"""Try attacks on a task: here, and before the two plain judges."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchwright.environments import Environment, build
from benchwright.formats import StorageError, Verdict, boundary
from benchwright.judge import Rig, assemble, judge, run_suite
from benchwright.sandbox import Sandbox, choose
from benchwright.tasks import Task

from .attack import Attack, Target
from .objects import STUBS
from .plain import Plain, plain
from .trees import SIZES, Size, Solved, grow

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Base:
    """A workspace without an attack, judged."""

    solved: Solved
    verdict: Verdict
    plain: Plain

    @property
    def scored(self) -> frozenset[str]:
        """The ids that score."""
        return scored(self.verdict)


@dataclass(frozen=True, slots=True)
class Tried:
    """One attack on one workspace."""

    attack: str
    rows: tuple[str, ...]
    tree: Size
    base: float
    score: float
    reward: float
    status: str
    gained: tuple[str, ...]
    """Ids that score with the attack and don't without it."""
    forged: tuple[str, ...]
    """Those of them that no honest stub wins: one that returns a constant for what isn't solved."""
    accused: bool
    bound: float
    """The verdict's chance of winning one guarded id by guessing."""
    unsolved: int
    won: bool
    """Score or reward is above that of the same workspace without the attack."""
    won_reward: bool
    """All ids scored: construction and resolution would be rewarded."""
    won_exit: bool
    won_junit: bool
    seconds: float

    @property
    def beyond(self) -> bool:
        """Whether it wins more than guessing may: a reward, or clearly more ids than the bound."""
        return self.won_reward or len(self.forged) > 3 + 4 * self.bound * self.unsolved

    @property
    def counts(self) -> bool:
        """Whether it is an attack at all: it wins before a plain judge."""
        return self.won_exit or self.won_junit


@dataclass(slots=True)
class Arena:
    """One task, its workspaces, and what attacks gain on them."""

    task: Task
    sandbox: Sandbox
    environment: Environment
    work: Path
    pairs: int | None = None
    seed: int = 0
    say: Progress = print
    bases: dict[Size, Base] = field(default_factory=dict)
    _stubs: dict[Size, frozenset[str]] = field(default_factory=dict)
    _count: int = 0

    @property
    def target(self) -> Target:
        """What the attacks are made for."""
        files = sorted({test.file for test in self.task.manifest.tests})
        return Target(self.task.settings, tuple(files))

    def base(self, size: Size) -> Base:
        """A workspace of this size, made and judged once."""
        if size not in self.bases:
            self.say(f"making a workspace: {size}")
            solved = grow(self.task, size, self.work / f"base-{size}", self.passes, self.seed)
            verdict = self.judge(solved.path)
            self.bases[size] = Base(solved, verdict, self.plainly(solved.path))
        return self.bases[size]

    def passes(self, workspace: Path) -> float:
        """The share of counted tests that pass on a workspace, run once."""
        tree = self.fresh()
        assemble(self.task, workspace, tree)
        result = run_suite(tree, Rig.of(self.task, self.environment, self.sandbox))
        shutil.rmtree(tree, ignore_errors=True)
        counted = self.task.manifest.counted
        return sum(result.outcome(t.id, t.file).outcome == "passed" for t in counted) / len(counted)

    def judge(self, workspace: Path) -> Verdict:
        """Judge a workspace here."""
        return judge(
            self.task,
            workspace,
            sandbox=self.sandbox,
            environment=self.environment,
            pairs=self.pairs,
        )

    def plainly(self, workspace: Path) -> Plain:
        """Judge a workspace by the plain judges."""
        work = self.fresh()
        try:
            return plain(self.task, workspace, self.environment, self.sandbox, work)
        finally:
            shutil.rmtree(work, ignore_errors=True)

    def fresh(self) -> Path:
        """A path below the scratch that doesn't exist yet."""
        self._count += 1
        return self.work / f"tree-{self._count}"

    def attack(self, attack: Attack, size: Size, *, plainly: bool = True) -> Tried:
        """Try one attack on one workspace."""
        base = self.base(size)
        with self.attacked(attack, size) as tree:
            verdict = self.judge(tree)
            seen = self.plainly(tree) if plainly else base.plain
        found = tried(attack, base, verdict, seen)
        if not found.gained:
            return found
        return replace(found, forged=tuple(t for t in found.gained if t not in self.stubs(size)))

    def stubs(self, size: Size) -> frozenset[str]:
        """The ids that stubs win on a workspace, by returning a constant for what isn't solved."""
        if size not in self._stubs:
            won: set[str] = set()
            for stub in STUBS:
                self.say(f"{size}: what an honest stub wins: {stub.name}")
                with self.attacked(stub, size) as tree:
                    won |= scored(self.judge(tree))
            self._stubs[size] = frozenset(won)
        return self._stubs[size]

    @contextmanager
    def attacked(self, attack: Attack, size: Size) -> Iterator[Path]:
        """A workspace with an attack in it, for as long as it is needed."""
        tree = self.fresh()
        shutil.copytree(self.base(size).solved.path, tree)
        attack(tree, self.target)
        try:
            yield tree
        finally:
            shutil.rmtree(tree, ignore_errors=True)


def tried(attack: Attack, base: Base, verdict: Verdict, seen: Plain) -> Tried:
    """What an attack came to."""
    before, after = base.verdict.score or 0.0, verdict.score or 0.0
    gained = tuple(sorted(scored(verdict) - base.scored)) if after else ()
    reward = verdict.reward or 0.0
    return Tried(
        attack=attack.name,
        rows=attack.rows,
        tree=base.solved.size,
        base=before,
        score=after,
        reward=reward,
        status=verdict.status,
        gained=gained,
        forged=gained,
        accused=verdict.status == "tampered",
        bound=verdict.guard.forgery_bound if verdict.guard else 1.0,
        unsolved=len(base.verdict.tests) - len(base.scored),
        won=after > before or reward > (base.verdict.reward or 0.0),
        won_reward=after == 1.0 > before,
        won_exit=seen.exit > base.plain.exit,
        won_junit=seen.junit > base.plain.junit,
        seconds=verdict.seconds,
    )


def scored(verdict: Verdict) -> frozenset[str]:
    """The ids that score."""
    return frozenset(test.id for test in verdict.tests if test.scores)


@contextmanager
def arena(
    task: Task,
    *,
    sandbox: Sandbox | None = None,
    pairs: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Iterator[Arena]:
    """An arena for a task, with scratch that goes away."""
    say = progress or (lambda _: None)
    with (
        boundary(StorageError, "no scratch space"),
        tempfile.TemporaryDirectory(prefix="benchwright-") as work,
    ):
        environment = build(task.recipe, task.lock, progress=say)
        box = sandbox or choose()
        yield Arena(task, box, environment, Path(work), pairs, seed, say)


def attack_all(
    task: Task,
    attacks: Sequence[Attack],
    *,
    sizes: Sequence[Size] = SIZES,
    sandbox: Sandbox | None = None,
    pairs: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Iterator[Tried]:
    """Try attacks on workspaces of a task, one after the other.

    Args:
        task: with controls.
        attacks: which.
        sizes: on which workspaces.
        sandbox: where everything runs; the default one if not given.
        pairs: of rounds; the task's own number if not given.
        seed: draws what the workspaces lack.
        progress: told what is being done.

    Raises:
        InputError: no workspace of a size can be made.
        InfraError: the machine failed.
    """
    with arena(task, sandbox=sandbox, pairs=pairs, seed=seed, progress=progress) as here:
        for size in sizes:
            for number, attack in enumerate(attacks, start=1):
                here.base(size)
                here.say(f"{size}, {number} of {len(attacks)}: {attack.name}")
                yield here.attack(attack, size)
