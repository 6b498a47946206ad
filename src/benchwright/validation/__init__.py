"""Validation: the gates a task must pass, and the evidence that it has."""

from .bench import Bench
from .evidence import EVIDENCE, validate
from .gates import GATES
from .repair import repair
from .verified import changes, verify

__all__ = ["EVIDENCE", "GATES", "Bench", "changes", "repair", "validate", "verify"]
