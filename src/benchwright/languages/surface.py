"""What a product shows to its users, in words that hold for every language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

SymbolKind = Literal["module", "class", "exception", "function", "property", "attribute"]


@dataclass(frozen=True, slots=True)
class Raised:
    """An error that a function raises by itself."""

    type: str
    """Name of the type, as the source writes it."""
    message: str = ""
    """Its message, where that is a literal; `{…}` stands for what is filled in."""
    condition: str = ""
    """When, where that can be said by the function's own arguments."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """One name."""

    path: str
    """Where users find it, such as `tinydb.Query.exists`."""
    kind: SymbolKind
    signature: str = ""
    """In the language's own notation, one line each; several for overloads."""
    doc: str = ""
    returns: str = ""
    """What comes back, where the signature doesn't say."""
    raises: tuple[Raised, ...] = ()
    value: str = ""
    """Of a constant, where it is short."""
    aliases: tuple[str, ...] = ()
    """Other paths at which the same object must be found."""
    public: bool = True
    """False: an inner name that is shown only because the hidden tests use it."""
    members: tuple[Symbol, ...] = ()

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition(".")[2]

    def walk(self) -> Iterator[Symbol]:
        """This symbol and all below it."""
        yield self
        for member in self.members:
            yield from member.walk()


@dataclass(frozen=True, slots=True)
class Interface:
    """The surface of a product."""

    modules: tuple[Symbol, ...]
    expected: dict[str, str]
    """Further paths that the hidden tests use -> what must be found there, in a few words."""

    def walk(self) -> Iterator[Symbol]:
        """Every symbol."""
        for module in self.modules:
            yield from module.walk()
