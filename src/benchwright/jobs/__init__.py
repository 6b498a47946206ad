"""Jobs: many trials in one resumable folder."""

from .engines import Engine, Local, Moment, Watch
from .job import JobResult, load, run
from .plan import Trial, plan
from .policy import unsubmitted
from .stop import Stoppable, StoppedError
from .store import Store, finished
from .trial import Tools, run_trial

__all__ = [
    "Engine",
    "JobResult",
    "Local",
    "Moment",
    "Stoppable",
    "StoppedError",
    "Store",
    "Tools",
    "Trial",
    "Watch",
    "finished",
    "load",
    "plan",
    "run",
    "run_trial",
    "unsubmitted",
]
