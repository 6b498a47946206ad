"""Tests that pass before anything is implemented: they ask for nothing, so they don't count."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from benchwright.formats import ExpectedTest, Manifest, SourceError
from benchwright.tasks import plant

from .parts import Parts, copy
from .reference import Bench

VACUOUS = "vacuous"


def without_vacuous(
    bench: Bench,
    parts: Parts,
    manifest: Manifest,
    workspace: Mapping[str, bytes] | None,
    tell: Callable[[str], None],
) -> Manifest:
    """The manifest in which no test counts that passes on the untouched workspace, or on a product
    whose every name exists and whose every call returns an object that accepts everything.

    Args:
        bench: what the suite runs on.
        parts: upstream's tree.
        manifest: what the reference passes.
        workspace: the product's files in the untouched workspace; None for an empty one.
        tell: told what is being done.

    Raises:
        SourceError: nothing is left that counts.
    """
    tell("running the hidden tests on the untouched workspace")
    free = _passed(bench, parts, manifest, workspace or {})
    tell("running the hidden tests on a product that accepts everything")
    files = {name: parts.tree / name for name in parts.product}
    reference = {n: p.read_bytes() for n, p in files.items() if not p.is_symlink()}
    free |= _passed(bench, parts, manifest, bench.rig.language.permissive(reference))
    tests = tuple(_uncounted(test) if test.id in free else test for test in manifest.tests)
    if not any(test.counted for test in tests):
        raise SourceError("every hidden test passes before anything is implemented")
    return manifest.model_copy(update={"tests": tests})


def _passed(
    bench: Bench, parts: Parts, manifest: Manifest, product: Mapping[str, bytes]
) -> set[str]:
    """The counted tests that pass on a product of these files."""
    bench = replace(bench, rig=bench.rig.hurried(test.seconds for test in manifest.counted))
    with tempfile.TemporaryDirectory(prefix="benchwright-") as scratch:
        tree = Path(scratch) / "work"
        copy(parts.tree, parts.scaffold, tree)
        plant(product, tree)
        copy(parts.tree, parts.hidden, tree)
        ran = bench.run(tree)
    return {
        test.id for test in manifest.counted if ran.outcome(test.id, test.file).outcome == "passed"
    }


def _uncounted(test: ExpectedTest) -> ExpectedTest:
    return test.model_copy(update={"counted": False, "reason": VACUOUS}) if test.counted else test
