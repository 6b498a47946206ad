"""What stands behind a sandbox's only door: model calls, `check`, `submit`; ledger and budget."""

from benchwright.formats.redact import Redactor

from .account import Account, OverBudgetError, calls
from .models import Models, Upstream
from .prices import Price, Prices
from .server import Gateway
from .service import DoorService
from .services import CheckKind, DeclinedError, Services
from .trial import Trial, new_token

__all__ = [
    "Account",
    "CheckKind",
    "DeclinedError",
    "DoorService",
    "Gateway",
    "Models",
    "OverBudgetError",
    "Price",
    "Prices",
    "Redactor",
    "Services",
    "Trial",
    "Upstream",
    "calls",
    "new_token",
]
