"""`trajectory.json`: what an agent did, in the Agent Trajectory Interchange Format (ATIF) v1.8."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from .base import Record, parse, read_bytes, write_atomic

Source = Literal["system", "user", "agent"]


class AtifToolCall(Record):
    """One call of a tool."""

    tool_call_id: str
    function_name: str
    arguments: dict[str, Any]
    extra: dict[str, Any] | None = None


class AtifResult(Record):
    """What a tool gave back."""

    source_call_id: str | None = None
    content: str | list[dict[str, Any]] | None = None
    subagent_trajectory_ref: list[dict[str, Any]] | None = None
    extra: dict[str, Any] | None = None


class AtifObservation(Record):
    """What the tools of one step gave back."""

    results: list[AtifResult]


class AtifMetrics(Record):
    """Tokens of one step; `prompt_tokens` includes the cached ones."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: float | None = None
    prompt_token_ids: list[int] | None = None
    completion_token_ids: list[int] | None = None
    logprobs: list[float] | None = None
    extra: dict[str, Any] | None = None


class AtifStep(Record):
    """One step."""

    step_id: int = Field(ge=1)
    timestamp: str | None = None
    source: Source
    message: str | list[dict[str, Any]]
    model_name: str | None = None
    reasoning_effort: str | float | None = None
    reasoning_content: str | None = None
    tool_calls: list[AtifToolCall] | None = None
    observation: AtifObservation | None = None
    metrics: AtifMetrics | None = None
    is_copied_context: bool | None = None
    llm_call_count: int | None = Field(default=None, ge=0)
    extra: dict[str, Any] | None = None

    @field_validator("timestamp")
    @classmethod
    def _is_a_time(cls, value: str | None) -> str | None:
        if value is not None:
            datetime.fromisoformat(value)
        return value

    @model_validator(mode="after")
    def _fields_fit_the_source(self) -> Self:
        if self.source != "agent":
            own = ("model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics")
            wrong = [name for name in own if getattr(self, name) is not None]
            if wrong:
                raise ValueError(f"only agent steps may have {', '.join(wrong)}")
        calls = {call.tool_call_id for call in self.tool_calls or []}
        for result in self.observation.results if self.observation else []:
            if result.source_call_id is not None and result.source_call_id not in calls:
                raise ValueError(f"no such tool call in this step: {result.source_call_id}")
        return self


class AtifAgent(Record):
    """Who it was."""

    name: str
    version: str
    model_name: str | None = None
    tool_definitions: list[dict[str, Any]] | None = None
    extra: dict[str, Any] | None = None


class AtifTotals(Record):
    """Sums over the whole trajectory."""

    total_prompt_tokens: int | None = None
    total_completion_tokens: int | None = None
    total_cached_tokens: int | None = None
    total_cost_usd: float | None = None
    total_steps: int | None = None
    extra: dict[str, Any] | None = None


class Trajectory(Record):
    """The whole file."""

    schema_version: str = "ATIF-v1.8"
    session_id: str | None = None
    trajectory_id: str | None = None
    agent: AtifAgent
    steps: list[AtifStep] = Field(min_length=1)
    notes: str | None = None
    final_metrics: AtifTotals | None = None
    continued_trajectory_ref: str | None = None
    subagent_trajectories: list[dict[str, Any]] | None = None
    extra: dict[str, Any] | None = None

    @model_validator(mode="after")
    def _steps_are_numbered(self) -> Self:
        if [step.step_id for step in self.steps] != list(range(1, len(self.steps) + 1)):
            raise ValueError("step_id must count from 1")
        return self

    def dumps(self) -> str:
        """The file's text; what isn't known is left out."""
        return self.model_dump_json(indent=2, exclude_none=True) + "\n"

    def write(self, path: Path) -> None:
        """Write the file atomically."""
        write_atomic(path, self.dumps().encode())

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read and check a file.

        Raises:
            FormatError: it isn't a trajectory.
        """
        return parse(cls, read_bytes(path), path)
