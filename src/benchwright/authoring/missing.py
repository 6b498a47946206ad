"""Which modules collecting the suite doesn't find."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from benchwright.environments import Environment
from benchwright.formats import Settings, SourcePin
from benchwright.judge import Rig
from benchwright.languages import Language, Project
from benchwright.sandbox import Sandbox

from .parts import Parts, copy
from .reference import Bench

ABSENT = re.compile(r"No module named '([^']+)'")


def missing_modules(
    language: Language, project: Project, environment: Environment, parts: Parts, sandbox: Sandbox
) -> tuple[str, ...]:
    """Names of the modules whose import failed while the suite was collected."""
    settings = Settings(
        kind="completion",
        language=language.name,
        source=SourcePin(spec=""),
        product=project.product,
        runner=project.runner,
    )
    bench = Bench(Rig(language, settings, environment, sandbox), parts.hidden)
    with tempfile.TemporaryDirectory(prefix="benchwright-") as scratch:
        tree = Path(scratch) / "work"
        copy(parts.tree, (*parts.scaffold, *parts.product, *parts.hidden), tree)
        found = bench.collect(tree)
    said = "\n".join([*found.errors.values(), *found.broken.values()])
    return tuple(dict.fromkeys(ABSENT.findall(said)))
