import io
from html.parser import HTMLParser

from rich.console import Console

from benchwright.formats import VerdictSummary
from benchwright.jobs import JobResult
from benchwright.reports import html, table
from reports.shapes import job, result

HOSTILE = "evil\x1b[2J\u202e\x00</td><script>alert(1)</script>{{ 7*7 }}[bold]"


def text(item: JobResult, width: int = 200) -> str:
    out = io.StringIO()
    Console(file=out, width=width, force_terminal=False).print(table(item))
    return out.getvalue()


def hostile() -> JobResult:
    verdict = VerdictSummary(
        status="judged",
        counts={"failed": 1},
        findings=(f"note: {HOSTILE}",),
        failing=(f"test_{HOSTILE}: failed",),
    )
    return job([result(HOSTILE, HOSTILE, 1, 0.0, verdict=verdict, error=HOSTILE, trial=HOSTILE)], 1)


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]


def test_hostile_names_stay_text_on_a_terminal() -> None:
    shown = text(hostile())

    assert {c for c in shown if not c.isprintable()} == {"\n"}
    assert "[bold]" in shown
    assert "\\x1b[2J\\u202e" in shown


def test_hostile_names_stay_text_on_a_page() -> None:
    page = html(hostile())
    tags = Tags()
    tags.feed(page)

    assert tags.seen & {"script", "img", "iframe", "link"} == set()
    assert tags.links == []
    assert "{{ 7*7 }}" in page
    assert {c for c in page if not c.isprintable()} == {"\n"}


def test_a_page_needs_nothing_else() -> None:
    page = html(job([result("a", "x", 1, 1.0)]))

    assert "default-src 'none'" in page
    assert "http://" not in page
    assert "https://" not in page


def test_the_table_says_what_is_missing() -> None:
    shown = text(job([result("a", "x", 1, None, "infra", verdict=None)]))

    assert "1 of 2 trials were lost, 1 are missing" in shown


def test_an_empty_job_has_a_table_and_a_page() -> None:
    empty = JobResult(job([]).root, job([]).config, ())

    assert "Results of first" in text(empty)
    assert "<h1>first</h1>" in html(empty)
