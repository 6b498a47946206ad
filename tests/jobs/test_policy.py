import pytest

from benchwright.formats import AgentEnd, Kind, OnTimeout, TrialStatus
from benchwright.jobs import unsubmitted


@pytest.mark.parametrize(
    ("kind", "end", "on_timeout", "status"),
    [
        ("construction", "submitted", "kind", None),
        ("construction", "exited", "kind", "no_submission"),
        ("construction", "failed", "kind", "agent_error"),
        ("construction", "failed", "submit", "agent_error"),
        ("construction", "timeout", "kind", "agent_timeout"),
        ("construction", "timeout", "submit", None),
        ("construction", "budget", "submit", None),
        ("construction", "budget", "kind", "budget"),
        ("completion", "failed", "kind", None),
        ("completion", "timeout", "kind", None),
        ("completion", "timeout", "zero", "agent_timeout"),
        ("completion", "submitted", "zero", None),
        ("resolution", "exited", "kind", None),
        ("resolution", "provider", "kind", "provider_error"),
        ("completion", "provider", "submit", "provider_error"),
    ],
)
def test_what_is_judged(
    kind: Kind, end: AgentEnd, on_timeout: OnTimeout, status: TrialStatus | None
) -> None:
    assert unsubmitted(kind, end, on_timeout) == status
