"""Authoring: from a source to a task folder."""

from .make import author, kind_of, prepare
from .mining import Mined, mine
from .mining_pairs import is_pair, mine_pair
from .parts import Parts, copy, split
from .reference import Bench, measure, whole
from .resolution import Change, Recipes, author_change, touched
from .resolution_measure import Listed, Measured
from .resolution_trees import Trees
from .told import add_names, append, document, untold

__all__ = [
    "Bench",
    "Change",
    "Listed",
    "Measured",
    "Mined",
    "Parts",
    "Recipes",
    "Trees",
    "add_names",
    "append",
    "author",
    "author_change",
    "copy",
    "document",
    "is_pair",
    "kind_of",
    "measure",
    "mine",
    "mine_pair",
    "prepare",
    "split",
    "touched",
    "untold",
    "whole",
]
