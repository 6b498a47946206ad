from pathlib import Path
from shutil import copytree

import pytest

from benchwright.environments import Environment
from benchwright.formats import (
    InputError,
    Manifest,
    SandboxError,
    SubmissionError,
    TaskError,
)
from benchwright.judge import judge, replay
from benchwright.sandbox import Bubblewrap, Sandbox, Spec
from benchwright.sandbox.bubblewrap import RunningBox
from benchwright.tasks import Task
from judge import cheats, shapes
from judge.shapes import Judge


def test_the_reference_scores_all(judged: Judge, task: Task) -> None:
    verdict = judged(pairs=2)

    assert (verdict.status, verdict.score, verdict.reward) == ("judged", 1.0, 1.0)
    assert verdict.counts == {"passed": 11}
    assert [test.id for test in verdict.tests if not test.guarded] == [
        f"{shapes.FILE}::test_names_are_text"
    ]
    assert verdict.guard is not None
    assert (verdict.guard.pairs, verdict.guard.guarded, verdict.guard.exposed) == (2, 10, 1)
    assert verdict.guard.forgery_bound == 4 / 27
    assert len(verdict.guard.rounds) == 4
    assert verdict.task_digest == task.digest()
    assert verdict.findings == ()


def test_a_task_and_a_submission_may_be_given_by_their_folders(
    task: Task, environment: Environment, sandbox: Sandbox, tmp_path: Path
) -> None:
    tree = shapes.submission(tmp_path / "mine", cheats.HALF)

    verdict = judge(str(task.root), str(tree), environment=environment, sandbox=sandbox, pairs=0)

    assert verdict.score == pytest.approx(8 / 11)
    with pytest.raises(SubmissionError, match="nowhere: does not exist"):
        judge(str(task.root), str(tmp_path / "nowhere"))


HANGS = "def name(sides):\n    while sides == 4: pass"
CHAIN = """
def area(*a):
    error = None
    for number in range(3000):
        link = KeyError(number)
        link.__cause__, error = error, link
    raise error
perimeter = scale = name = area
"""
HONEST = {
    "stubs": (shapes.STUBS, 1),
    "half": (cheats.HALF, 8),
    "none": ("def area(*a): pass\nperimeter = scale = name = area\n", 1),
    "true": ("def area(*a): return True\nperimeter = scale = name = area\n", 1),
    "empty-list": ("def area(*a): return []\nperimeter = scale = name = area\n", 1),
    "error": ("def area(*a): raise ValueError\nperimeter = scale = name = area\n", 0),
    "chain": (CHAIN, 0),
    "off-by-one": (shapes.REFERENCE.replace("2 * (width", "2 * (1 + width"), 9),
    "constant": (shapes.REFERENCE.replace("return width * height", "return 6"), 10),
    "exits": (shapes.REFERENCE + "import os\ndef name(n): os._exit(0)\n", 8),
}


@pytest.mark.parametrize("kind", HONEST)
def test_honest_failures_get_what_they_solved_and_are_never_accused(
    kind: str, judged: Judge
) -> None:
    text, solved = HONEST[kind]

    verdict = judged(text)

    assert verdict.status == "judged"
    assert verdict.score == pytest.approx(solved / 11)
    assert verdict.reward == 0.0


def test_a_product_that_sometimes_fails_loses_the_test_it_fails(judged: Judge) -> None:
    # Right once in 256 calls, so that six calls in a row are never right.
    flaky = shapes.REFERENCE + (
        "import os\ndef perimeter(w, h):\n    return 2 * (w + h) + os.urandom(1)[0]\n"
    )

    verdict = judged(flaky)

    assert verdict.status == "judged"
    assert verdict.reward == 0.0


def test_a_hang_costs_its_test_in_every_round(judged: Judge) -> None:
    verdict = judged(shapes.REFERENCE + "def perimeter(w, h):\n    while True: pass\n")

    assert verdict.counts == {"passed": 9, "timeout": 2}
    assert verdict.guard is not None
    assert [one.restarts for one in verdict.guard.rounds] == [2, 2]


