"""Jobs: many trials in one resumable folder."""

from .engines import Engine, Local, Moment, Watch
from .plan import Trial, plan
from .policy import unsubmitted
from .run import JobResult, load, run
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
