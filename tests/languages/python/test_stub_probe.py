"""What the box of a collection says is read with care: it shares a process with strangers' code."""

import json
from pathlib import Path

from benchwright.formats import Product, Runner
from benchwright.languages import Collected
from benchwright.languages.python.runner.record import module_name, parse_all, product_files
from benchwright.languages.python.stub_probe import probe, read_probe


def lines(*said: object) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in said)


def test_ids_errors_and_entered_functions_are_read() -> None:
    found = read_probe(
        lines(
            {"id": "", "phase": "session", "outcome": "started"},
            {"id": "tests/test_a.py", "phase": "collect", "outcome": "started"},
            {"id": "t[1]", "phase": "collect", "outcome": "passed", "file": "tests/test_a.py"},
            {
                "id": "tests/test_b.py",
                "phase": "collect",
                "outcome": "error",
                "exception": "ImportError",
                "message": "no x",
                "file": "tests/test_b.py",
                "line": 3,
            },
            {"id": "", "phase": "collect", "outcome": "done"},
            {"entered": ["pkg/a.py", "A.f"]},
            {"entered": ["pkg/a.py", "g"]},
            {"import": "pkg.b", "error": "ImportError: no y"},
            {"parse": "pkg/c.py", "error": "invalid syntax"},
        )
    )

    assert found == Collected(
        ids=("t[1]",),
        files={"t[1]": "tests/test_a.py"},
        errors={"tests/test_b.py": "ImportError: no x (tests/test_b.py:3)"},
        broken={"pkg.b": "ImportError: no y", "pkg/c.py": "invalid syntax"},
        entered={"pkg/a.py": frozenset({"A.f", "g"})},
        complete=True,
        last="tests/test_a.py",
    )


def test_a_collection_that_ended_early_names_its_last_file() -> None:
    found = read_probe(lines({"id": "t.py", "phase": "collect", "outcome": "started"}))

    assert (found.complete, found.last) == (False, "t.py")


def test_other_lines_are_passed_over() -> None:
    said = b"\xff\xfe\n[1]\n{}\nnull\n" + lines({"entered": "all"}, {"import": 1, "error": 2})

    assert read_probe(said) == Collected()


def test_the_recorder_stands_beside_the_runner() -> None:
    run = probe(Runner(paths=("tests",)), Product(paths=("pkg",)))

    names = {mount.target for mount in run.mounts}
    assert run.command[-1] == "/judge/record.py"
    assert {"/judge/record.py", "/judge/launch.py", "/judge/run.json"} <= names


def test_modules_are_named_as_they_are_imported() -> None:
    roots = [".", "src"]

    assert [
        module_name(path, roots)
        for path in ("src/a/__init__.py", "src/a/b.py", "c.py", "src/a/__main__.py", "a-b.py")
    ] == ["a", "a.b", "c", "", ""]


def test_test_files_inside_the_package_are_no_product(tmp_path: Path) -> None:
    for name in ("pkg/a.py", "pkg/tests/test_a.py", "pkg/data.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("def f(:\n")
    config = {"tree": str(tmp_path), "product": ["pkg"], "tests": ["pkg/tests"]}

    assert product_files(config) == ["pkg/a.py"]
    assert [*parse_all(str(tmp_path), ["pkg/a.py"])] == ["pkg/a.py"]
