"""What a suite runs on."""

from benchwright.environments import Environment
from benchwright.judge import Rig
from benchwright.sandbox import Sandbox
from benchwright.tasks import Task


def test_other_limits_leave_the_rest_as_it_is(
    task: Task, environment: Environment, sandbox: Sandbox
) -> None:
    rig = Rig.of(task, environment, sandbox)
    limits = task.settings.limits.model_copy(update={"test_seconds": 7.0})

    other = rig.within(limits)

    assert (other.settings.limits, other.settings.product) == (limits, rig.settings.product)
    assert rig.settings == task.settings
    assert other.environment is environment


def test_quick_tests_are_waited_for_less_long(
    task: Task, environment: Environment, sandbox: Sandbox
) -> None:
    rig = Rig.of(task, environment, sandbox)

    assert rig.hurried([0.01]).settings.limits == task.settings.limits.hurried([0.01])
