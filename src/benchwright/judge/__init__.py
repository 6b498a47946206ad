"""The judge: a verdict that submitted code cannot forge."""

from .assemble import HiddenFile, assemble, edited, hidden, write_tests
from .lines import Span, original
from .stream import Observed
from .suite import SuiteResult, Variation, run_suite

__all__ = [
    "HiddenFile",
    "Observed",
    "Span",
    "SuiteResult",
    "Variation",
    "assemble",
    "edited",
    "hidden",
    "original",
    "run_suite",
    "write_tests",
]
