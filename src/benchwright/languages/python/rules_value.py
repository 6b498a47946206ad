"""Rules about values: operations, defaults, tables, order, blanks and case, warnings, options."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from typing import NamedTuple

from .mutate.operators import with_comma
from .mutate.source import Function, Source, body, is_trivial
from .rules_found import Found, code, texts

TABLE = 3
"""From how many entries a display is a table."""
ENTRIES = 24
"""At most so many entries of one table become rules, spread evenly."""
FOLDS = {
    "lower": "case doesn't matter (folded to lower case)",
    "upper": "case doesn't matter (folded to upper case)",
    "casefold": "case doesn't matter",
    "strip": "surrounding blanks don't matter",
    "lstrip": "leading blanks don't matter",
    "rstrip": "trailing blanks don't matter",
    "title": "words are capitalised",
    "capitalize": "the first letter is capitalised",
    "expandtabs": "tabs are expanded",
    "expanduser": "`~` means the home folder",
}


def operations(source: Source, node: ast.AST) -> Iterator[Found]:
    """Every function and method does its work."""
    if not isinstance(node, Function) or source.function(node) is not node:
        return
    statements = body(node)
    if is_trivial(statements):
        return
    start, end = source.span(statements[0])[0], source.span(statements[-1])[1]
    told = (ast.get_docstring(node) or "").strip().split("\n\n")[0]
    sentence = f"{{subject}} works: {' '.join(told.split())}" if told else "{subject} works."
    yield Found("operation", ((start, end, "raise NotImplementedError"),), sentence, (node.name,))


def defaults(source: Source, node: ast.AST) -> Iterator[Found]:
    """The value of an argument that isn't given."""
    if not isinstance(node, Function):
        return
    positional = [*node.args.posonlyargs, *node.args.args]
    given = node.args.defaults
    pairs: list[tuple[ast.arg, ast.expr | None]] = []
    pairs += zip(positional[len(positional) - len(given) :], given, strict=True)
    pairs += zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    for argument, value in pairs:
        if isinstance(value, ast.Constant):
            sentence = f"{{subject}}: `{argument.arg}` is {code(value)} unless it is given."
            literals = (argument.arg, ast.unparse(value))
            spans = ((*source.span(value), _other(value.value)),)
            yield Found("default", spans, sentence, literals)


def _other(value: object) -> str:
    """A value that isn't this one, of the same type where there is one."""
    match value:
        case bool():
            return repr(not value)
        case int() | float():
            return repr(value + 1)
        case str():
            return repr(value + "x")
        case bytes():
            return repr(value + b"x")
    return "..."


class _Entry(NamedTuple):
    first: ast.expr
    last: ast.expr
    told: str


