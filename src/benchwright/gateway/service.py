"""What answers behind the door of one agent's box, in the shape that agents want it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

from benchwright.formats import AgentEnd, Usage
from benchwright.sandbox import DOOR_PORT, Box, Mount

from . import commands
from .server import Gateway
from .trial import Trial

PATIENCE = 60.0
"""Seconds an agent may go on after it was told that its budget is spent."""
GRACE = 3.0
"""Seconds from a submission to the end of the box, for a last word that its log will have."""
URL = f"http://127.0.0.1:{DOOR_PORT}"


class DoorService:
    """Model calls, `check` and `submit` for one box."""

    def __init__(self, gateway: Gateway, trial: Trial, folder: Path) -> None:
        self.trial = trial
        self._gateway = gateway
        self._commands = folder / "door"
        commands.write(self._commands, DOOR_PORT, trial.token)

    @property
    def mounts(self) -> tuple[Mount, ...]:
        """The programs `submit` and `check`."""
        return (Mount(commands.FOLDER, "ro", self._commands),)

    @property
    def env(self) -> Mapping[str, str]:
        """Addresses, and the trial's token in place of keys, as most clients look for them."""
        return {
            "PATH": commands.FOLDER,
            "BENCHWRIGHT_DOOR": URL,
            "BENCHWRIGHT_TOKEN": self.trial.token,
            "ANTHROPIC_BASE_URL": URL,
            "ANTHROPIC_API_KEY": self.trial.token,
            "OPENAI_BASE_URL": f"{URL}/v1",
            "OPENAI_API_KEY": self.trial.token,
        }

    @contextmanager
    def serve(self, box: Box) -> Iterator[None]:
        """Answer at the box's door until the context is left.

        A submission ends the box; so does a spent budget, when the agent doesn't take the hint.
        """
        end, stop = Timer(GRACE, box.kill), Timer(PATIENCE, box.kill)
        end.daemon = stop.daemon = True
        self.trial.stop = stop.start
        services = self.trial.services
        told = services.submit

        def submit(message: str) -> None:
            told(message)
            end.start()

        services.submit = submit
        try:
            with self._gateway.open(box.door, self.trial):
                yield
        finally:
            end.cancel()
            stop.cancel()

    @property
    def ended(self) -> AgentEnd | None:
        """What ended the work, if it was something here."""
        if self.trial.services.submitted:
            return "submitted"
        if self.trial.over_budget:
            return "budget"
        return "provider" if self.trial.failing else None

    @property
    def usage(self) -> Usage:
        """What the model calls came to."""
        return self.trial.accounts[0].spent().usage
