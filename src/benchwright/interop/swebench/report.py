"""The official reports: one per instance, and the run report of schema version 2."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from benchwright.formats import Record

from .grade import Grade

Status = Literal[
    "judged", "empty_patch", "not_applied", "not_built", "timed_out", "infra", "not_run"
]


class Instance(Record):
    """What became of one prediction."""

    instance_id: str
    status: Status
    grade: Grade | None = None
    applied: str = ""
    """Which way of applying the patch worked."""
    reason: str = ""
    """Why it isn't judged, in one line."""

    @property
    def resolved(self) -> bool:
        """Whether it is judged and everything passed."""
        return self.grade is not None and self.grade.resolved


def instance_report(instance: Instance) -> dict[str, Any]:
    """`report.json` of one instance."""
    lists: dict[str, Any] = {}
    if instance.grade:
        lists = {
            "FAIL_TO_PASS": instance.grade.fail_to_pass.model_dump(mode="json"),
            "PASS_TO_PASS": instance.grade.pass_to_pass.model_dump(mode="json"),
            "FAIL_TO_FAIL": {"success": [], "failure": []},
            "PASS_TO_FAIL": {"success": [], "failure": []},
        }
    report: dict[str, Any] = {
        "patch_is_None": instance.status == "empty_patch",
        "patch_exists": instance.status != "empty_patch",
        "patch_successfully_applied": bool(instance.applied),
        "resolved": instance.resolved,
        "infra_failure": instance.status == "infra",
    }
    if lists:
        report["tests_status"] = lists
    if instance.status == "infra":
        report["infra_failure_reason"] = instance.reason
    return {instance.instance_id: report}


def run_report(total: Iterable[str], instances: Iterable[Instance]) -> dict[str, Any]:
    """The run report, `schema_version` 2: counts and id lists."""
    every = sorted(total)
    done = {item.instance_id: item for item in instances if item.status != "not_run"}

    def ids(*statuses: Status) -> list[str]:
        return sorted(i for i, item in done.items() if item.status in statuses)

    completed = ids("judged")
    resolved = [i for i in completed if done[i].resolved]
    unresolved = [i for i in completed if not done[i].resolved]
    lists = {
        "completed_ids": completed,
        "incomplete_ids": [i for i in every if i not in done],
        "empty_patch_ids": ids("empty_patch"),
        "submitted_ids": sorted(done),
        "resolved_ids": resolved,
        "unresolved_ids": unresolved,
        "infra_failure_ids": ids("infra"),
        "ambiguous_failure_ids": [],
        "failure_reasons": {i: item.reason for i, item in sorted(done.items()) if item.reason},
        "error_ids": ids("not_applied", "not_built", "timed_out", "infra"),
    }
    counts = {
        "total_instances": len(every),
        "submitted_instances": len(done),
        "completed_instances": len(completed),
        "resolved_instances": len(resolved),
        "unresolved_instances": len(unresolved),
        "infra_failure_instances": len(lists["infra_failure_ids"]),
        "ambiguous_failure_instances": 0,
        "empty_patch_instances": len(lists["empty_patch_ids"]),
        "error_instances": len(lists["error_ids"]),
    }
    return {**counts, **lists, "schema_version": 2}
