"""The choice of mutants is even over the code and the same on every run."""

from benchwright.formats import Mutant, Sort
from benchwright.mutants import sample


def mutant(name: str, subject: str, sort: Sort = "mutant") -> Mutant:
    return Mutant(
        id=name, sort=sort, operator="o", file="m.py", line=1, end_line=1, subject=subject,
        edits=(), change="",
    )  # fmt: skip


MANY = [mutant(f"big-{n}", "big") for n in range(50)] + [mutant(f"s-{n}", "s") for n in range(5)]


def test_every_place_gives_before_one_gives_more() -> None:
    chosen = sample(MANY, 10)

    assert sorted(m.subject for m in chosen) == ["big"] * 5 + ["s"] * 5


def test_omissions_and_missing_subsystems_are_always_run() -> None:
    others = [mutant("o", "big", "omission"), mutant("m", "big", "missing")]

    assert [m.id for m in sample([*others, *MANY], 0)] == ["o", "m"]


def test_the_choice_is_the_same_on_every_run() -> None:
    assert sample(MANY, 8) == sample(list(reversed(MANY)), 8)[::-1]


def test_few_are_all_run_in_their_order() -> None:
    assert sample(MANY, 100) == tuple(MANY)
