from benchwright.interop.swebench import Instance, grade, instance_report, run_report

GOOD = Instance(
    instance_id="a", status="judged", applied="git apply", grade=grade(["f"], [], {"f": "passed"})
)
BAD = Instance(
    instance_id="b", status="judged", applied="git apply", grade=grade(["f"], [], {"f": "failed"})
)
EMPTY = Instance(instance_id="c", status="empty_patch")
BROKEN = Instance(instance_id="d", status="not_applied", reason="hunk 1 at line 3 doesn't fit")


def test_the_report_of_an_instance() -> None:
    report = instance_report(BAD)["b"]

    assert report["resolved"] is False
    assert report["tests_status"]["FAIL_TO_PASS"] == {"success": [], "failure": ["f"]}


def test_statuses_are_kept_apart() -> None:
    report = run_report("abcde", [GOOD, BAD, EMPTY, BROKEN])

    assert report["schema_version"] == 2
    assert report["resolved_ids"] == ["a"]
    assert report["unresolved_ids"] == ["b"]
    assert report["empty_patch_ids"] == ["c"]
    assert report["error_ids"] == ["d"]
    assert report["incomplete_ids"] == ["e"]
    assert report["failure_reasons"] == {"d": "hunk 1 at line 3 doesn't fit"}
