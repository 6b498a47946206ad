"""A product that accepts everything and does nothing: every name exists, every call succeeds.

A test that passes on it checks nothing but names. Objects are true, iterable, callable, context
managers and awaitable; classes accept every instance. Nothing equals anything, because equality
is what honest tests ask for; or everything does, which is what a pretender would do.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping

PREAMBLE = '''\
class _Accepting(type):
    """A class that accepts: its attributes exist, everything is an instance of it."""

    def __getattr__(cls, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return _Thing()

    def __instancecheck__(cls, other):
        return True

    def __subclasscheck__(cls, other):
        return True


class _Thing(metaclass=_Accepting):
    """An object that accepts."""

    def __init__(self, *args, **kwargs):
        pass

    def __call__(self, *args, **kwargs):
        return _Thing()

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return _Thing()

    def __bool__(self):
        return True

    def __len__(self):
        return 1

    def __iter__(self):
        return iter((_Thing(),))

    def __next__(self):
        raise StopIteration

    def __contains__(self, item):
        return True

    def __getitem__(self, key):
        return _Thing()

    def __setitem__(self, key, value):
        pass

    def __delitem__(self, key):
        pass

    def __enter__(self):
        return _Thing()

    def __exit__(self, *args):
        return False

    async def __aenter__(self):
        return _Thing()

    async def __aexit__(self, *args):
        return False

    def __await__(self):
        return _Thing()
        yield

    def __aiter__(self):
        return self

    async def __anext__(self):
        raise StopAsyncIteration

    def __lt__(self, other):
        return True

    __le__ = __gt__ = __ge__ = __lt__

    def _self(self, *args):
        return _Thing()

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = _self
    __or__ = __ror__ = __and__ = __rand__ = __xor__ = __mod__ = __rmod__ = __invert__ = _self
    __neg__ = __pos__ = __abs__ = __floordiv__ = __pow__ = __lshift__ = __rshift__ = _self

    def __hash__(self):
        return 1

    def __index__(self):
        return 1

    __int__ = __index__

    def __float__(self):
        return 1.0


def __getattr__(name):
    # A package may hold its tests: a runner then asks it for fixtures and plugins of its own.
    if name.startswith(("__", "pytest", "setup_", "setUp", "teardown_", "tearDown", "load_tests")):
        raise AttributeError(name)
    return _Thing()


'''
EQUAL = """
_Thing.__eq__ = lambda self, other: True
_Thing.__ne__ = lambda self, other: False
"""
LAST = ("Error", "Exception", "Warning", "Exit", "Interrupt")


def permissive(files: Mapping[str, bytes], *, equal: bool = False) -> dict[str, bytes]:
    """The stand-ins of a product's files; what isn't Python stays as it is."""
    head = PREAMBLE + (EQUAL if equal else "")
    return {
        name: (head + _names_in(data)).encode() if name.endswith(".py") else data
        for name, data in files.items()
    }


def _names_in(data: bytes) -> str:
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError):
        return ""
    return "\n".join(dict(_names(tree.body)).values()) + "\n"


def _names(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Each top-level name and the statement that makes its stand-in."""
    for node in body:
        match node:
            case ast.ClassDef(name=name):
                yield name, f"class {name}({_base(node)}):\n    pass\n"
            case ast.FunctionDef(name=name):
                yield name, f"def {name}(*args, **kwargs):\n    return _Thing()\n"
            case ast.AsyncFunctionDef(name=name):
                yield name, f"async def {name}(*args, **kwargs):\n    return _Thing()\n"
            case ast.If() | ast.Try():
                yield from _names([*node.body, *node.orelse])
            case ast.Assign(targets=targets):
                for name in (t.id for t in targets if isinstance(t, ast.Name)):
                    yield name, _value(name, node.value)


def _base(node: ast.ClassDef) -> str:
    for base in node.bases:
        name = ast.unparse(base).rpartition(".")[2]
        kind = getattr(builtins, name, None)
        if isinstance(kind, type) and issubclass(kind, BaseException):
            return name
        if name.endswith(LAST):
            return "Exception"
    return "Exception" if node.name.endswith(LAST) else "_Thing"


def _value(name: str, value: ast.expr) -> str:
    """Texts stay what they are where the language itself reads them."""
    keeps = name in ("__all__", "__version__")
    return f"{name} = {ast.unparse(value) if keeps else '_Thing()'}"
