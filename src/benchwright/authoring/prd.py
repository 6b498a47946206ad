"""`PRD.md`: what the product does, from its own documents, docstrings, defaults and errors.

The same source gives the same text. Nothing of the hidden tests is read for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchwright.formats import Lock, Product, Recipe
from benchwright.languages import Interface, Symbol

from .contract import listed, raising
from .prose import markdown

MANUAL = (".md", ".rst")
UNSAID = re.compile(
    r"change|history|news|release|upgrad|contribut|author|licen[cs]e|copying|notice|security"
    r"|code.of.conduct|credits|todo|roadmap|index|install",
    re.IGNORECASE,
)
"""Documents that tell nothing about what the product does now."""
LONGEST = 80_000
"""Characters taken of one document at most."""


def prd(
    interface: Interface, product: Product, recipe: Recipe, lock: Lock, documents: Sequence[Path]
) -> str:
    """The requirements as Markdown.

    Args:
        interface: the product's public surface.
        product: how it is delivered.
        recipe: what it runs on.
        lock: the packages that are there.
        documents: upstream's documents, README first.
    """
    name = product.distribution or product.modules[0]
    read = [path for path in documents if path.suffix.lower() in MANUAL or _is_readme(path)]
    overview = [line for path in read if _is_readme(path) for line in _document(path, 1)]
    sections = {
        "Overview": overview or [m.doc for m in interface.modules if m.doc][:1],
        "Public surface": list(_surface(interface)),
        "Feature points": list(_features(interface)),
        "Manual": [
            line
            for path in read
            if not _is_readme(path) and not UNSAID.search(path.stem)
            for line in (*_document(path, 1), "")
        ],
        "Non-functional constraints": _constraints(recipe, lock),
        "Non-goals": [
            "- Packaging for an index, continuous integration, a documentation site.",
            "- Speed beyond what the tests' time limits ask for.",
            "- Names and behaviour that stand neither in `CONTRACT.md` nor in this document.",
        ],
    }
    lines = [f"# Product requirements: {name}", ""]
    filled = [(title, body) for title, body in sections.items() if body]
    for number, (title, body) in enumerate(filled, 1):
        lines += [f"## {number}. {title}", "", *body, ""]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip() + "\n"


def _is_readme(path: Path) -> bool:
    return path.name.lower().startswith("readme")


def _document(path: Path, deeper: int) -> list[str]:
    text = path.read_text(encoding="utf-8", errors="replace")[:LONGEST]
    return markdown(path.name, text, deeper + 1)


def _surface(interface: Interface) -> Iterator[str]:
    yield from ("Exact paths, signatures and values stand in `CONTRACT.md`.", "")
    for module in interface.modules:
        named = [m.name for m in module.members if m.public]
        if module.public:
            yield f"- `{module.path}`" + (f": {listed(named)}" if named else "")


def _features(interface: Interface) -> Iterator[str]:
    number = 0
    for module in interface.modules:
        told = [m for m in module.members if m.public and m.kind != "attribute"]
        for symbol in told:
            number += 1
            yield from _feature(number, symbol, module)


def _feature(number: int, symbol: Symbol, module: Symbol) -> Iterator[str]:
    yield from (f"### FP-{number:02d}: `{symbol.path}`", "")
    yield from (f"**Public entry.** {symbol.kind.capitalize()} of module `{module.path}`.", "")
    yield from _behaviour(symbol)
    for member in symbol.members:
        if member.public and (member.doc or member.raises or member.value):
            yield from (f"#### `{member.path}`", "")
            yield from _behaviour(member)


def _behaviour(symbol: Symbol) -> Iterator[str]:
    if symbol.signature and symbol.kind != "attribute":
        yield from ("```", *symbol.signature.splitlines(), "```", "")
    if symbol.value and "`" not in symbol.value:
        yield from (f"Value: `{symbol.value}`.", "")
    said = _docstring(symbol.doc)
    if said or symbol.returns:
        yield from ("**Normal behaviour.**", "")
    yield from (*said, "")
    if symbol.returns:
        yield from (f"Returns {symbol.returns}.", "")
    if symbol.raises:
        yield from ("**Boundary and error behaviour.**", "")
        yield from (*(f"- {raising(raised)}" for raised in symbol.raises), "")


def _docstring(text: str) -> list[str]:
    """A docstring as Markdown, its headings below the feature's own."""
    return markdown("docstring.rst", text, 4) if text else []


def _constraints(recipe: Recipe, lock: Lock) -> list[str]:
    packages = ", ".join(f"{p.name} {p.version}" for p in lock.packages) or "none"
    language = f"{recipe.language.capitalize()} {recipe.version}"
    return [
        f"- Runs on {language}, on Linux, as an ordinary user.",
        "- Runs offline: nothing is downloaded, at import or later.",
        f"- Packages that are installed: {packages}. Nothing else can be installed, so the product "
        "may depend on these and on the standard library only.",
        "- Importing the product has no side effects beyond defining names.",
    ]
