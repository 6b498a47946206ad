"""Every figure the documents quote stands in a result file, letter by letter.

A document marks a figure as `<!-- figure: NAME path.to.value -->FIGURE<!-- /figure -->`.
"""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
FIGURE = re.compile(r"<!-- figure: (\S+) ([^>]+?) -->(.*?)<!-- /figure -->", re.DOTALL)


def value(name: str, path: str) -> object:
    """What the result file says at a dotted path."""
    found = json.loads((ROOT / "evidence" / "results" / f"{name}.json").read_text())
    for key in path.split("."):
        found = found[int(key)] if isinstance(found, list) else found[key]
    return found


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: p.name)
def test_figures_are_those_of_the_evidence(document: Path) -> None:
    quoted = FIGURE.findall(document.read_text())

    expected = [(name, path, str(value(name, path))) for name, path, _ in quoted]

    assert [(n, p, text.strip()) for n, p, text in quoted] == expected


def test_every_result_names_its_command_and_commit() -> None:
    for result in sorted((ROOT / "evidence" / "results").glob("*.json")):
        data = json.loads(result.read_text())

        assert data["command"] == f"./dev evidence {result.stem}"
        assert re.fullmatch(r"[0-9a-f]{7,40}(-dirty)?", data["commit"])
