from typing import get_args

from benchwright.formats import OUTCOMES, TrialStatus


def test_the_policy_covers_every_status() -> None:
    assert set(OUTCOMES) == set(get_args(TrialStatus))


def test_what_is_tried_again_is_never_counted() -> None:
    assert {name for name, outcome in OUTCOMES.items() if outcome.retried} == {
        name for name, outcome in OUTCOMES.items() if not outcome.counted
    }
