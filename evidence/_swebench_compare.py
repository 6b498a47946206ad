"""The official grading and ours, side by side: equal outcomes, and logs that lead one astray.

`SWEBENCH_OFFICIAL` names a Python that has swebench 5.0.2; without it a scratch one is made.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from benchwright.interop.swebench import Row, grade, match

HERE = Path(__file__).parent
NEEDS = ("docker", "requests", "tqdm", "python-dotenv", "unidiff", "datasets", "modal", "tenacity")
WORDS = {
    "PASSED": "passed", "FAILED": "failed", "ERROR": "error", "SKIPPED": "skipped",
    "XFAIL": "xfailed",
}  # fmt: skip
Case = dict[str, Any]


def official(cases: list[Case], python: str) -> list[str]:
    """What the official harness says of cases."""
    done = subprocess.run(
        [python, "-P", str(HERE / "_swebench_official.py")],
        input=json.dumps(cases), capture_output=True, text=True, check=True,
    )  # fmt: skip
    found: list[str] = json.loads(done.stdout.splitlines()[-1])
    return found


def python_with_swebench(scratch: Path) -> str:
    """An interpreter that can import it."""
    if named := os.environ.get("SWEBENCH_OFFICIAL"):
        return named
    subprocess.run([sys.executable, "-m", "venv", str(scratch / "venv")], check=True)
    pip = [str(scratch / "venv/bin/python"), "-m", "pip", "install", "-q"]
    subprocess.run([*pip, "--no-deps", "swebench==5.0.2"], check=True)
    subprocess.run([*pip, *NEEDS], check=True)
    return str(scratch / "venv/bin/python")


def ours(case: Case) -> str:
    """Our grade of the outcomes of a case, whose keys are a runner's exact ids."""
    exact = {name: WORDS[word] for name, word in case["outcomes"].items()}
    of_row = {}
    for found in match([*case["f2p"], *case["p2p"]], exact):
        seen = [exact[name] for name in found.ids]
        if seen:
            of_row[found.row_id] = next((s for s in seen if s != "passed"), "passed")
    return grade(case["f2p"], case["p2p"], of_row).resolution


def perturbed(row: Row) -> Iterable[tuple[str, Case]]:
    """Outcomes of a row: all good, and one id of each list changed in every way."""
    f2p, p2p = list(row.fail_to_pass), list(row.pass_to_pass)
    good = dict.fromkeys([*f2p, *p2p], "PASSED")
    yield "all passed", {"f2p": f2p, "p2p": p2p, "outcomes": good}
    for label, ids in (("FAIL_TO_PASS", f2p), ("PASS_TO_PASS", p2p)):
        if not ids:
            continue
        for word in (*WORDS, "absent"):
            changed = {**good, ids[0]: word}
            if word == "absent":
                del changed[ids[0]]
            yield f"one of {label} {word}", {"f2p": f2p, "p2p": p2p, "outcomes": changed}
    if f2p:
        skipped = {**good, **dict.fromkeys(f2p, "SKIPPED")}
        yield "all of FAIL_TO_PASS SKIPPED", {"f2p": f2p, "p2p": p2p, "outcomes": skipped}


START, END = "+ : '>>>>> Start Test Output'", "+ : '>>>>> End Test Output'"


def log(body: str, code: int = 0) -> str:
    """A log as the harness writes one."""
    return f"{START}\n{body}\n{END}\n>>>>> Test Exit Code: {code}\n"


