"""What every test may count on."""

import signal

import pytest


@pytest.fixture(autouse=True, scope="session")
def heed_interrupts() -> None:
    """A shell that starts the tests behind it ignores Ctrl-C for them, and for what they start."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
