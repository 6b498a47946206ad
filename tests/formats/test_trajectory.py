from pathlib import Path
from typing import Any

import pytest

from benchwright.formats import FormatError, Trajectory

STEP: dict[str, Any] = {"step_id": 1, "source": "user", "message": "x"}
AGENT = {"step_id": 1, "source": "agent", "message": "x"}
BASE: dict[str, Any] = {"agent": {"name": "a", "version": "1"}, "steps": [STEP]}


def test_the_version_is_written() -> None:
    assert Trajectory.model_validate(BASE).dumps().startswith('{\n  "schema_version": "ATIF-v1.8"')


@pytest.mark.parametrize(
    "change",
    [
        {"steps": []},
        {"steps": [STEP, STEP]},
        {"steps": [{**STEP, "step_id": 2}]},
        {"steps": [{**STEP, "model_name": "m"}]},
        {"steps": [{**STEP, "timestamp": "yesterday"}]},
        {"steps": [{**STEP, "source": "robot"}]},
        {"steps": [{**AGENT, "observation": {"results": [{"source_call_id": "no"}]}}]},
        {"agent": {"name": "a"}},
        {"unknown": 1},
    ],
)
def test_what_is_no_trajectory(tmp_path: Path, change: dict[str, Any]) -> None:
    import json

    path = tmp_path / "trajectory.json"
    path.write_text(json.dumps({**BASE, **change}))

    with pytest.raises(FormatError, match=r"trajectory\.json"):
        Trajectory.read(path)
