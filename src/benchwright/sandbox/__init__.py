"""Sandboxes: isolated places to run a command, and the walker that freezes what they leave."""

from .archive import unpack_tar
from .bubblewrap import Bubblewrap
from .choose import choose
from .freeze import freeze
from .keep import FreezeLimits
from .probe import Capability, probe
from .protocol import DOOR_PORT, EVENTS, Box, Caps, Completed, Mount, Sandbox, Spec

__all__ = [
    "DOOR_PORT",
    "EVENTS",
    "Box",
    "Bubblewrap",
    "Capability",
    "Caps",
    "Completed",
    "FreezeLimits",
    "Mount",
    "Sandbox",
    "Spec",
    "choose",
    "freeze",
    "probe",
    "unpack_tar",
]
