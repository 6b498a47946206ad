"""Tiny tasks, written by hand: a construction whose agents can fail without a suite being run."""

import hashlib
from pathlib import Path

from benchwright import environments
from benchwright.formats import (
    ExpectedTest,
    Kind,
    Lock,
    Manifest,
    Product,
    Recipe,
    Runner,
    Scoring,
    Settings,
    SourcePin,
    TaskConfig,
    canonical,
)
from benchwright.tasks import Task, save_config, save_recipe

REFERENCE = "def double(n):\n    return 2 * n\n"
HIDDEN = """\
from twice import double


def test_one():
    assert double(1) == 2


def test_text():
    assert double("ab") == "abab"
"""


def write_task(root: Path, kind: Kind = "construction", requires: tuple[str, ...] = ()) -> Task:
    """A task whose product is one module, `twice`."""
    recipe = Recipe(language="python", version="3.11", requires=requires)
    digest = hashlib.sha256(canonical(recipe.model_dump(mode="json"))).hexdigest()
    lock = environments.lock(recipe) if requires else Lock(recipe=digest, packages=())
    files = {
        "instruction.md": "Write the module `twice`.\n",
        "environment/docs/CONTRACT.md": "`twice.double(n)` returns n + n.\n",
        "tests/files/tests/test_twice.py": HIDDEN,
        "solution/files/twice.py": REFERENCE,
    }
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    workspace = root / "environment" / "workspace"
    workspace.mkdir()
    if kind != "construction":
        (workspace / "twice.py").write_text("def double(n):\n    raise NotImplementedError\n")
    save_recipe(root, recipe, lock)
    save_config(
        root,
        TaskConfig(
            task={"name": f"test/{root.name}"},
            agent={"timeout_sec": 60.0},
            benchwright=Settings(
                kind=kind,
                language="python",
                source=SourcePin(spec="path:twice"),
                product=Product(paths=("twice.py",), modules=("twice",)),
                runner=Runner(paths=("tests",)),
                scoring=Scoring(rounds=1),
            ),
        ),
    )
    ids = ("tests/test_twice.py::test_one", "tests/test_twice.py::test_text")
    tests = tuple(ExpectedTest(id=name, file="tests/test_twice.py") for name in ids)
    Manifest(tests=tests).write(root / "tests" / "manifest.json")
    return Task.load(root)
