"""One object of a Python product as a symbol: signature, errors, value."""

from __future__ import annotations

import griffe

from benchwright.languages.surface import Symbol

from .interface_body import describe

_DECORATORS = frozenset(
    {
        "abstractmethod",
        "asynccontextmanager",
        "cached_property",
        "classmethod",
        "contextmanager",
        "dataclass",
        "lru_cache",
        "staticmethod",
        "total_ordering",
    }
)
_SHORT = 100


def is_exception(item: griffe.Class) -> bool:
    """Whether the class is an exception, as far as its bases tell."""
    names = [str(base).rpartition(".")[2] for base in item.bases]
    try:
        names += [base.name for base in item.mro()]
        names += [str(b).rpartition(".")[2] for base in item.mro() for b in base.bases]
    except ValueError:
        pass
    return any(name.endswith(("Error", "Exception", "Warning")) for name in names)


def docstring(item: griffe.Object) -> str:
    """Its docstring, or nothing."""
    return item.docstring.value.strip() if item.docstring else ""


def decorators(item: griffe.Class | griffe.Function) -> list[str]:
    """The decorators that change how it is used."""
    found = []
    for decorator in item.decorators:
        text = str(decorator.value)
        if text.partition("(")[0].rpartition(".")[2] in _DECORATORS:
            found.append(f"@{text}")
    return found


def function(item: griffe.Function, path: str, aliases: tuple[str, ...], public: bool) -> Symbol:
    """A function or method; `path` is where users find it."""
    name = path.rpartition(".")[2]
    word = "async def" if "async" in item.labels else "def"
    overloads = [*(item.overloads or ())]
    if not overloads and item.parent is not None and hasattr(item.parent, "overloads"):
        overloads = list(item.parent.overloads.get(item.name, ()))
    lines = [f"{word} {_signature(each, name)}" for each in [*overloads, item]]
    raises, returns = describe(item.source)
    if item.name == "__init__":
        returns = ""
    return Symbol(
        path=path,
        kind="function",
        signature="\n".join([*decorators(item), *lines]),
        doc=docstring(item),
        returns=returns,
        raises=raises,
        aliases=aliases,
        public=public,
    )


def _signature(item: griffe.Function, name: str) -> str:
    """As the source writes it, `self` included; griffe's own leaves out what a reader needs."""
    parts: list[str] = []
    star = False
    before_slash = False
    kinds = griffe.ParameterKind
    for parameter in item.parameters:
        if before_slash and parameter.kind is not kinds.positional_only:
            parts.append("/")
        before_slash = parameter.kind is kinds.positional_only
        if parameter.kind is kinds.keyword_only and not star:
            parts.append("*")
        star = star or parameter.kind in {kinds.keyword_only, kinds.var_positional}
        parts.append(_parameter(parameter))
    if before_slash:
        parts.append("/")
    returns = f" -> {item.returns}" if item.returns is not None else ""
    return f"{name}({', '.join(parts)}){returns}"


def _parameter(parameter: griffe.Parameter) -> str:
    kinds = griffe.ParameterKind
    stars = {kinds.var_positional: "*", kinds.var_keyword: "**"}
    kind = parameter.kind
    text = (stars.get(kind, "") if kind else "") + parameter.name
    if parameter.annotation is not None:
        text += f": {parameter.annotation}"
    if parameter.default is not None and kind not in stars:
        text += f"{' = ' if parameter.annotation is not None else '='}{parameter.default}"
    return text


def attribute(item: griffe.Object, path: str, aliases: tuple[str, ...], public: bool) -> Symbol:
    """A constant, attribute or property."""
    if isinstance(item, griffe.Attribute) and "property" in item.labels:
        return _property(item, path, public)
    annotation = getattr(item, "annotation", None)
    value = getattr(item, "value", None)
    text = str(value) if value is not None else ""
    own = "instance-attribute" in item.labels and "class-attribute" not in item.labels
    return Symbol(
        path=path,
        kind="attribute",
        signature=path.rpartition(".")[2] + (f": {annotation}" if annotation is not None else ""),
        doc=docstring(item),
        value=text if len(text) <= _SHORT and not own else "",
        aliases=aliases,
        public=public,
    )


def _property(item: griffe.Attribute, path: str, public: bool) -> Symbol:
    settable = " (may be set)" if "writable" in item.labels else ""
    annotation = f" -> {item.annotation}" if item.annotation is not None else ""
    raises, returns = describe(item.source)
    return Symbol(
        path=path,
        kind="property",
        signature=f"{path.rpartition('.')[2]}{annotation}{settable}",
        doc=docstring(item),
        returns=returns,
        raises=raises,
        public=public,
    )
