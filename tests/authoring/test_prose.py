"""Upstream's documents become plain Markdown that says nothing of where they came from."""

import pytest

from benchwright.authoring.prose import markdown

README = """\
<p align="center"><img src="https://x.example/logo.png"></p>

# Thing [![Build](https://ci.example/b.svg)](https://ci.example)

[![PyPI](https://img.example/v.svg)](https://p.example) ![cover](c.png)

A [thing](https://thing.example/a_(b)) for you, see https://thing.example/docs.
<!-- a comment
over lines -->

- [Documentation](https://docs.example)
- A **real** point

## Installation

    pip install thing

### On Windows

Likewise.

## Usage

```python
# not a heading
url = "https://kept.example"
```

## License

MIT
"""

README_RST = """\
=====
Thing
=====

.. image:: https://ci.example/b.svg
   :target: https://ci.example

A `thing
<https://thing.example>`_ with :class:`~thing.Thing` and ``code``, see `Docs`_.

- `Documentation`_

Use
---

.. code-block:: python

   import thing  # `as it is`_

.. note:: Mind this.

   It matters.

.. versionadded:: 2.0

Then::

    plain block

:param int n: how many,
    at most
:returns: a `Box`
:raises ValueError: if it is empty

Contributing
------------

Please.

.. _Docs: https://docs.example
.. _Documentation: https://docs.example
"""


def test_markdown_keeps_what_tells_about_behaviour() -> None:
    assert markdown("README.md", README, 1) == [
        "## Thing",
        "",
        "A thing for you, see",
        "",
        "- A **real** point",
        "",
        "### Usage",
        "",
        "```python",
        "# not a heading",
        'url = "https://kept.example"',
        "```",
    ]


def test_restructured_text_becomes_markdown() -> None:
    assert markdown("README.rst", README_RST) == [
        "# Thing",
        "",
        "A thing with `thing.Thing` and `code`, see Docs.",
        "",
        "## Use",
        "",
        "```python",
        "import thing  # `as it is`_",
        "```",
        "",
        "Note: Mind this.",
        "",
        "It matters.",
        "",
        "Then:",
        "",
        "```",
        "plain block",
        "```",
        "",
        "- `n` (int): how many,",
        "    at most",
        "- Returns: a `Box`",
        "- Raises `ValueError`: if it is empty",
    ]


@pytest.mark.parametrize("name", ["README.md", "README.rst", "notes.txt"])
def test_a_document_that_says_nothing_is_empty(name: str) -> None:
    assert markdown(name, "\n\n") == []


def test_headings_stop_at_the_sixth_level() -> None:
    assert markdown("x.md", "##### Deep\n\ntext\n", 4) == ["###### Deep", "", "text"]
