"""What an agent is given to read: `CONTRACT.md`, `PRD.md` and the instruction.

Everything is written from the project's public interface and its own documents, in a fixed order,
so that the same source gives the same text. Nothing of the hidden tests is in it but the names that
they use, without which a solution couldn't be asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchwright.formats import Kind, Lock, Product, Recipe
from benchwright.languages import Interface, Symbol

BADGE = re.compile(
    r"^\s*(\[?!\[[^\]]*\]\([^)]*\)(\]\([^)]*\))?\s*)+$|^\.\. image::.*$|^\s*:target:.*$"
)
FENCE = re.compile(r"^(```|~~~)")
TEXT = (".md", ".rst", ".txt")
LONGEST = 60_000
"""Characters taken of one document at most."""


def contract(interface: Interface, product: Product, language: str) -> str:
    """The interface contract: every public name with its signature."""
    lines = [
        "# Interface contract",
        "",
        f"The product is the {language} distribution `{product.distribution}`, imported as "
        f"{_list(product.modules)}. Its files are delivered under {_list(product.paths)}.",
        "",
        "Every name below must exist at the path where it stands, with this signature. Names that",
        "begin with an underscore, and other inner names, are listed only where the hidden tests",
        "touch them.",
        "",
    ]
    for module in interface.modules:
        lines += _module(module)
    if interface.expected:
        lines += ["## Further names that are used", ""]
        lines += [f"- `{path}`: {what}" for path, what in sorted(interface.expected.items())]
    return "\n".join(lines).rstrip() + "\n"


def _module(module: Symbol) -> Iterator[str]:
    yield from (f"## `{module.path}`", "")
    yield from _doc(module.doc)
    for member in module.members:
        if member.kind == "module":
            yield from _module(member)
        else:
            yield from _symbol(member, 3)


def _symbol(symbol: Symbol, depth: int) -> Iterator[str]:
    remark = "" if symbol.public else " (inner name, used by the tests)"
    yield from (f"{'#' * min(depth, 6)} `{symbol.path}`{remark}", "")
    if symbol.signature:
        yield from ("```", *symbol.signature.splitlines(), "```", "")
    elif symbol.value:
        yield from (f"{symbol.kind.capitalize()}, value `{symbol.value}`", "")
    else:
        yield from (symbol.kind.capitalize(), "")
    if symbol.aliases:
        yield from (f"Also found at {_list(symbol.aliases)}.", "")
    if symbol.returns:
        yield from (f"Gives {symbol.returns}.", "")
    for raised in symbol.raises:
        yield from (_raised(raised.type, raised.condition, raised.message), "")
    for member in symbol.members:
        yield from _symbol(member, depth + 1)


def _raised(kind: str, condition: str, message: str) -> str:
    when = f" when `{condition}`" if condition else ""
    what = f", saying `{message}`" if message else ""
    return f"- Raises `{kind}`{when}{what}."


def prd(
    interface: Interface, product: Product, recipe: Recipe, lock: Lock, documents: Sequence[Path]
) -> str:
    """The requirements: what the product does, from its documents and docstrings."""
    name = product.distribution or product.modules[0]
    lines = [f"# Product requirements: {name}", "", "## 1. Overview", ""]
    lines += _overview(interface, documents)
    lines += ["", "## 2. Public surface", ""]
    for module in interface.modules:
        lines += [f"- {line}" for line in _inventory(module)]
    lines += [
        "",
        "Signatures and exact paths stand in `CONTRACT.md`.",
        "",
        "## 3. Feature points",
        "",
    ]
    for number, (symbol, where) in enumerate(_features(interface), 1):
        lines += _feature(number, symbol, where)
    lines += ["## 4. Documents of the product", ""]
    for document in documents[1:]:
        lines += [f"### {document.name}", "", *_document(document, 2), ""]
    lines += _constraints(recipe, lock)
    return "\n".join(lines).rstrip() + "\n"


def _overview(interface: Interface, documents: Sequence[Path]) -> list[str]:
    if documents:
        return _document(documents[0], 2)
    return [module.doc for module in interface.modules if module.doc] or ["(no overview)"]


def _inventory(module: Symbol) -> Iterator[str]:
    named = [m for m in module.members if m.public and m.kind != "module"]
    listed = f": {_list([m.name for m in named])}" if named else ""
    yield f"`{module.path}`{listed}"
    for member in module.members:
        if member.kind == "module":
            yield from _inventory(member)


def _features(interface: Interface) -> Iterator[tuple[Symbol, str]]:
    for module in interface.walk():
        if module.kind != "module":
            continue
        for member in module.members:
            if member.public and member.kind in ("class", "exception", "function"):
                yield member, module.path


def _feature(number: int, symbol: Symbol, where: str) -> Iterator[str]:
    yield from (f"### FP-{number:02d}: `{symbol.path}`", "")
    yield from (f"Public entry: {symbol.kind} of `{where}`.", "")
    yield from _behaviour(symbol)
    for member in symbol.members:
        if member.public and (member.doc or member.raises):
            yield from (f"#### `{member.path}`", "")
            yield from _behaviour(member)


def _behaviour(symbol: Symbol) -> Iterator[str]:
    if symbol.signature:
        yield from ("```", *symbol.signature.splitlines(), "```", "")
    yield from _doc(symbol.doc)
    if symbol.raises:
        yield from ("Boundary and error behaviour:", "")
        yield from (_raised(r.type, r.condition, r.message) for r in symbol.raises)
        yield ""


def _doc(text: str) -> Iterator[str]:
    if text:
        yield from (*(f"> {line}".rstrip() for line in text.strip().splitlines()), "")


def _constraints(recipe: Recipe, lock: Lock) -> list[str]:
    packages = ", ".join(f"{p.name} {p.version}" for p in lock.packages) or "none"
    return [
        "## 5. Constraints",
        "",
        f"- {recipe.language.capitalize()} {recipe.version}; the product runs offline.",
        f"- Installed in the environment: {packages}. Nothing else can be installed.",
        "",
        "## 6. Not asked for",
        "",
        "- Packaging for an index, continuous integration, a documentation site.",
        "- Names that stand neither in `CONTRACT.md` nor in this document.",
    ]


def _document(path: Path, deeper: int) -> list[str]:
    """A document with its headings moved down and its badges taken off."""
    text = path.read_text(errors="replace")[:LONGEST]
    lines, fenced = [], False
    for line in text.splitlines():
        if FENCE.match(line):
            fenced = not fenced
        if not fenced and BADGE.match(line):
            continue
        if not fenced and re.match(r"#{1,4}\s", line):
            line = "#" * deeper + line
        lines.append(line.rstrip())
    return lines


def _list(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def instruction(kind: Kind, product: Product, recipe: Recipe, counted: int) -> str:
    """What the agent is told."""
    where = _list([f"/app/{path}" if path != "." else "/app" for path in product.paths])
    opening, goal = _OPENINGS[kind]
    return f"""# {product.distribution or product.modules[0]}

