"""What a suite runs on, the same for every run of a task."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from benchwright.environments import Environment
from benchwright.formats import Limits, Settings
from benchwright.languages import Language, get
from benchwright.sandbox import Sandbox
from benchwright.tasks import Task


@dataclass(frozen=True, slots=True)
class Rig:
    """A task's settings, and what its suite runs on."""

    language: Language
    settings: Settings
    environment: Environment
    sandbox: Sandbox
    metadata: Path | None = None
    """Folder with the product's installed metadata."""

    @classmethod
    def of(cls, task: Task, environment: Environment, sandbox: Sandbox) -> Rig:
        """What a task's suite runs on, with the metadata of its reference."""
        settings = task.settings
        return cls(get(settings.language), settings, environment, sandbox, task.metadata)

    def within(self, limits: Limits) -> Rig:
        """The same within other limits."""
        return replace(self, settings=self.settings.model_copy(update={"limits": limits}))

    def hurried(self, seconds: Iterable[float]) -> Rig:
        """The same, with less patience for tests of which these are the times on the reference."""
        return self.within(self.settings.limits.hurried(seconds))
