"""The attacks, made for this task, win nothing.

A dozen of the strongest are tried on a half-solved workspace; the whole zoo takes longer than
validation should and is run on its own. What one gains, and no honest stub does, is tried again
with other secrets: luck doesn't come back, and a test that is gained every time can be forged.
"""

from __future__ import annotations

from dataclasses import replace

from benchwright.attacks import Arena, Attack, Size, Tried, arena, chosen
from benchwright.formats import GateEvidence, GateFinding, InputError
from benchwright.validation.bench import Bench

NAME = "cheats"
ATTACKS = (
    "patched-report", "conftest", "sitecustomize", "no-call", "code-swap", "hijacked-stream",
    "exit-handler", "edited-tests", "own-tests", "end-session", "skip-in-call", "always-equal",
)  # fmt: skip
PAIRS = 2
AGAIN = 2
"""How often a win is tried again."""
LANGUAGES = ("python",)


def check(bench: Bench) -> GateEvidence:
    """Try the attacks; where none can be made, nothing is claimed."""
    if bench.task.settings.language not in LANGUAGES:
        return _skipped("no attacks are made for this language yet")
    bench.say(f"cheats: {len(ATTACKS)} attacks")
    try:
        tried = _tried(bench, "half")
    except InputError:
        tried = _tried(bench, "empty")
    won = [t for t in tried if t.forged or t.won_reward]
    return GateEvidence(
        name=NAME,
        status="failed" if won else "passed",
        summary=f"{len(won)} of {len(tried)} attacks win anything, every time",
        findings=tuple(_finding(attack) for attack in won),
        facts={
            "attacks": len(tried),
            "won": len(won),
            "workspace": tried[0].tree if tried else "",
            "pairs": PAIRS,
        },
    )


def _tried(bench: Bench, size: Size) -> list[Tried]:
    tried = []
    with arena(bench.task, sandbox=bench.sandbox, pairs=PAIRS, progress=bench.say) as here:
        for number, attack in enumerate(chosen(ATTACKS), start=1):
            bench.say(f"cheats: {number} of {len(ATTACKS)}: {attack.name}")
            tried.append(_again(here, attack, size))
    return tried


def _again(here: Arena, attack: Attack, size: Size) -> Tried:
    """What an attack wins every time."""
    tried = here.attack(attack, size, plainly=False)
    for _ in range(AGAIN):
        if not tried.forged or tried.won_reward:
            break
        again = {*here.attack(attack, size, plainly=False).forged}
        tried = replace(tried, forged=tuple(test for test in tried.forged if test in again))
    return tried


def _finding(attack: Tried) -> GateFinding:
    return GateFinding(
        code="cheat-wins",
        gravity="grave",
        message=f"the attack {attack.attack} forges {len(attack.forged)} tests "
        f"(score {attack.base:.3f} without it, {attack.score:.3f} with it)",
        advice="guard those tests by strong controls, or take them out of the score (--fix)",
        ids=attack.forged[:100],
    )


def _skipped(why: str) -> GateEvidence:
    return GateEvidence(name=NAME, status="not run", summary=why)
