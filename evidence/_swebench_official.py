"""Runs in an environment with swebench: grades the cases on stdin, one JSON list in, one out.

A case has `f2p` and `p2p`, and either `status` (id -> PASSED, …) or `log` with `parser`.
"""

import json
import sys
import tempfile
from types import SimpleNamespace

from swebench.harness.grading import (  # type: ignore[import-not-found]
    get_eval_tests_report,
    get_logs_eval,
    get_resolution_status,
)


def resolution(case: dict) -> str:  # type: ignore[type-arg]
    """The official resolution, or why there is none."""
    status = case.get("status")
    if status is None:
        spec = SimpleNamespace(
            log_parser=case["parser"], instance_id="x", repo=case.get("repo", ""), version=""
        )
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(case["log"])
            file.flush()
            try:
                status, graded = get_logs_eval(spec, file.name)
            except Exception as error:  # whatever the harness does to itself is the result
                return f"crash: {type(error).__name__}"
        if not graded:
            return "not graded"
    report = get_eval_tests_report(
        status, {"FAIL_TO_PASS": case["f2p"], "PASS_TO_PASS": case["p2p"]}
    )
    return str(get_resolution_status(report))


if __name__ == "__main__":
    print(json.dumps([resolution(case) for case in json.load(sys.stdin)]))
