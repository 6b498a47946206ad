"""Plausible other values: what a literal may become so that nobody can tell which one is right.

The vocabulary is the suite's own: values, words and numbers that stand elsewhere in it. A value
that occurs often is never replaced by one that occurs nowhere: its rarity would give it away.
"""

from __future__ import annotations

import ast
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from .source import Source
from .trace import literal

WORD = re.compile(r"(?<![\\%{\w])[A-Za-z]{2,}|(?<![\\\w])\d+|[A-Za-z]+")
BORROWED = 80
"""Characters that a value may have to be put in another's place."""
PREFIX = re.compile(r"^[bBuUrRfF]*(?:\"\"\"|'''|\"|')")


@dataclass(frozen=True)
class Change:
    """A replacement of one span inside a file."""

    start: int
    end: int
    text: str
    operator: str
    strong: bool = True
    fixed: bool = False
    """Old and new value are both literals, and unequal."""


class Vocabulary:
    """Every literal of the suite and how often it occurs."""

    def __init__(self, sources: Iterable[Source]) -> None:
        self.leaves: Counter[tuple[str, object]] = Counter()
        self.words: Counter[str] = Counter()
        for source in sources:
            for node in source.nodes:
                if isinstance(node, ast.Constant):
                    self.leaves[key(node.value)] += 1
                    if isinstance(node.value, str | bytes):
                        self.words.update(words(node.value))
        self.shapes: dict[tuple[str, int], list[str]] = {}
        for word in sorted(self.words):
            self.shapes.setdefault((shape(word), len(word)), []).append(word)

    def seen(self, value: object) -> int:
        """How often a leaf value stands in the suite."""
        return self.leaves[key(value)]

    def rare(self, old: object, new: object) -> bool:
        """Whether the new value would stand out beside the old one."""
        return self.seen(new) == 0 and self.seen(old) > 1


def key(value: object) -> tuple[str, object]:
    """A key under which `1`, `1.0` and `True` differ."""
    return type(value).__name__, value


def kind(node: ast.AST) -> str:
    """The type of a literal, as far as replacing goes."""
    if isinstance(node, ast.UnaryOp):
        return kind(node.operand)
    return type(node.value if isinstance(node, ast.Constant) else node).__name__


def words(value: str | bytes) -> list[str]:
    """The words and numbers in a text."""
    text = value.decode("latin-1") if isinstance(value, bytes) else value
    return re.findall(r"[A-Za-z]+|\d+", text[:4000])


def differ(left: ast.expr, right: ast.expr) -> bool:
    """Whether two literals are certainly unequal, in every case and spelling."""
    try:
        one, two = ast.literal_eval(left), ast.literal_eval(right)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    if isinstance(one, str) and isinstance(two, str):
        return one.strip().casefold() != two.strip().casefold()
    return bool(one != two)


def replaced(source: Source, node: ast.expr, change: Change) -> bytes:
    """A node's text after a change inside it."""
    start, end = source.span(node)
    return source.data[start : change.start] + change.text.encode() + source.data[change.end : end]


def parsed(text: str) -> ast.expr | None:
    """The literal that a text is, if it is one."""
    try:
        node = ast.parse(f"({text}\n)", mode="eval").body
    except (SyntaxError, ValueError):
        return None
    return node if literal(node) else None


