"""Rules, wrong implementations and permissive products of Python: what the protocol asks for."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import PurePosixPath

from benchwright.formats import Product, Rule
from benchwright.languages.wrong import Wrong

from .mutate import Source, generate, missing, sources
from .rules import omission
from .rules import rules as extract


def module_name(file: str, product: Product) -> str:
    """The name a file is imported by."""
    path = PurePosixPath(file)
    for root in sorted(product.roots, key=len, reverse=True):
        if root != "." and path.is_relative_to(root):
            path = path.relative_to(root)
            break
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def read(files: Mapping[str, bytes], product: Product) -> tuple[dict[str, Source], list[str]]:
    """The readable Python files of a product, by name, and notes on the others."""
    python = {name: data for name, data in files.items() if name.endswith(".py")}
    found, notes = sources(python, {name: module_name(name, product) for name in python})
    return {source.file: source for source in found}, notes


def rules(files: Mapping[str, bytes], product: Product) -> tuple[tuple[Rule, ...], tuple[str, ...]]:
    """The rules of a reference, and what couldn't be read."""
    found, notes = read(files, product)
    return extract(found.values()), tuple(notes)


def wrong(
    files: Mapping[str, bytes],
    product: Product,
    found: Collection[Rule],
    imported: Mapping[str, frozenset[int]],
) -> Wrong:
    """Omissions, mutants and missing subsystems, without those that change nothing."""
    known, _ = read(files, product)
    omitted = [omission(rule, known[rule.file]) for rule in found]
    made = generate(known.values(), omitted)
    keep = {f"{file}:{line}" for file, lines in imported.items() for line in lines}
    return Wrong((*made.mutants, *missing(known.values(), keep)), made.equivalent)
