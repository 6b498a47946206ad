"""Wrong implementations of a task's reference, and which hidden tests notice them."""

from .agreement import agree
from .diagnose import Cause, Diagnosis, diagnose
from .ground import Ground
from .kill import MATRIX, RULES, WAIVERS, kill_matrix, waivers
from .matrix import Runner
from .sample import LIMIT, sample
from .statement import Place, Statement
from .strength import (
    Strength,
    attributed,
    by_kind,
    by_sort,
    classes,
    redundant,
    silent,
    strength,
    survivors,
)

__all__ = [
    "LIMIT",
    "MATRIX",
    "RULES",
    "WAIVERS",
    "Cause",
    "Diagnosis",
    "Ground",
    "Place",
    "Runner",
    "Statement",
    "Strength",
    "agree",
    "attributed",
    "by_kind",
    "by_sort",
    "classes",
    "diagnose",
    "kill_matrix",
    "redundant",
    "sample",
    "silent",
    "strength",
    "survivors",
    "waivers",
]
