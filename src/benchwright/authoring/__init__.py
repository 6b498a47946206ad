"""Authoring: from a source to a task folder."""

from .make import author, kind_of, prepare
from .parts import Parts, copy, split
from .reference import Bench, measure, whole
from .resolution import Change, Recipes, author_change, touched
from .resolution_measure import Listed
from .resolution_trees import Trees

__all__ = [
    "Bench",
    "Change",
    "Listed",
    "Parts",
    "Recipes",
    "Trees",
    "author",
    "author_change",
    "copy",
    "kind_of",
    "measure",
    "prepare",
    "split",
    "touched",
    "whole",
]
