"""Validation: the gates a task must pass, and the evidence that it has."""

from .audit import Audit, audit
from .bench import Bench
from .card import card
from .evidence import CARD, EVIDENCE, validate
from .gates import GATES
from .overview import describe
from .repair import repair
from .verified import changes, verify

__all__ = [
    "CARD",
    "EVIDENCE",
    "GATES",
    "Audit",
    "Bench",
    "audit",
    "card",
    "changes",
    "describe",
    "repair",
    "validate",
    "verify",
]
