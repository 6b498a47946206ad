"""The expected values are swebench 5.0.2's rules (test_passed, test_maintained, resolution)."""

import pytest

from benchwright.interop.swebench import grade


@pytest.mark.parametrize(
    ("outcomes", "resolution"),
    [
        ({"f": "passed", "g": "passed", "p": "passed"}, "RESOLVED_FULL"),
        ({"f": "xfailed", "g": "passed", "p": "skipped"}, "RESOLVED_FULL"),
        ({"f": "passed", "g": "failed", "p": "passed"}, "RESOLVED_PARTIAL"),
        ({"f": "passed", "g": "passed", "p": "failed"}, "RESOLVED_NO"),
        ({"f": "passed", "g": "passed"}, "RESOLVED_NO"),
        ({"f": "skipped", "g": "skipped", "p": "passed"}, "RESOLVED_NO"),
        ({"f": "error", "g": "passed", "p": "passed"}, "RESOLVED_PARTIAL"),
        ({}, "RESOLVED_NO"),
    ],
)
def test_resolution(outcomes: dict[str, str], resolution: str) -> None:
    assert grade(["f", "g"], ["p"], outcomes).resolution == resolution


def test_an_empty_list_of_ids_to_keep_keeps_everything() -> None:
    assert grade(["f"], [], {"f": "passed"}).resolved


def test_nothing_to_fix_is_never_resolved() -> None:
    assert not grade([], ["p"], {"p": "passed"}).resolved
