"""Upstream's documents as plain Markdown: what the product does, without where it came from.

Headings, code, lists and text stay. Badges, pictures, links (their text stays), installation,
contributing, licence and history sections go. reStructuredText is converted as far as README files
and manuals use it; what isn't understood stays as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

WORDLESS = (
    "(table of )?contents?", "install(ation|ing)?( .*)?", "downloads?", "getting it", "contact",
    "contribut.*", "support.*", "(getting )?help", "sponsor.*", "donat.*", "funding", "authors?",
    "credits?", "maintainers?", "acknowledge?ments?", "thanks", "licen[cs](e|es|ing)", "copyright",
    "(quick |project )?links?", "code of conduct", "security( contact.*)?", "badges?",
    "build status", "change ?log", "changes", "history", "releases?", "indices and tables",
    "development", "running the tests", "testing", "resources", "bugs?.*", "community",
)  # fmt: skip
LEFT_OUT = re.compile(rf"\W*({'|'.join(WORDLESS)})\W*", re.IGNORECASE)
"""Headings of sections that tell nothing about behaviour."""
UNDERLINE = re.compile(r"^([=\-~^\"'`#*+.:_])\1{2,}\s*$")
FENCE = re.compile(r"^\s*(```+|~~~+)")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")
CODE = frozenset(
    {"code-block", "code", "sourcecode", "highlight", "testcode", "doctest", "parsed-literal"}
)
SILENT = frozenset(
    {
        "image",
        "figure",
        "toctree",
        "contents",
        "index",
        "meta",
        "raw",
        "include",
        "literalinclude",
        "module",
        "currentmodule",
        "py:module",
        "automodule",
        "testsetup",
        "testcleanup",
        "only",
        "target",
        "graphviz",
        "plot",
        "video",
        "youtube",
        "sectionauthor",
        "moduleauthor",
        "highlight",
    }
)
"""Directives that are dropped with what belongs to them."""
VERSIONS = ("versionadded", "versionchanged")
FIELD = re.compile(r"^(\s*):([A-Za-z]+)((?:\s+[\w*.|\[\], ]+)?):\s*(.*)$")
PARAMETER = (
    "param",
    "parameter",
    "arg",
    "argument",
    "key",
    "keyword",
    "type",
    "var",
    "ivar",
    "cvar",
)
DIRECTIVE = re.compile(r"^(\s*)\.\.\s+(?:\|[^|]*\|\s+)?([A-Za-z][\w:-]*)::\s*(.*)$")


def markdown(name: str, text: str, deeper: int = 0) -> list[str]:
    """A document as lines of Markdown.

    Args:
        name: the file's name; its ending says what it is.
        text: its text.
        deeper: by how many levels headings move down.
    """
    text = text.replace("\r\n", "\n").expandtabs(4)
    if PurePosixPath(name).suffix.lower() in (".rst", ".txt"):
        text = re.sub(r"(?<!`)`([^`<]+?)\s*<[^`>]*>`__?", r"\1", text)
        lines = list(_from_rst(text.splitlines()))
    else:
        lines = text.splitlines()
    return list(_squeezed(_lowered(_filled(_sections(_cleaned(lines))), deeper)))


# -- Markdown


def _cleaned(lines: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Each line, and whether it is code; links, pictures and comments are gone from the text."""
    fence = ""
    comment = False
    for line in lines:
        mark = FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
            yield line.rstrip(), True
        elif fence or (line.startswith("    ") and not line.lstrip().startswith("<")):
            yield line.rstrip(), True
        else:
            comment = comment or "<!--" in line
            if not comment and (line.strip() == "" or (plain := _plain(line)).strip()):
                yield (plain if line.strip() else ""), False
            comment = comment and "-->" not in line


