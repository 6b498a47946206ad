"""A task's folder: load, save, digest."""

from .pack import pack
from .task import Task, find, save_config, save_recipe
from .tree import digest, plant, program, walk

__all__ = [
    "Task",
    "digest",
    "find",
    "pack",
    "plant",
    "program",
    "save_config",
    "save_recipe",
    "walk",
]
