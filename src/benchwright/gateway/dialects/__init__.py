"""The wire formats that the gateway speaks. The next one (Gemini) is one more module and line."""

from .base import Dialect, Json, Reading, remote
from .chat import Chat
from .messages import Messages
from .responses import Responses
from .sse import Events

DIALECTS: tuple[Dialect, ...] = (Messages(), Responses(), Chat())

__all__ = [
    "DIALECTS",
    "Chat",
    "Dialect",
    "Events",
    "Json",
    "Messages",
    "Reading",
    "Responses",
    "remote",
]
