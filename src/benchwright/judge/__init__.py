"""The judge: a verdict that submitted code cannot forge."""

from .again import replay
from .assemble import HiddenFile, assemble, edited, hidden, put, write_tests
from .calibrate import calibrate, mend, prove
from .calibrate_mix import Mixed
from .judgement import judge
from .lines import Span, original
from .patch import Applied, apply_patch
from .plan import Plan, Planner
from .rig import Rig
from .rounds import Rounds
from .stream import Observed
from .suite import SuiteResult, Variation, run_suite

__all__ = [
    "Applied",
    "HiddenFile",
    "Mixed",
    "Observed",
    "Plan",
    "Planner",
    "Rig",
    "Rounds",
    "Span",
    "SuiteResult",
    "Variation",
    "apply_patch",
    "assemble",
    "calibrate",
    "edited",
    "hidden",
    "judge",
    "mend",
    "original",
    "prove",
    "put",
    "replay",
    "run_suite",
    "write_tests",
]
