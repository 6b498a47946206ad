"""SWE-bench: rows and predictions in, tasks and official reports out."""

from .evaluate import Evaluation, instance_of
from .grade import Grade, Share, grade
from .ids import Match, match, unittest_id
from .importing import ROW, chosen, find_clone, import_row
from .pins import Pins, read_pins
from .predictions import GOLD, Prediction, read_predictions
from .report import Instance, instance_report, run_report
from .rows import Row, read_rows

__all__ = [
    "GOLD",
    "ROW",
    "Evaluation",
    "Grade",
    "Instance",
    "Match",
    "Pins",
    "Prediction",
    "Row",
    "Share",
    "chosen",
    "find_clone",
    "grade",
    "import_row",
    "instance_of",
    "instance_report",
    "match",
    "read_pins",
    "read_predictions",
    "read_rows",
    "run_report",
    "unittest_id",
]