def _plain(line: str) -> str:
    """A line of text without pictures, link targets and HTML."""
    if re.fullmatch(r"\s*[-*+]\s+\[[^\]]+\](\([^)]*\)|\[[^\]]*\])", line.rstrip()):
        return ""
    line = re.sub(r"\[!\[[^\]]*\]\([^)]*\)\]\([^)]*\)", "", line)
    line = re.sub(r"!\[[^\]]*\](\([^)]*\)|\[[^\]]*\])", "", line)
    line = re.sub(r"\[([^\]]+)\]\((?:[^()]|\([^)]*\))*\)", r"\1", line)
    line = re.sub(r"^\s*\[[^\]]+\]:\s+\S+.*$", "", line)
    line = re.sub(r"\[([^\]]+)\]\[[^\]]*\]", r"\1", line)
    line = re.sub(
        r"</?(img|a|p|div|br|h[1-6]|center|picture|source|span|sup|sub)\b[^>]*>", "", line
    )
    line = re.sub(r"<https?://[^>]*>", "", line)
    line = re.sub(r"\(?\bhttps?://[^\s)>\]`'\"]+\)?", "", line)
    return line.rstrip()


def _sections(lines: Iterable[tuple[str, bool]]) -> Iterator[tuple[str, bool]]:
    """Without the sections that are left out, and what is below them."""
    skipped = 0
    for line, code in lines:
        heading = None if code else HEADING.match(line)
        if heading:
            level = len(heading[1])
            if skipped and level > skipped:
                continue
            skipped = level if LEFT_OUT.fullmatch(heading[2]) else 0
        if not skipped:
            yield line, code


def _filled(lines: Iterable[tuple[str, bool]]) -> Iterator[tuple[str, bool]]:
    """Without headings that nothing stands under."""
    waiting: list[tuple[int, str]] = []
    for line, code in lines:
        heading = None if code else HEADING.match(line)
        if heading:
            level = len(heading[1])
            waiting = [(depth, text) for depth, text in waiting if depth < level]
            waiting.append((level, line))
        elif line.strip():
            for _, text in waiting:
                yield from ((text, False), ("", False))
            waiting = []
            yield line, code
        elif not waiting:
            yield line, code


def _lowered(lines: Iterable[tuple[str, bool]], deeper: int) -> Iterator[tuple[str, bool]]:
    for line, code in lines:
        heading = None if code else HEADING.match(line)
        if heading:
            line = f"{'#' * min(6, len(heading[1]) + deeper)} {heading[2]}"
        yield line, code


def _squeezed(lines: Iterable[tuple[str, bool]]) -> Iterator[str]:
    """Without empty lines at the start and end, and without more than one in a row."""
    empty, started = 0, False
    for line, _ in lines:
        if not line.strip():
            empty += 1
            continue
        if started and empty:
            yield ""
        started, empty = True, 0
        yield line


# -- reStructuredText


def _from_rst(lines: list[str]) -> Iterator[str]:
    levels: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        following = lines[at + 1] if at + 1 < len(lines) else ""
        title = _title(lines, at)
        if title:
            text, style, at = title
            if style not in levels:
                levels.append(style)
            yield f"{'#' * min(6, levels.index(style) + 1)} {_inline(text)}"
        elif directive := DIRECTIVE.match(line):
            block, at = _block(lines, at + 1, len(directive[1]))
            yield from _directive(directive[2].lower(), directive[3], block)
        elif re.match(r"^\s*\.\.(\s|$)", line):
            _, at = _block(lines, at + 1, len(line) - len(line.lstrip()))
        elif line.rstrip().endswith("::") and not following.strip():
            text = line.rstrip()[:-2].rstrip()
            yield f"{_inline(text)}:" if text else ""
            block, at = _block(lines, at + 1, len(line) - len(line.lstrip()))
            yield from _fenced("", block)
        elif field := FIELD.match(line):
            yield _field(field[2], (field[3] or "").split(), field[4])
            at += 1
        elif line.lstrip().startswith(">>>"):
            end = next((i for i in range(at, len(lines)) if not lines[i].strip()), len(lines))
            yield from _fenced("", lines[at:end])
            at = end
        else:
            yield _inline(line)
            at += 1