class Replacer:
    """Makes the other values of one literal node."""

    def __init__(self, vocabulary: Vocabulary, source: Source, seed: str) -> None:
        self.vocabulary = vocabulary
        self.source = source
        self.random = random.Random(seed)  # noqa: S311 - reproducible, and not the secret

    def alternatives(self, node: ast.expr, siblings: list[str]) -> list[Change]:
        """Other values, the least tell-tale first."""
        found: list[Change] = []
        start, end = self.source.span(node)
        found += self.permuted(node)
        nearby = list(self.near(node))
        self.random.shuffle(nearby)
        whole = [
            Change(start, end, text, "swap-sibling", self.plausible(node, text))
            for text in siblings
        ]
        for pair in zip_longest(whole[:3], nearby[:4]):
            found += [c for c in pair if c is not None]
        return [c for c in (self.checked(node, change) for change in found) if c is not None]

    def borrowed(self, node: ast.expr, around: list[ast.expr]) -> list[Change]:
        """Values of the same function in the place of a literal or one of its elements: what the
        test expects then still repeats what it put in.
        """
        parts = node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else [node]
        found = []
        for part in parts:
            start, end = self.source.span(part)
            texts = [self.source.text(n) for n in around if self.swappable(part, n)]
            short = [text for text in dict.fromkeys(texts) if len(text) <= BORROWED]
            found += [Change(start, end, text, "swap-around") for text in short]
        chosen = self.random.sample(found, min(3, len(found)))
        return [c for c in (self.checked(node, change) for change in chosen) if c is not None]

    def plausible(self, node: ast.expr, text: str) -> bool:
        """A sibling stands in the suite; only `True`, `False` and `None` have polarity."""
        del text
        return not (isinstance(node, ast.Constant) and isinstance(node.value, bool))

    def checked(self, node: ast.expr, change: Change) -> Change | None:
        """The change, if the result is a literal of another value on as many lines."""
        start, end = self.source.span(node)
        old, new = self.source.data[start:end], replaced(self.source, node, change)
        if old.count(b"\n") != new.count(b"\n") or b"\r" in change.text.encode():
            return None
        other = parsed(new.decode("utf-8", "replace"))
        if other is None or ast.dump(other) == ast.dump(node):
            return None
        fixed = differ(node, other)
        return Change(change.start, change.end, change.text, change.operator, change.strong, fixed)

    def permuted(self, node: ast.expr) -> Iterator[Change]:
        """The same parts in another order: no new literal, no doubled one."""
        parts: list[ast.expr] = []
        if isinstance(node, ast.List | ast.Tuple):
            parts = list(node.elts)
        elif isinstance(node, ast.Dict):
            parts = list(node.values)
        pairs = [(a, b) for a, b in pairwise(parts) if self.swappable(a, b)]
        if pairs:
            yield self.swap(*self.random.choice(pairs), "swap-parts")
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            yield from self.reordered(node)

    def swappable(self, one: ast.expr, two: ast.expr) -> bool:
        """Whether two parts are of a kind and unequal."""
        return kind(one) == kind(two) and differ(one, two)

    def swap(self, one: ast.expr, two: ast.expr, operator: str) -> Change:
        """Exchange two parts of one node."""
        (a, b), (c, d) = self.source.span(one), self.source.span(two)
        data = self.source.data
        return Change(
            a, d, (data[c:d] + data[b:c] + data[a:b]).decode("utf-8", "replace"), operator
        )

    def tokens(self, node: ast.Constant) -> list[tuple[int, int, str]]:
        """Words and numbers in a string literal: start, end (bytes in the file), text."""
        start, end = self.source.span(node)
        text = self.source.data[start:end].decode("utf-8", "replace")
        if not text.isascii():
            return []
        skip = PREFIX.match(text)
        first = skip.end() if skip else 0
        return [
            (start + m.start(), start + m.end(), m.group())
            for m in WORD.finditer(text)
            if m.start() >= first and text[m.start() - 1] != "\\"
        ]

    def reordered(self, node: ast.Constant) -> Iterator[Change]:
        """Exchange two words of a text."""
        tokens = self.tokens(node)
        pairs = [(a, b) for a, b in pairwise(tokens) if a[2] != b[2] and shape(a[2]) == shape(b[2])]
        if pairs:
            (s, e, one), (t, u, two) = self.random.choice(pairs)
            between = self.source.data[e:t].decode()
            yield Change(s, u, two + between + one, "swap-words")

    def near(self, node: ast.expr) -> Iterator[Change]:
        """Close values of the leaves of a literal."""
        if isinstance(node, ast.Constant):
            yield from self.near_constant(node)
            return
        if isinstance(node, ast.UnaryOp):
            yield from self.near(node.operand)
            return
        children = [c for c in ast.iter_child_nodes(node) if isinstance(c, ast.expr)]
        if isinstance(node, ast.Dict):
            children = [*node.values, *[k for k in node.keys if k is not None]]
        for child in self.random.sample(children, min(3, len(children))):
            yield from self.near(child)
        if isinstance(node, ast.List | ast.Tuple | ast.Set) and len(node.elts) > 2:
            start = self.source.span(node.elts[-2])[1]
            yield Change(start, self.source.span(node.elts[-1])[1], "", "drop-part")

    def near_constant(self, node: ast.Constant) -> Iterator[Change]:
        """Close values of one constant."""
        start, end = self.source.span(node)
        value = node.value
        if isinstance(value, bool):
            yield Change(start, end, str(not value), "flip-boolean", strong=False)
        elif isinstance(value, int):
            yield from self.near_number(value, start, end)
        elif isinstance(value, float):
            yield from self.near_float(value, start, end)
        elif isinstance(value, str | bytes):
            yield from self.near_text(node)

    def near_number(self, value: int, start: int, end: int) -> Iterator[Change]:
        """Neighbours of a number, seen ones first."""
        text = self.source.data[start:end].decode()
        if not text.isdigit():
            return
        steps = [1, -1, 2, -2, 3, 10, -10]
        options = [value + step for step in steps if value + step >= 0]
        self.random.shuffle(options)
        options.sort(key=lambda n: self.vocabulary.seen(n) == 0)
        for option in options[:3]:
            rare = self.vocabulary.rare(value, option)
            yield Change(start, end, str(option), "near-number", not rare)

    def near_float(self, value: float, start: int, end: int) -> Iterator[Change]:
        """Another last digit."""
        text = self.source.data[start:end].decode()
        places = [i for i, c in enumerate(text) if c.isdigit()]
        if not re.fullmatch(r"\d+\.\d+", text):
            return
        for place in {places[-1], self.random.choice(places)}:
            digit = str((int(text[place]) + self.random.choice((1, 2, 8, 9))) % 10)
            new = text[:place] + digit + text[place + 1 :]
            rare = self.vocabulary.rare(value, float(new))
            yield Change(start, end, new, "near-number", not rare)

    def near_text(self, node: ast.Constant) -> Iterator[Change]:
        """Another word or number of the suite inside a text, or another mark."""
        tokens = self.tokens(node)
        for start, end, word in self.random.sample(tokens, min(2, len(tokens))):
            other = self.other_word(word)
            if other:
                rare = self.vocabulary.words[other] == 0 and self.vocabulary.words[word] > 1
                yield Change(start, end, other, "swap-word", not rare)
        text = self.source.text(node)
        for match in re.finditer(r"(?<!\\)([-_,;:./|+*])|  ", text[2:-1]):
            mark = self.random.choice([m for m in "-_,;:./|+*" if m != match.group()])
            at = self.source.span(node)[0] + len(text[: 2 + match.start()].encode())
            width = len(match.group())
            new = " " if match.group() == "  " else mark
            yield Change(at, at + width, new, "swap-mark", strong=False)
            break

    def other_word(self, word: str) -> str:
        """A word of the same shape and about the same length that the suite also uses."""
        if word.isdigit():
            value = int(word)
            options = [str(value + d).zfill(len(word)) for d in (1, -1, 2) if value + d >= 0]
            self.random.shuffle(options)
            return max(options, key=lambda o: self.vocabulary.words[o] > 0)
        same: list[str] = []
        for length in (len(word), len(word) - 1, len(word) + 1):
            same += self.vocabulary.shapes.get((shape(word), length), [])
        same = [w for w in same if w.casefold() != word.casefold()]
        return self.random.choice(same) if same else ""


def shape(word: str) -> str:
    """Number, upper, title or lower case."""
    if word.isdigit():
        return "number"
    if len(word) == 1:
        return "letter"
    return "upper" if word.isupper() else "title" if word.istitle() else "lower"


def zip_longest(*rows: list[Change]) -> Iterator[tuple[Change | None, ...]]:
    """Take turns until the longest is empty."""
    for index in range(max(map(len, rows), default=0)):
        yield tuple(row[index] if index < len(row) else None for row in rows)
