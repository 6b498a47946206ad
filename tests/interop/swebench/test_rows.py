import gzip
import json
from pathlib import Path

import pytest

from benchwright.formats import FormatError
from benchwright.interop.swebench import read_rows

ROW = {
    "repo": "o/n",
    "instance_id": "o__n-1",
    "base_commit": "a" * 40,
    "patch": "--- a/x\r\n+++ b/x\r\n",
    "test_patch": "é no final newline",
    "problem_statement": "one\r\ntwo",
    "FAIL_TO_PASS": '["t.py::test_a[x - y]"]',
    "PASS_TO_PASS": ["t.py::test_b"],
}


def write(path: Path, *rows: object) -> Path:
    path.write_bytes("".join(json.dumps(row) + "\n" for row in rows).encode())
    return path


def test_texts_survive_byte_for_byte(tmp_path: Path) -> None:
    (row,) = read_rows(write(tmp_path / "r.jsonl", ROW))

    assert (row.patch, row.test_patch) == (ROW["patch"], ROW["test_patch"])
    assert row.problem_statement == "one\r\ntwo"


def test_ids_come_as_json_text_or_as_a_list(tmp_path: Path) -> None:
    (row,) = read_rows(write(tmp_path / "r.jsonl", ROW))

    assert (row.fail_to_pass, row.pass_to_pass) == (("t.py::test_a[x - y]",), ("t.py::test_b",))


@pytest.mark.parametrize("shape", [lambda r: [r], lambda r: {"any": r}], ids=["list", "dict"])
def test_json_files(tmp_path: Path, shape) -> None:
    path = tmp_path / "r.json.gz"
    path.write_bytes(gzip.compress(json.dumps(shape(ROW)).encode()))

    assert [row.instance_id for row in read_rows(path)] == ["o__n-1"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"patch": None}, "patch: Input should be a valid string"),
        ({"FAIL_TO_PASS": "[oops"}, "FAIL_TO_PASS: Value error, neither a list"),
        ({"FAIL_TO_PASS": "3"}, "FAIL_TO_PASS: Value error, not a list of test ids"),
        ({"base_commit": "main; rm"}, "base_commit: Value error, not a commit"),
        ({"instance_id": "../../x"}, "instance_id: Value error, letters"),
    ],
)
def test_a_wrong_field_is_named_with_its_row(tmp_path: Path, change, said: str) -> None:
    path = write(tmp_path / "r.jsonl", ROW | {"instance_id": "o__n-0"}, ROW | change)

    with pytest.raises(FormatError, match="row 2") as caught:
        read_rows(path)

    assert said in str(caught.value)


def test_a_missing_field_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "r.jsonl", {k: v for k, v in ROW.items() if k != "repo"})

    with pytest.raises(FormatError, match="row 1 o__n-1: repo: Field required"):
        read_rows(path)


@pytest.mark.parametrize(
    ("rows", "said"),
    [((), "no rows"), ((ROW, ROW), "stands twice"), (([],), "row 1: not an object")],
)
def test_files_that_hold_no_usable_rows(tmp_path: Path, rows, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        read_rows(write(tmp_path / "r.jsonl", *rows))


def test_a_file_that_is_not_json(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_bytes(b"\xff\xfe{")

    with pytest.raises(FormatError, match="not JSON rows"):
        read_rows(tmp_path / "r.jsonl")