def tables(source: Source, node: ast.AST) -> Iterator[Found]:
    """The entries of a table: outside functions, or a mapping of constants anywhere."""
    if isinstance(node, ast.Dict):
        keys = [k for k in node.keys if isinstance(k, ast.Constant | ast.Attribute | ast.Name)]
        if len(keys) < TABLE or len(keys) != len(node.keys):
            return
        pairs = zip(keys, node.values, strict=True)
        entries = [_Entry(k, v, f"{code(v, 40)} for {code(k, 40)}") for k, v in pairs]
    elif isinstance(node, ast.List | ast.Set | ast.Tuple) and source.function(node) is None:
        if len(node.elts) < TABLE or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            return
        entries = [_Entry(item, item, code(item, 60)) for item in node.elts]
    else:
        return
    step = -(-len(entries) // ENTRIES)
    for first, last, told in entries[::step]:
        spans = ((*with_comma(source, first, last), ""),)
        sentence = f"The table {_name(source, node)} of {{subject}} holds {told}."
        yield Found("table", spans, sentence, tuple(_shown(first)))


def _shown(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant):
        yield node.value if isinstance(node.value, str) else repr(node.value)
    else:
        yield ast.unparse(node).rpartition(".")[2][:60]


def _name(source: Source, node: ast.AST) -> str:
    for above in source.ancestors(node):
        if isinstance(above, ast.Assign):
            return code(above.targets[0], 40)
        if isinstance(above, ast.AnnAssign):
            return code(above.target, 40)
        if isinstance(above, ast.stmt):
            break
    return "in the body"


def order(source: Source, node: ast.AST) -> Iterator[Found]:
    """Sorting, its direction and its key."""
    if not isinstance(node, ast.Call):
        return
    sorts = isinstance(node.func, ast.Name) and node.func.id in ("sorted", "reversed")
    in_place = isinstance(node.func, ast.Attribute) and node.func.attr in ("sort", "reverse")
    if sorts and node.args:
        assert isinstance(node.func, ast.Name)
        spans = ((*source.span(node), f"list({source.text(node.args[0])})"),)
        verb = "sorts" if node.func.id == "sorted" else "reverses"
        yield Found("order", spans, f"{{subject}} {verb} {code(node.args[0])}.")
    elif in_place and isinstance(source.parents[node], ast.Expr):
        spans = ((*source.span(source.parents[node]), "pass"),)
        yield Found("order", spans, f"{{subject}} puts {code(node.func)} in order.")
    picks = isinstance(node.func, ast.Name) and node.func.id in ("min", "max")
    if sorts or in_place or picks:
        for keyword in node.keywords:
            if keyword.arg in ("key", "reverse", "default"):
                start, end = with_comma(source, keyword)
                sentence = f"{{subject}}: {code(node.func)} goes by {code(keyword)}."
                yield Found("order", ((start, end, ""),), sentence)


def normalise(source: Source, node: ast.AST) -> Iterator[Found]:
    """Case, blanks and the like that a value is freed from."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        told = FOLDS.get(node.func.attr)
        if told and not node.args and not node.keywords:
            start, end = source.span(node.func.value)[1], source.span(node)[1]
            closed = source.data[start:end].rindex(b".")
            spans = ((start + closed, end, ""),)
            yield Found("normalise", spans, f"{{subject}}: in {code(node.func.value)}, {told}.")


def warnings(source: Source, node: ast.AST) -> Iterator[Found]:
    """A warning that is given."""
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return
    if ast.unparse(node.value.func) in ("warnings.warn", "warn", "warnings.warn_explicit"):
        names = [n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)]
        kinds = [name for name in names if "Warning" in name]
        said = tuple(texts(node.value))
        sentence = f"{{subject}} warns{f' with `{kinds[0]}`' if kinds else ''}"
        sentence += f": “{said[0]}”." if said else "."
        yield Found("warning", ((*source.span(node), "pass"),), sentence, (*kinds[:1], *said))


def cli(source: Source, node: ast.AST) -> Iterator[Found]:
    """An option of the command line, by each of its names; an exit code."""
    if not isinstance(node, ast.Call):
        return
    called = ast.unparse(node.func).rpartition(".")[2]
    if called in ("add_argument", "option", "Option"):
        for name in node.args:
            value = name.value if isinstance(name, ast.Constant) else None
            if isinstance(value, str) and value.startswith("-"):
                spans = _renamed(source, node, name)
                sentence = f"The command line of {{subject}} knows `{value}`."
                yield Found("cli", spans, sentence, (value,))
    elif called == "exit" and len(node.args) == 1 and isinstance(node.args[0], ast.Constant):
        value = node.args[0].value
        if isinstance(value, int):
            spans = ((*source.span(node.args[0]), str(value + 1)),)
            yield Found("cli", spans, f"{{subject}} exits with code {value}.", (str(value),))


def _renamed(source: Source, call: ast.Call, name: ast.expr) -> tuple[tuple[int, int, str], ...]:
    """The option under a name nobody asks for, its value still where the program looks."""
    gone = repr("--absent" + source.text(name).strip("'\"").replace("-", "_"))
    spans = [(*source.span(name), gone)]
    flags = [str(a.value) for a in call.args if isinstance(a, ast.Constant)]
    named = [f for f in flags if f.startswith("--")] or [f for f in flags if f.startswith("-")]
    kept = any(not f.startswith("-") for f in flags) or any(k.arg == "dest" for k in call.keywords)
    if not kept and named:
        dest = named[0].lstrip("-").replace("-", "_")
        end = source.span(call.args[-1])[1]
        argparse = ast.unparse(call.func).endswith("add_argument")
        text = f", dest={dest!r}" if argparse else f", {dest!r}"
        if source.span(name)[1] == end:
            spans = [(*source.span(name), gone + text)]
        else:
            spans.append((end, end, text))
    return tuple(spans)


def hierarchy(source: Source, node: ast.AST) -> Iterator[Found]:
    """An error that is caught as another type, too."""
    if not isinstance(node, ast.ClassDef):
        return
    for base in node.bases:
        kind = getattr(builtins, base.id, None) if isinstance(base, ast.Name) else None
        if isinstance(kind, type) and issubclass(kind, Exception) and kind is not Exception:
            assert isinstance(base, ast.Name)
            spans = ((*source.span(base), "Exception"),)
            sentence = f"{{subject}} is a `{base.id}`."
            yield Found("hierarchy", spans, sentence, (node.name, base.id))
