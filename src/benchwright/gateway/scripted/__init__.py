"""A model that plays a script, in every dialect that the gateway speaks."""

from .model import Played, ScriptedModel, config
from .script import Fault, Script, Turn

__all__ = ["Fault", "Played", "Script", "ScriptedModel", "Turn", "config"]