{opening.format(where=where, language=recipe.language.capitalize())}

{goal}

## Where things are

- `/app`: your workspace. What you leave in {where} is what is judged; other files are ignored.
- `/docs`: the documents of this task.
- `/env`: {recipe.language.capitalize()} {recipe.version} with everything the product needs.
  There is no network, and nothing else can be installed.

## How it is judged

- You submit once, by ending your work (or with the command `submit`, where there is one).
- Your files are frozen and judged in a fresh, offline sandbox by {counted} hidden tests, which you
  don't have. No language model is involved.
- {_SCORES[kind]}
- Tests, runner configuration and start-up hooks in your workspace are not used. Code that acts on
  the tests or the runner instead of doing what is asked scores nothing.
"""


_OPENINGS: dict[Kind, tuple[str, str]] = {
    "completion": (
        "The workspace is a {language} library whose function bodies were taken out: signatures, "
        "docstrings, constants and comments are there, and each missing body raises an error.",
        "Implement every one of them so that the library does what its docstrings and documents "
        "say.",
    ),
    "construction": (
        "Build a {language} project from scratch in the empty workspace. Deliver it under {where}.",
        "`/docs/PRD.md` says what the product does; `/docs/CONTRACT.md` gives every public name, "
        "path and signature. Both are binding.",
    ),
    "resolution": (
        "The workspace is a {language} repository with an open issue, given below.",
        "Change the code so that the issue is resolved and everything else keeps working.",
    ),
}
_SCORES: dict[Kind, str] = {
    "completion": "Your score is the share of these tests that pass.",
    "construction": "The reward is 1 if all of them pass, and 0 otherwise.",
    "resolution": "The reward is 1 if all of them pass, and 0 otherwise.",
}