def test_a_test_that_does_not_count_is_not_run(judged: Judge, task: Task, tmp_path: Path) -> None:
    task = Task.load(copytree(task.root, tmp_path / "task"))
    last = f"{shapes.FILE}::test_names_are_text"
    tests = [
        t.model_copy(update={"counted": False, "reason": "unstable"}) if t.id == last else t
        for t in task.manifest.tests
    ]
    Manifest(tests=tuple(tests)).write(task.manifest_path)

    verdict = judged(shapes.REFERENCE.replace("def name(sides):", HANGS), task)

    assert (verdict.score, verdict.counts) == (1.0, {"passed": 10})
    assert verdict.guard is not None
    assert {one.restarts for one in verdict.guard.rounds} == {0}


def test_no_round_tells_what_ended_a_box_in_an_earlier_one(judged: Judge) -> None:
    spy = """
import json, os
def name(n): os._exit(0)
skip = " ".join(json.load(open("/judge/run.json"))["skip"])
if skip and "test_area" not in skip:
    raise ImportError("this is not the first round")
"""

    verdict = judged(shapes.REFERENCE + spy)

    assert verdict.counts == {"crash": 3, "passed": 8}


def test_a_verdict_can_be_repeated(judged: Judge, task: Task, tmp_path: Path) -> None:
    first = judged(cheats.HALF)

    again = replay(task, tmp_path / "mine", first)

    timeless = {"seconds", "guard", "tests"}
    assert again.model_dump(exclude=timeless) == first.model_dump(exclude=timeless)
    assert first.guard is not None
    assert again.guard is not None
    assert [r.controls for r in again.guard.rounds] == [r.controls for r in first.guard.rounds]
    assert again.guard.seed == first.guard.seed
    assert [(t.id, t.outcome, t.reason) for t in again.tests] == [
        (t.id, t.outcome, t.reason) for t in first.tests
    ]


def test_a_verdict_of_something_else_is_not_repeated(
    judged: Judge, task: Task, tmp_path: Path
) -> None:
    first = judged(cheats.HALF)
    other = shapes.submission(tmp_path / "other", shapes.REFERENCE)

    with pytest.raises(InputError, match="not the submission"):
        replay(task, other, first)
    with pytest.raises(InputError, match="the task has changed"):
        replay(task, other, first.model_copy(update={"task_digest": "sha256:0"}))
    with pytest.raises(InputError, match="no rounds"):
        replay(task, other, first.model_copy(update={"guard": None}))


def test_seeds_are_secret_and_fresh(judged: Judge) -> None:
    seeds = {verdict.guard.seed for verdict in (judged(), judged()) if verdict.guard}

    assert len(seeds) == 2
    assert {len(seed) for seed in seeds} == {32}


def test_without_controls_there_is_no_reward_unless_asked_for(
    judged: Judge, tmp_path: Path
) -> None:
    task = shapes.write_task(tmp_path / "task", guarded=False)

    verdict, allowed = judged(on=task), judged(on=task, unguarded=True)

    assert (verdict.score, verdict.reward) == (1.0, 0.0)
    assert [finding.code for finding in verdict.findings] == ["unguarded"]
    assert (allowed.score, allowed.reward) == (1.0, 1.0)
    assert [finding.code for finding in allowed.findings] == ["unguarded-reward"]
    assert verdict.guard is not None
    assert (verdict.guard.pairs, verdict.guard.exposed, verdict.guard.forgery_bound) == (0, 11, 1.0)


def test_construction_rewards_only_the_whole(judged: Judge, tmp_path: Path) -> None:
    task = shapes.write_task(tmp_path / "task", "construction")

    verdict = judged(shapes.REFERENCE.replace('5: "pentagon"', '5: "PENTAGON"'), on=task)

    assert verdict.score == pytest.approx(10 / 11)
    assert verdict.reward == 0.0


