import json
from pathlib import Path

import pytest

from benchwright.formats import FormatError
from benchwright.interop.swebench import GOLD, Row, read_predictions


def row(name: str) -> Row:
    return Row(
        repo="o/n",
        instance_id=name,
        base_commit="a" * 40,
        patch="gold\n",
        test_patch="",
        problem_statement="",
        fail_to_pass=("t",),
        pass_to_pass=(),
    )


ROWS = (row("a"), row("b"))
ONE = {"instance_id": "a", "model_name_or_path": "m", "model_patch": "diff\r\n"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("p.jsonl", json.dumps(ONE) + "\n\n"),
        ("p.json", json.dumps([ONE])),
        ("p.json", json.dumps({"a": {"model_name_or_path": "m", "model_patch": "diff\r\n"}})),
    ],
    ids=["jsonl", "list", "dict"],
)
def test_the_official_forms(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, newline="")

    (found,) = read_predictions(str(tmp_path / name), ROWS)

    assert (found.instance_id, found.model, found.patch) == ("a", "m", "diff\r\n")


def test_gold_is_every_row_s_own_patch() -> None:
    found = read_predictions(GOLD, ROWS)

    assert [(p.instance_id, p.model, p.patch) for p in found] == [
        ("a", "gold", "gold\n"),
        ("b", "gold", "gold\n"),
    ]


def test_null_is_an_empty_patch(tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text(json.dumps([ONE | {"model_patch": None}]))

    assert read_predictions(str(tmp_path / "p.json"), ROWS)[0].patch == ""


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([ONE | {"instance_id": "zz"}], "no row has the id 'zz'"),
        ([ONE, ONE], "predicted twice"),
        ([ONE, ONE | {"instance_id": "b", "model_name_or_path": "other"}], "several models"),
        ([{"model_patch": "x"}], "no instance_id"),
        ([ONE | {"model_patch": 3}], "isn't text"),
        (7, "neither a list nor an object"),
    ],
)
def test_bad_predictions(tmp_path: Path, data: object, said: str) -> None:
    (tmp_path / "p.json").write_text(json.dumps(data))

    with pytest.raises(FormatError, match=said):
        read_predictions(str(tmp_path / "p.json"), ROWS)
