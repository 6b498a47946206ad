"""Authoring: from a source to a task folder."""

from .make import author, kind_of, prepare
from .parts import Parts, copy, split
from .reference import Bench, measure, whole

__all__ = ["Bench", "Parts", "author", "copy", "kind_of", "measure", "prepare", "split", "whole"]