def _field(name: str, arguments: list[str], text: str) -> str:
    """A field of a docstring as an item of a list."""
    told = _inline(text)
    if name in PARAMETER and arguments:
        kind = f" ({' '.join(arguments[:-1])})" if arguments[:-1] else ""
        return f"- `{arguments[-1]}`{kind}: {told}".rstrip(" :")
    if name in ("raises", "raise", "except", "exception") and arguments:
        return f"- Raises `{arguments[0]}`: {told}".rstrip(" :")
    title = {"return": "Returns", "rtype": "Type of what is returned"}.get(name, name.capitalize())
    return f"- {' '.join([title, *arguments])}: {told}".rstrip(" :")


def _title(lines: list[str], at: int) -> tuple[str, str, int] | None:
    """The title that starts at a line: text, style, and where the rest goes on."""
    line = lines[at].rstrip()
    after = [lines[i].rstrip() if i < len(lines) else "" for i in (at + 1, at + 2)]
    over = UNDERLINE.match(line)
    if over and after[0].strip() and after[1][:3] == line[:3] and UNDERLINE.match(after[1]):
        return after[0].strip(), f"{line[0]}{line[0]}", at + 3
    under = UNDERLINE.match(after[0])
    if (
        line.strip()
        and not line.startswith(" ")
        and not over
        and under
        and len(after[0]) >= len(line) - 2
    ):
        return line.strip(), after[0][0], at + 2
    return None


def _block(lines: list[str], at: int, indent: int) -> tuple[list[str], int]:
    """The lines below that are indented deeper, and where the rest goes on."""
    end = at
    while end < len(lines):
        line = lines[end]
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            break
        end += 1
    return lines[at:end], end


def _directive(name: str, argument: str, block: list[str]) -> Iterator[str]:
    while block and (not block[0].strip() or re.match(r"^\s+:[\w-]+:", block[0])):
        block = block[1:]
    if name in CODE:
        yield from _fenced(argument.strip(), block)
    elif name in VERSIONS and not any(line.strip() for line in block):
        yield ""
    elif name not in SILENT:
        body = _dedented(block)
        yield ""
        if re.fullmatch(
            r"(py:)?(function|class|method|attribute|data|exception|decorator|auto\w+)", name
        ):
            yield f"`{argument.strip()}`"
        else:
            word = argument.rstrip(":") if name == "admonition" else name.capitalize()
            yield _inline(f"{word}: {'' if name == 'admonition' else argument}".rstrip())
        yield ""
        yield from _from_rst(body)
    yield ""


def _fenced(language: str, block: list[str]) -> Iterator[str]:
    body = _dedented(block)
    while body and not body[-1].strip():
        body.pop()
    while body and not body[0].strip():
        body.pop(0)
    if body:
        yield from ("", f"```{language}", *body, "```", "")


def _dedented(block: list[str]) -> list[str]:
    indents = [len(line) - len(line.lstrip()) for line in block if line.strip()]
    return [line[min(indents, default=0) :].rstrip() for line in block]


def _inline(line: str) -> str:
    line = re.sub(r":[\w:+.-]+:`([^`<]*?)\s*<[^`>]*>`", r"`\1`", line)
    line = re.sub(r":[\w:+.-]+:`~?([^`]+)`", r"`\1`", line)
    line = re.sub(r"(?<!`)`([^`<]+?)\s+<[\w.~:/#-]+>`(?![`_])", r"`\1`", line)
    line = re.sub(r"``([^`]+)``", r"`\1`", line)
    if re.fullmatch(r"\s*[-*+]\s+`[^`]+`__?", line):
        return ""
    line = re.sub(r"`([^`]+)`__?(?!\w)", r"\1", line)
    line = re.sub(r"\|[\w .-]+\|_?", "", line)
    return re.sub(r"(?<=\w)_(?=[\s.,;:)]|$)", "", line)
