"""Whether a statement is fit: it neither gives the change away nor keeps back what tests demand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from benchwright.tasks import walk

NAME = re.compile(r"[A-Za-z_]\w{3,}")
LITERAL = re.compile(r"\"([^\"\\\n]{6,})\"|'([^'\\\n]{6,})'")
TRAILER = re.compile(
    r"^(co-authored-by|signed-off-by|reviewed-by|\(cherry picked|backport of|merge pull request"
    r"|merge branch|change-id).*$",
    re.IGNORECASE | re.MULTILINE,
)
SHORTEST = 40
"""Characters of a statement that can say something."""
CODE = 24
"""Characters of an added line from which its being quoted gives it away."""
SHOWN = 5


def tidy(message: str) -> str:
    """A commit message without what is for machines."""
    text = TRAILER.sub("", message.replace("\r\n", "\n"))
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def unfit(statement: str, patch: str, test_patch: str, base: Path) -> str:
    """Why a statement can't be used; empty if it can."""
    if len(statement.strip()) < SHORTEST:
        return "the statement says too little"
    if code := leak(statement, patch):
        return f"the statement gives the change away: {code}"
    missing = unstated(statement, patch, test_patch, base)
    if missing:
        return f"the tests need what isn't stated: {', '.join(missing[:SHOWN])}"
    return ""


def leak(statement: str, patch: str) -> str:
    """A line of the change that the statement quotes; empty if there is none."""
    told = " ".join(statement.split())
    for line in added(patch):
        code = " ".join(line.split())
        if len(code) >= CODE and code in told and not code.startswith("#"):
            return code[:80]
    return ""


def unstated(statement: str, patch: str, test_patch: str, base: Path) -> list[str]:
    """Names and texts that the change brings, the tests use, and no public text holds."""
    code, tests = "\n".join(added(patch)), "\n".join(added(test_patch))
    names = set(NAME.findall(LITERAL.sub("", code))) & set(NAME.findall(LITERAL.sub("", tests)))
    texts = literals(code) & literals(tests)
    if not names and not texts:
        return []
    known = "\n".join(_texts(base))
    words = set(NAME.findall(known)) | set(NAME.findall(statement))
    whole = known + statement
    return sorted(names - words) + sorted(repr(t) for t in texts if t not in whole)


def added(patch: str) -> list[str]:
    """The lines that a patch adds to source files."""
    lines, source = [], False
    for line in patch.split("\n"):
        if line.startswith("+++ "):
            source = line.rstrip().endswith(".py")
        elif line.startswith("+") and source:
            lines.append(line[1:])
    return lines


def literals(text: str) -> set[str]:
    """Texts between quotes."""
    return {one or other for one, other in LITERAL.findall(text)}


def _texts(base: Path) -> Iterator[str]:
    for name, path in walk(base):
        if name.endswith((".py", ".rst", ".md", ".txt", ".pyi")) and path.is_file():
            yield path.read_text(errors="replace")
