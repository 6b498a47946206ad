from benchwright.formats import Limits


def test_hurried_limits_follow_the_reference_and_never_exceed_the_tasks_own() -> None:
    quick, slow = Limits().hurried([0.1, 0.2]), Limits().hurried([3.0] * 90)

    assert (quick.test_seconds, quick.collect_seconds, quick.suite_seconds) == (2.0, 15.0, 120.0)
    assert (slow.test_seconds, slow.collect_seconds, slow.suite_seconds) == (30.0, 30.0, 1800.0)
    assert Limits(test_seconds=1.0).hurried([]).test_seconds == 1.0
