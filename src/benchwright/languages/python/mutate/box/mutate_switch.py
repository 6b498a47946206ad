"""Puts a mutant into functions that are already there, where that is sound.

A function's code is replaced in every live function that has it, found through the garbage
collector: decorated, wrapped and nested ones too. What can't be switched says so, and is imported
afresh instead.
"""

import ast
import gc
import types
import warnings
from typing import Any, Iterator, Tuple

Put = Tuple[Any, str, Any]
"""A function, and the value that one of its attributes gets."""


class CannotSwitchError(Exception):
    """This mutant must be imported afresh."""


def live(paths: "Any") -> "dict[Any, list[Any]]":
    """Code objects of the product's files -> the functions that have them."""
    found = {}  # type: dict[Any, list[Any]]
    for thing in gc.get_objects():
        if type(thing) is types.FunctionType and thing.__code__.co_filename in paths:
            found.setdefault(thing.__code__, []).append(thing)
    return found


class Context:
    """What of a file decides how its functions are compiled: its `from __future__` imports, and
    what else its own level imports (calls of a module's functions are compiled in another way).
    """

    def __init__(self, source: bytes) -> None:
        import __future__

        self.flags = 0
        self.imports = []  # type: list[ast.stmt]
        for node in outer(ast.parse(source).body):
            if not isinstance(node, ast.ImportFrom) or node.module != "__future__":
                self.imports.append(node)
                continue
            for alias in node.names:
                self.flags |= getattr(__future__, alias.name).compiler_flag


def outer(body: "list[ast.stmt]") -> "Iterator[ast.stmt]":
    """The imports of a module's own level, also in its branches."""
    for node in body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for name in ("body", "orelse", "finalbody"):
                yield from outer(getattr(node, name, []))
            for handler in getattr(node, "handlers", []):
                yield from outer(handler.body)


def compiled(unit: "dict[str, Any]", text: str, path: str, context: Context) -> "Any":
    """The code of the one function of a unit, as it is in its file."""
    lines = unit["line"] - 1
    head = "\n" * (lines - 1) + "if 1:\n" if unit["indented"] else "\n" * lines
    function = ast.parse(head + text).body[0]
    if unit["indented"]:
        function = function.body[0]
    node = function  # type: Any
    for name in reversed(unit["classes"]):
        shell = ast.parse("class %s: pass" % name).body[0]  # type: Any
        shell.body = [node]
        node = shell
    module = ast.parse("")
    module.body = [*context.imports, node]
    code = compile(module, path, "exec", flags=context.flags, dont_inherit=True)
    for name in [*unit["classes"], function.name]:
        code = next(
            c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name == name
        )
    return code


def pairs(old: "Any", new: "Any") -> "list[tuple[Any, Any]]":
    """The codes of a function and of those inside it, each with its successor."""
    inner = [[c for c in code.co_consts if isinstance(c, types.CodeType)] for code in (old, new)]
    found = [(old, new)]
    if len(inner[0]) == len(inner[1]):
        for before, after in zip(*inner):
            found += pairs(before, after)
    return found


def codes_of(unit: "dict[str, Any]", path: str, context: Context) -> "tuple[list[Any], list[Any]]":
    """The codes of a unit's function and of those inside it, on the reference and on the mutant."""
    old = compiled(unit, unit["old"], path, context)
    new = compiled(unit, unit.get("new", unit["old"]), path, context)
    found = pairs(old, new)
    return [before for before, _ in found], [after for _, after in found]


def found(mutant: "dict[str, Any]", path: str, context: Context, functions: "Any") -> "list[Put]":
    """What puts a mutant in: the live functions of its unit, and what each gets in a process of
    the mutant's own.

    Raises:
        CannotSwitchError: none is alive, or the mutant doesn't fit.
    """
    unit = mutant["unit"]
    old = compiled(unit, unit["old"], path, context)
    if old not in functions:
        raise CannotSwitchError("no live function has this code")
    if mutant["how"] == "default":
        return [default(function, old, unit) for function in functions[old]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        new = compiled(unit, unit["new"], path, context)
    return [
        code(function, before, after)
        for before, after in pairs(old, new)
        for function in functions.get(before, ())
    ]


def code(function: "Any", before: "Any", after: "Any") -> "Put":
    """New code for a function."""
    if before.co_freevars != after.co_freevars:
        raise CannotSwitchError("its free variables change")
    return function, "__code__", after


def default(function: "Any", old: "Any", unit: "dict[str, Any]") -> "Put":
    """Another default value for a function."""
    value, name = ast.literal_eval(unit["value"]), unit["argument"]
    keywords = function.__kwdefaults__ or {}
    if name in keywords:
        return function, "__kwdefaults__", {**keywords, name: value}
    given = function.__defaults__ or ()
    names = old.co_varnames[old.co_argcount - len(given) : old.co_argcount]
    if name not in names:
        raise CannotSwitchError("there is no such argument")
    place = names.index(name)
    return function, "__defaults__", (*given[:place], value, *given[place + 1 :])
