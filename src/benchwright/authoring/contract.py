"""`CONTRACT.md`: every public name of the product with its path, signature and errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchwright.formats import Product
from benchwright.languages import Interface, Raised, Symbol

HEAD = """\
# Interface contract

The product is the {language} distribution `{distribution}`, imported as {modules}. Its files are
delivered under {paths}.

Every name below must exist at the path where it stands, with this signature: names, order, kinds
and defaults of parameters are binding, annotations are information. An object with several paths
is one object. Names that are not listed are yours to choose.

Names marked *inner* are not public, but the tests touch them, so they must exist too.
"""


def contract(interface: Interface, product: Product, language: str) -> str:
    """The contract as Markdown."""
    head = HEAD.format(
        language=language,
        distribution=product.distribution,
        modules=listed(product.modules),
        paths=listed(product.paths),
    )
    lines = [head]
    for module in interface.modules:
        lines += _module(module)
    if interface.expected:
        lines += ["## Further names that the tests use", ""]
        lines += [f"- `{path}`: {what}." for path, what in sorted(interface.expected.items())]
    return "\n".join(lines).rstrip() + "\n"


def listed(names: Sequence[str]) -> str:
    """Names as inline code, separated by commas."""
    return ", ".join(f"`{name}`" for name in names)


def raising(raised: Raised) -> str:
    """One error as a sentence."""
    when = f" when `{raised.condition}`" if raised.condition else ""
    what = f", with the message `{raised.message}`" if _quotable(raised.message) else ""
    return f"Raises `{raised.type}`{when}{what}."


def _quotable(message: str) -> bool:
    return bool(message) and "`" not in message and "\n" not in message


def _module(module: Symbol) -> Iterator[str]:
    yield from (f"## Module `{module.path}`{_inner(module)}", "")
    if module.doc:
        yield from (_first(module.doc), "")
    plain = [m for m in module.members if m.kind == "attribute"]
    if plain:
        yield from (*map(_attribute, plain), "")
    for member in module.members:
        if member.kind != "attribute":
            yield from _symbol(member, 3)


def _symbol(symbol: Symbol, depth: int) -> Iterator[str]:
    yield from (f"{'#' * min(depth, 6)} `{symbol.path}`{_inner(symbol)}", "")
    yield from ("```", *symbol.signature.splitlines(), "```", "")
    if symbol.aliases:
        yield from (f"Also found at {listed(symbol.aliases)}.", "")
    if symbol.doc:
        yield from (_first(symbol.doc), "")
    yield from _facts(symbol)
    plain = [m for m in symbol.members if m.kind == "attribute"]
    if plain:
        yield from (*map(_attribute, plain), "")
    for member in symbol.members:
        if member.kind != "attribute":
            yield from _symbol(member, depth + 1)


def _facts(symbol: Symbol) -> Iterator[str]:
    rows = [f"- Returns {_returned(symbol.returns)}."] if symbol.returns else []
    rows += [f"- {raising(raised)}" for raised in symbol.raises]
    if rows:
        yield from (*rows, "")


def _returned(shape: str) -> str:
    return f"`{shape}`" if shape in ("None", "bool") else shape


def _attribute(symbol: Symbol) -> str:
    value = f" = `{symbol.value}`" if symbol.value and "`" not in symbol.value else ""
    also = f"; also found at {listed(symbol.aliases)}" if symbol.aliases else ""
    return f"- `{symbol.signature or symbol.name}`{value}{_inner(symbol)}{also}"


def _inner(symbol: Symbol) -> str:
    return "" if symbol.public else " (*inner*)"


def _first(doc: str) -> str:
    """The first paragraph of a docstring."""
    return " ".join(doc.strip().split("\n\n")[0].split())
