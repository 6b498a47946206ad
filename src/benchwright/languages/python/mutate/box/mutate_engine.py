"""What measuring a suite and running it on mutants share."""

import json
import os
from typing import Any

import pytest
from judge_events import arguments  # type: ignore[import-not-found]
from mutate_session import Session  # type: ignore[import-not-found]


class Engine:
    """What both modes share."""

    def __init__(self, config: "dict[str, Any]", plan: "dict[str, Any]", descriptor: int) -> None:
        self.config = config
        self.plan = plan
        self.descriptor = descriptor
        self.tree = config["tree"]

    def emit(self, **fields: "Any") -> None:
        """One line for the host."""
        data = json.dumps(fields).encode() + b"\n"
        while data:
            data = data[os.write(self.descriptor, data) :]

    def path(self, file: str) -> str:
        """Where a file of the product is in here."""
        return os.path.join(self.tree, file)

    def session(self, take: "Any") -> None:
        """Collect the suite and hand it to `take`."""
        pytest.main([*arguments(self.config), "--assert=plain"], plugins=[Session(take)])
