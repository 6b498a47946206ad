"""The report as one HTML file: no script, nothing from the network, everything escaped."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from benchwright.formats import printable
from benchwright.jobs import JobResult

from .summary import summarize


def html(job: JobResult) -> str:
    """The page of a job."""
    return _template().render(job=summarize(job))


@cache
def _template() -> Template:
    loader = PackageLoader("benchwright.reports", "templates")
    pages = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    pages.filters["printable"] = printable
    return pages.get_template("job.html.j2")
