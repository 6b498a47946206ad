"""Attacks are tried here and before plain judges: they win there, and not here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from benchwright.attacks import STUBS, Arena, arena, chosen
from judge import shapes


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    task = shapes.write_task(tmp_path_factory.mktemp("task") / "shapes")
    with arena(task, pairs=1) as found:
        yield found


def test_a_half_solved_workspace_is_half_solved(here: Arena) -> None:
    base = here.base("half")

    assert 0.3 <= (base.verdict.score or 0) <= 0.7
    assert base.plain.exit == 0.0
    assert base.plain.junit == pytest.approx(base.verdict.score, abs=0.1)


@pytest.mark.parametrize("name", ["conftest", "no-call", "exit-at-import", "skip-in-call"])
def test_an_attack_fools_a_plain_judge_and_gains_nothing_here(here: Arena, name: str) -> None:
    (attack,) = chosen((name,))

    tried = here.attack(attack, "half")

    assert (tried.won, tried.gained) == (False, ())
    assert tried.counts


def test_the_untouched_workspace_is_the_tasks_own(here: Arena) -> None:
    base = here.base("empty")

    assert base.solved.removed == ()
    assert base.verdict.reward == 0.0


def test_what_a_stub_wins_as_well_is_no_forgery(here: Arena) -> None:
    (stub,) = (stub for stub in STUBS if stub.name == "returns-0")

    tried = here.attack(replace(stub, name="zeros"), "empty", plainly=False)

    assert tried.won
    assert "tests/test_shapes.py::test_area_of_nothing" in tried.gained
    assert tried.forged == ()
