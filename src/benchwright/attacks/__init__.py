"""Cheating submissions, generated for any Python task, and what they gain.

Every attack is written to win. It is tried on workspaces that are untouched, half solved and
almost solved; it wins when score or reward exceed those of the same workspace without it. It
counts as an attack only where it wins before a plain judge.
"""

from .arena import Arena, Base, Tried, arena, attack_all
from .attack import Attack, Target
from .objects import STUBS
from .plain import Plain, plain
from .registry import ATTACKS, chosen
from .trees import SIZES, Size, Solved, grow

__all__ = [
    "ATTACKS",
    "SIZES",
    "STUBS",
    "Arena",
    "Attack",
    "Base",
    "Plain",
    "Size",
    "Solved",
    "Target",
    "Tried",
    "arena",
    "attack_all",
    "chosen",
    "grow",
    "plain",
]
