"""The contract, the requirements and the instruction, from a surface that is given."""

from pathlib import Path

import pytest

from benchwright.authoring.contract import contract
from benchwright.authoring.instruction import instruction
from benchwright.authoring.prd import prd
from benchwright.formats import Kind, Lock, Locked, Product, Recipe
from benchwright.languages import Interface, Raised, Symbol

PRODUCT = Product(paths=("src/box",), roots=("src",), modules=("box",), distribution="Box")
RECIPE = Recipe(language="python", version="3.11")
LOCK = Lock(recipe="", packages=(Locked(name="six", version="1.16", hashes=()),))
SURFACE = Interface(
    modules=(
        Symbol(
            path="box",
            kind="module",
            doc="Boxes.\n\nMore about boxes.",
            members=(
                Symbol(path="box.LIMIT", kind="attribute", signature="LIMIT: int", value="3"),
                Symbol(
                    path="box.Box",
                    kind="class",
                    signature="class Box(dict)",
                    doc="A box.\n\nIt holds things.",
                    aliases=("box.core.Box",),
                    members=(
                        Symbol(
                            path="box.Box.put",
                            kind="function",
                            signature="def put(self, n=1)",
                            returns="None",
                            raises=(Raised("ValueError", "too many", "n > 3"),),
                        ),
                    ),
                ),
            ),
        ),
        Symbol(
            path="box._inner",
            kind="module",
            public=False,
            members=(
                Symbol(
                    path="box._inner.f",
                    kind="function",
                    signature="def f()",
                    doc="Secret.",
                    public=False,
                ),
            ),
        ),
    ),
    expected={"box.core.os": "`os`, imported under this name"},
)
CONTRACT = """\
## Module `box`

Boxes.

- `LIMIT: int` = `3`

### `box.Box`

```
class Box(dict)
```

Also found at `box.core.Box`.

A box.

#### `box.Box.put`

```
def put(self, n=1)
```

- Returns `None`.
- Raises `ValueError` when `n > 3`, with the message `too many`.

## Module `box._inner` (*inner*)

### `box._inner.f` (*inner*)

```
def f()
```

Secret.

## Further names that the tests use

- `box.core.os`: `os`, imported under this name.
"""
REQUIREMENTS = """\
# Product requirements: Box

## 1. Overview

### Box

Holds things.

## 2. Public surface

Exact paths, signatures and values stand in `CONTRACT.md`.

- `box`: `LIMIT`, `Box`

## 3. Feature points

### FP-01: `box.Box`

**Public entry.** Class of module `box`.

```
class Box(dict)
```

**Normal behaviour.**

A box.

It holds things.

#### `box.Box.put`

```
def put(self, n=1)
```

**Normal behaviour.**

Returns None.

**Boundary and error behaviour.**

- Raises `ValueError` when `n > 3`, with the message `too many`.

## 4. Manual

### Guide

Put things in.

## 5. Non-functional constraints
"""


@pytest.fixture
def documents(tmp_path: Path) -> list[Path]:
    texts = {
        "README.md": "# Box\n\nHolds things.\n",
        "guide.md": "# Guide\n\nPut things in.\n",
        "CHANGES.md": "# Version 2\n\nFuture.\n",
        "requirements.txt": "sphinx\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return [tmp_path / name for name in texts]


def test_the_contract_has_every_name_and_those_that_tests_touch() -> None:
    text = contract(SURFACE, PRODUCT, "Python")

    assert text.partition("so they must exist too.\n\n")[2] == CONTRACT
    assert "distribution `Box`, imported as `box`" in text


def test_the_requirements_come_from_documents_and_docstrings(documents: list[Path]) -> None:
    text = prd(SURFACE, PRODUCT, RECIPE, LOCK, documents)

    assert text.startswith(REQUIREMENTS)
    assert "installed: six 1.16." in text
    assert [word in text for word in ("Future", "sphinx", "Secret")] == [False] * 3


def test_the_same_surface_gives_the_same_text(documents: list[Path]) -> None:
    texts = {prd(SURFACE, PRODUCT, RECIPE, LOCK, documents) for _ in range(2)}

    assert len(texts) == 1


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("completion", "Implement every missing body in `/app/src/box`"),
        ("construction", "`/docs/PRD.md` says what it does"),
        ("resolution", "so that the issue is resolved"),
    ],
)
def test_the_instruction_says_what_where_and_how_it_is_judged(kind: Kind, said: str) -> None:
    text = instruction(kind, PRODUCT, RECIPE)

    for part in (said, "`/app/src/box`", "`/docs`", "Python 3.11", "You submit once"):
        assert part in text
    assert "{" not in text
