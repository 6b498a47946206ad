"""When a workspace is a submission: one rule for every kind of task and every end of the work."""

from __future__ import annotations

from benchwright.formats import AgentEnd, Kind, OnTimeout, TrialStatus

UNSUBMITTED: dict[AgentEnd, TrialStatus] = {
    "exited": "no_submission",
    "failed": "agent_error",
    "timeout": "agent_timeout",
    "budget": "budget",
    "provider": "provider_error",
}
"""The status of a trial whose work ended so, and whose workspace isn't judged."""


def unsubmitted(kind: Kind, end: AgentEnd, on_timeout: OnTimeout) -> TrialStatus | None:
    """The status of a trial that isn't judged, or None when its workspace is the submission.

    An explicit submission always is one. A construction needs it; elsewhere the workspace is
    judged as it stands, however the work ended, because what was done is worth something. The
    job may say otherwise for work that ran out of time or budget. Nothing is judged that the
    provider of the model broke off.
    """
    if end == "submitted":
        return None
    judged = kind != "construction"
    if end in ("timeout", "budget") and on_timeout != "kind":
        judged = on_timeout == "submit"
    if judged and end != "provider":
        return None
    return UNSUBMITTED[end]
