"""All that the gateway knows of one trial."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from benchwright.formats import Call

from .account import Account, OverBudgetError
from .models import Models
from .prices import Prices
from .services import Services

REFUSALS = 1000
"""Refused calls of which a line is kept: an agent must not fill a disk by asking."""


def new_token() -> str:
    """What the agent's client sends as its key; worth nothing outside its own sandbox."""
    return f"bw-{secrets.token_urlsafe(24)}"


@dataclass(slots=True)
class Trial:
    """One trial's token, models, accounts (its own first, then the job's) and services."""

    name: str
    models: Models
    accounts: tuple[Account, ...]
    prices: Prices = field(default_factory=Prices)
    services: Services = field(default_factory=Services)
    token: str = field(default_factory=new_token, repr=False)
    idle_seconds: float = 600.0
    """How long a provider may be silent."""
    retries: int = 2
    """How often a call that failed is sent again, as long as the agent has seen nothing of it."""
    opened: float = field(default_factory=time.monotonic)
    over_budget: bool = False
    """A call was refused because a budget is spent."""
    failing: bool = False
    """The last call that was made got no usable answer."""
    stop: Callable[[], None] = lambda: None
    """Called when a budget is found to be spent, once."""
    _refused: int = 0

    @property
    def left(self) -> float:
        """Seconds until the first account's wall time is over."""
        limits = [a.budget.seconds for a in self.accounts if a.budget.seconds is not None]
        return min(limits, default=86400.0) - (time.monotonic() - self.opened)

    def reserve(self, call: str, tokens: int, money: float) -> None:
        """Hold an estimate in every account, or in none.

        Raises:
            OverBudgetError: one of them doesn't allow it.
        """
        if self.left <= 0:
            raise OverBudgetError("the time is over")
        held: list[Account] = []
        try:
            for account in self.accounts:
                account.reserve(call, tokens, money, self.left)
                held.append(account)
        except OverBudgetError:
            for account in held:
                account.release(call)
            raise

    def spend_out(self) -> None:
        """Note that a budget is spent."""
        if not self.over_budget:
            self.over_budget = True
            self.stop()

    def settle(self, call: Call) -> None:
        """Write the line into every account; of refused calls only the first thousand."""
        if call.end == "refused":
            self._refused += 1
            if self._refused > REFUSALS:
                return
        else:
            self.failing = call.end in ("error", "cut")
        for account in self.accounts:
            account.settle(call)

    @property
    def needs_prices(self) -> bool:
        """Whether money is limited, so that a call of unknown price can't be allowed."""
        return any(a.budget.money is not None for a in self.accounts)
