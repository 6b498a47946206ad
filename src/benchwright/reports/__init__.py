"""Reports: statistics, tables, pages."""

from .page import html
from .statistics import Interval, bootstrap, mean_interval, pass_at, wilson
from .summary import summarize, why
from .terminal import estimate, table

__all__ = [
    "Interval",
    "bootstrap",
    "estimate",
    "html",
    "mean_interval",
    "pass_at",
    "summarize",
    "table",
    "why",
    "wilson",
]
