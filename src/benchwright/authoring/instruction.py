"""`instruction.md`: what the agent is told."""

from __future__ import annotations

from benchwright.formats import Kind, Product, Recipe

from .contract import listed

TEXT = """\
# {title}

{opening}

{goal}

## Where things are

- `/app` is your workspace. What is judged is what you leave in {where}; every other file you make
  (notes, tests of your own) is ignored.
- `/docs` holds the documents of this task, read-only.
- `/env` holds {language} {version} and every package that the product may use, read-only.
- There is no network. Nothing can be downloaded or installed, and nothing needs to be.

## How it is judged

- You submit once: by ending your work, or with the command `submit` where it exists.
- What you delivered is frozen and run in a fresh, offline sandbox against hidden tests that you
  don't have. They test behaviour through the public interface, and follow {source}.
- {score}
- A test that hangs, crashes the process or exits it counts as failed; the others still run.

## What is not allowed

- Code that acts on the tests, the test runner or its report instead of doing what is asked: it
  scores nothing.
- Files outside {where} can't help: test files, runner configuration and start-up hooks of yours
  are not used.
- The original package, copies of it and wrappers around something equivalent. They are not
  installed where your code is judged.
"""


def instruction(kind: Kind, product: Product, recipe: Recipe) -> str:
    """The whole text."""
    opening, goal, source, score = _KINDS[kind]
    where = listed([f"/app/{path}" if path != "." else "/app" for path in product.paths])
    language = recipe.language.capitalize()
    words = {"where": where, "language": language, "version": recipe.version}
    return TEXT.format(
        title=_TITLES[kind].format(name=product.distribution or product.modules[0]),
        opening=opening.format(**words),
        goal=goal.format(**words),
        source=source,
        score=score,
        **words,
    )


_TITLES: dict[Kind, str] = {
    "completion": "Complete the library {name}",
    "construction": "Build the library {name}",
    "resolution": "Resolve an issue of {name}",
}
_KINDS: dict[Kind, tuple[str, str, str, str]] = {
    "completion": (
        "The workspace holds a {language} library whose function bodies were taken out.\n"
        "Signatures, decorators, docstrings, constants and comments are as they were; each\n"
        "missing body is `raise NotImplementedError`. Code that runs at import is still there.",
        "Implement every missing body in {where}, so that the library does what its docstrings\n"
        "and the documents in `/docs` say. Keep names, signatures and files as they are.",
        "the docstrings and documents",
        "The score is the share of the hidden tests that pass; solved means all of them.",
    ),
    "construction": (
        "The workspace is empty. Build a {language} library from its requirements, and deliver it\n"
        "as {where}.",
        "`/docs/PRD.md` says what it does: read all of it. `/docs/CONTRACT.md` gives the path,\n"
        "signature and value of every name that is used from outside. Both are binding; what they\n"
        "leave open is yours to decide.",
        "these two documents",
        "It is solved only when every hidden test passes. The share that passes is reported too.",
    ),
    "resolution": (
        "The workspace is a {language} repository with an open issue, given below.",
        "Change the code so that the issue is resolved and everything else keeps working.",
        "the issue and the repository's own behaviour",
        "It is solved only when the tests of the issue pass and those that passed still do.",
    ),
}
