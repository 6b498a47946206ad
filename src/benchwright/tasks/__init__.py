"""A task's folder: load, save, digest."""

from .pack import pack
from .task import Task, find, save_config, save_recipe
from .tree import digest, plant, walk

__all__ = ["Task", "digest", "find", "pack", "plant", "save_config", "save_recipe", "walk"]
