"""Rules and wrong implementations: what the product must do, and products that don't do it.

A rule exists only if it can be taken out of the reference alone; `edits` does that. A mutant is any
product that is wrong in one place: a rule's omission is one of them.
"""

from __future__ import annotations

from typing import Literal

from .base import Document, Record
from .edit import Edit

RuleKind = Literal[
    "operation",  # a function or method does its work
    "default",  # an argument that isn't given has this value
    "guard",  # a condition under which an error is raised
    "message",  # what that error says
    "option",  # what a parameter's value switches
    "special",  # a value that is treated unlike the others
    "branch",  # any other distinction
    "fallback",  # an error that is handled
    "table",  # an entry of a table
    "order",  # sorting, direction, ties
    "normalise",  # case, blanks and the like that don't matter
    "warning",
    "cli",  # a command line option or exit code
    "hierarchy",  # an error that is also an error of another type
]
Sort = Literal["mutant", "omission", "missing"]


class Rule(Record):
    """One statement of required behaviour."""

    id: str
    """`file:qualified.name:kind-N`: stable while the code around it changes."""
    kind: RuleKind
    file: str
    line: int
    end_line: int
    subject: str
    """The public name it belongs to, such as `tinydb.TinyDB.insert`."""
    public: bool
    """Whether the subject is public; a private helper's rule belongs to its `entries`."""
    sentence: str
    literals: tuple[str, ...] = ()
    """What a text that states the rule must say: values, types, messages, as they are written."""
    edits: tuple[Edit, ...]
    """Takes exactly this rule out of the reference."""
    entries: tuple[str, ...] = ()
    """Public entry points whose tests notice a private helper's rule."""


class RuleSet(Document):
    """`validation/rules.json`: the rules of a task's reference."""

    format: Literal["benchwright.rules/1"] = "benchwright.rules/1"
    reference: str
    """Digest of the reference the rules were read from."""
    rules: tuple[Rule, ...]
    notes: tuple[str, ...] = ()
    """What couldn't be read, in plain words."""


class Mutant(Record):
    """One wrong implementation: the reference with one thing changed."""

    id: str
    sort: Sort
    operator: str
    """Such as `comparison`; for an omission the rule's kind."""
    file: str
    line: int
    end_line: int
    subject: str
    edits: tuple[Edit, ...]
    change: str
    """What became what, in one short line."""
    rule: str = ""
    """Id of the rule that is left out."""