def astray() -> list[tuple[str, str, Case]]:
    """What is seen in a log, and what really happened in the runner: fault, why we differ, case."""
    t, p = "tests/t.py::test_fixed", "tests/t.py::test_kept"
    lists = {"f2p": [t], "p2p": [p], "parser": "parse_log_pytest"}
    failed = {t: "FAILED", p: "PASSED"}
    passed = {t: "PASSED", p: "PASSED"}
    red = "\x1b[32mPASSED\x1b[0m"
    return [
        ("29: markers and exit code are printed early", "nothing is read from the log",
         {**lists, "outcomes": failed, "log": f"{START}\nPASSED {t}\nPASSED {p}\n{END}\n"
          ">>>>> Test Exit Code: 0\n" + log(f"FAILED {t}\nPASSED {p}", 1)}),
        ("29: a printed PASSED line beside an unrelated FAILED", "nothing is read from the log",
         {**lists, "outcomes": failed, "log": log(f"PASSED {t}\nPASSED {p}\nFAILED nonsense", 1)}),
        ("29: the log mentions a void marker", "nothing is read from the log",
         {**lists, "outcomes": passed,
          "log": log(f"text: >>>>> Tests Timed Out\nPASSED {t}\nPASSED {p}")}),
        ("14: coloured outcomes", "outcomes are objects, not text",
         {**lists, "outcomes": passed, "log": log(f"{red} {t}\n{red} {p}")}),
        ("7: a bare status line", "there are no lines to parse",
         {**lists, "outcomes": passed, "log": log(f"PASSED\nPASSED {t}\nPASSED {p}")}),
        ("17: ` - ` inside an id", "ids are exact",
         {"f2p": ["tests/t.py::test_a[x - y]"], "p2p": [], "parser": "parse_log_pytest",
          "outcomes": {"tests/t.py::test_a[x - y]": "PASSED"},
          "log": log("PASSED tests/t.py::test_a[x - y]")}),
        ("15: lines of parallel workers", "the judge runs the suite itself, without workers",
         {**lists, "outcomes": passed,
          "log": log(f"[gw1] [ 50%] PASSED {t}\n[gw0] [100%] PASSED {p}")}),
        ("18, 20: a skip without its id", "a skip has its id",
         {**lists, "outcomes": {t: "PASSED", p: "SKIPPED"},
          "log": log(f"PASSED {t}\nSKIPPED [1] tests/t.py:9: Need 2 or more cores")}),
        ("21: FAIL_TO_PASS is empty", "nothing was shown to be fixed",
         {"f2p": [], "p2p": [p], "parser": "parse_log_pytest", "outcomes": {p: "PASSED"},
          "log": log(f"PASSED {p}")}),
        ("1, 2: a cut id that stands for tests which disagree", "the worst of them counts",
         {"f2p": ["tests/t.py::test_a[x"], "p2p": [], "parser": "parse_log_pytest",
          "outcomes": {"tests/t.py::test_a[x y]": "PASSED", "tests/t.py::test_a[x z]": "FAILED"},
          "log": log("PASSED tests/t.py::test_a[x y]\nFAILED tests/t.py::test_a[x z]", 1)}),
    ]  # fmt: skip


def compare(rows: list[Row], progress: Callable[[str], None]) -> dict[str, Any]:
    """Both tables."""
    cases = [(label, case) for row in rows for label, case in perturbed(row)]
    with tempfile.TemporaryDirectory(prefix="benchwright-") as scratch:
        python = python_with_swebench(Path(scratch))
        progress(f"grading {len(cases)} cases with swebench")
        asked = [{**case, "status": case["outcomes"]} for _, case in cases]
        theirs = official(asked, python)
        wrong = astray()
        misled = official([case for _, _, case in wrong], python)
    differ: dict[str, dict[str, int]] = {}
    for (label, case), told in zip(cases, theirs, strict=True):
        said = ours(case)
        if said != told:
            kind = differ.setdefault(label, {})
            pair = f"swebench {told}, benchwright {said}"
            kind[pair] = kind.get(pair, 0) + 1
    return {
        "equal outcomes": {"rows": len(rows), "cases": len(cases), "differing": differ},
        "logs": [
            {"fault": fault, "swebench": told, "benchwright": ours(case), "why": why}
            for (fault, why, case), told in zip(wrong, misled, strict=True)
        ],
    }
