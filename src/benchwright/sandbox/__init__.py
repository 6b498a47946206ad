"""Sandboxes: isolated places to run a command, and the walker that freezes what they leave."""

from .bubblewrap import Bubblewrap
from .choose import choose
from .protocol import DOOR_PORT, EVENTS, Box, Caps, Completed, Mount, Sandbox, Spec

__all__ = [
    "DOOR_PORT",
    "EVENTS",
    "Box",
    "Bubblewrap",
    "Caps",
    "Completed",
    "Mount",
    "Sandbox",
    "Spec",
    "choose",
]
