"""The judge: a verdict that submitted code cannot forge."""

from .stream import Observed
from .suite import SuiteResult, Variation, run_suite

__all__ = ["Observed", "SuiteResult", "Variation", "run_suite"]
