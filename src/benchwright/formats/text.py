"""Text that reaches a terminal: whatever it came from, it can't move the cursor or hide itself."""

from __future__ import annotations


def printable(text: str, limit: int = 0) -> str:
    """One harmless line: what doesn't print (control, bidirectional, surrogate) is escaped.

    Args:
        text: anything, also from a submission.
        limit: cut after this many characters; 0 for no limit.
    """
    shown = text[: limit - 1] if limit and len(text) > limit else text
    line = "".join(c if c.isprintable() else _escape(c) for c in shown)
    return line + "…" if len(shown) < len(text) else line


def _escape(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")
