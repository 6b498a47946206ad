"""Whether a rule is stated: what the public half says, searched for what a rule needs said.

A rule is stated when the name it belongs to and every literal of it (type, default, constant,
message) stand in the public texts. Where its very sentence stands there, the statement was printed
from the rules: that is stated, too, but called `generated`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from benchwright.formats import Rule
from benchwright.tasks import Task, walk

Stated = Literal["stated", "generated", "unstated"]
LONGEST = 2 << 20


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a public text."""

    file: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Statement:
    """The public texts of a task."""

    texts: dict[str, str]
    """By name, blanks made equal within lines."""

    @classmethod
    def of(cls, task: Task) -> Statement:
        """Instruction, documents and workspace."""
        found = {"instruction.md": task.instruction}
        for root, label in ((task.docs, "docs"), (task.workspace, "workspace")):
            found |= {f"{label}/{name}": p for name, p in walk(root) if p.is_file()}
        texts = {}
        for name, path in found.items():
            if path.stat().st_size <= LONGEST and not path.is_symlink():
                texts[name] = path.read_bytes().decode(errors="replace")
        return cls(texts)

    def has(self, literal: str) -> bool:
        """Whether a literal stands anywhere, whatever its blanks."""
        wanted = squeezed(literal)
        return any(wanted in squeezed(text) for text in self.texts.values())

    def names(self, name: str) -> bool:
        """Whether a name stands anywhere as a word."""
        pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        return any(pattern.search(text) for text in self.texts.values())

    def states(self, rule: Rule) -> Stated:
        """Whether a rule is stated."""
        if self.has(rule.sentence):
            return "generated"
        wanted = (short_name(rule), *rule.literals)
        return "stated" if all(self.has(literal) for literal in wanted) else "unstated"

    def places(self, rule: Rule, limit: int = 3) -> tuple[Place, ...]:
        """The lines that say most of a rule, the best first."""
        wanted = [squeezed(word) for word in (short_name(rule), *rule.literals)]
        found: list[tuple[int, Place]] = []
        for file, text in self.texts.items():
            for number, line in enumerate(text.splitlines(), 1):
                flat = squeezed(line)
                score = sum(len(word) for word in wanted if word in flat)
                if score:
                    found.append((-score, Place(file, number, " ".join(line.split())[:200])))
        found.sort(key=lambda item: (item[0], item[1].file, item[1].line))
        return tuple(place for _, place in found[:limit])


def short_name(rule: Rule) -> str:
    """The name that a text calls the rule's subject by."""
    parts = rule.subject.split(".")
    if parts[-1].startswith("__") and len(parts) > 1:
        return parts[-2]
    return parts[-1]


def squeezed(text: str) -> str:
    """Without blanks, quotes and marks, in lower case: what two ways of writing have in common."""
    return re.sub(r"[\s'\"`*_\\]+", "", text).lower()
