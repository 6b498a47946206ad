"""Languages: detect, skeleton, interface, controls, mutants and runner, one folder a language."""

from .collected import Collected
from .protocol import Language, Project, Stub, SuiteRun
from .registry import detect, get, names
from .surface import Interface, Raised, Symbol, SymbolKind

__all__ = [
    "Collected",
    "Interface",
    "Language",
    "Project",
    "Raised",
    "Stub",
    "SuiteRun",
    "Symbol",
    "SymbolKind",
    "detect",
    "get",
    "names",
]