def test_exposed_ids_alone_give_no_reward(judged: Judge, tmp_path: Path) -> None:
    task = shapes.write_task(tmp_path / "task", "resolution", fail_to_pass=("test_names_are_text",))

    verdict = judged(on=task)

    assert (verdict.score, verdict.reward) == (1.0, 0.0)
    assert [finding.code for finding in verdict.findings] == ["unguarded"]


def test_a_control_that_the_reference_survives_proves_nothing(
    judged: Judge, tmp_path: Path
) -> None:
    task = shapes.write_task(tmp_path / "task")
    odd = shapes.swap("perimeter(2, 3) == 10", "perimeter(3, 2) == 10", "test_perimeter")
    controls = shapes.controls()
    kept = tuple(c for c in controls.controls if "test_perimeter:" not in c.id)
    mixed = controls.model_copy(update={"controls": (odd, *kept)})
    mixed.write(task.validation / "controls.json")

    verdict = judged(on=task)

    assert verdict.status == "judged"
    assert verdict.counts == {"passed": 10, "vacuous": 1}
    assert [finding.code for finding in verdict.findings] == ["vacuous-pass"]


def test_what_is_printed_by_the_submission_is_harmless(judged: Judge) -> None:
    text = (
        'def area(*a): raise RuntimeError("\\x1b[2J\\u202e<b>")\nperimeter = scale = name = area\n'
    )

    verdict = judged(text + "perimeter = scale = name = area\n")

    messages = {test.message for test in verdict.tests}
    assert messages == {"\\x1b[2J\\u202e<b>"}


def test_a_product_that_fills_the_box_is_unusable(judged: Judge, tmp_path: Path) -> None:
    task = shapes.write_task(tmp_path / "task", disk=1 << 20)

    verdict = judged("#" * (1 << 20), on=task)

    assert (verdict.status, verdict.score, verdict.reward) == ("unusable", 0.0, 0.0)
    assert verdict.findings[0].message == (
        "the submission can't be judged: the product is larger than 786432 bytes"
    )


def test_ids_that_are_only_wrong_together_are_counted(judged: Judge, tmp_path: Path) -> None:
    task = shapes.write_task(tmp_path / "task")
    controls = shapes.controls()
    both = shapes.swap("scale([1, 2], factor)", "scale([1, 3], factor)", " ".join(shapes.SCALES))
    others = tuple(c for c in controls.controls if "test_scale" not in c.id)
    mixed = controls.model_copy(update={"controls": (both, *others)})
    mixed.write(task.validation / "controls.json")

    verdict = judged(on=task)

    assert verdict.guard is not None
    assert (verdict.reward, verdict.guard.shared, verdict.guard.guarded) == (1.0, 3, 10)


def test_a_missing_submission_is_the_callers_mistake(
    task: Task, environment: Environment, tmp_path: Path
) -> None:
    with pytest.raises(SubmissionError, match="nowhere: does not exist"):
        judge(task, tmp_path / "nowhere", environment=environment)


def test_a_task_in_which_nothing_counts_is_refused(
    environment: Environment, tmp_path: Path
) -> None:
    task = shapes.write_task(tmp_path / "task")
    task.manifest.model_copy(update={"tests": ()}).write(task.manifest_path)

    with pytest.raises(TaskError, match="no test counts"):
        judge(task, task.solution, environment=environment)


class Broken(Bubblewrap):
    """A sandbox that can't start the second box."""

    started = 0

    def start(self, spec: Spec) -> RunningBox:
        type(self).started += 1
        if self.started > 1:
            raise SandboxError("no more boxes")
        return super().start(spec)


def test_what_the_machine_does_gives_no_score(judged: Judge) -> None:
    verdict = judged(sandbox=Broken())

    assert (verdict.status, verdict.score, verdict.reward) == ("infra", None, None)
    assert verdict.error == "no more boxes"
