"""Languages: detect, skeleton, interface, controls, mutants and runner, one folder a language."""

from .candidates import Candidates, Checked
from .collected import Collected
from .measured import Measured, Ran, Timing
from .protocol import Language, Project, Stub, SuiteRun
from .registry import detect, get, names
from .surface import Interface, Raised, Symbol, SymbolKind
from .wrong import Wrong

__all__ = [
    "Candidates",
    "Checked",
    "Collected",
    "Interface",
    "Language",
    "Measured",
    "Project",
    "Raised",
    "Ran",
    "Stub",
    "SuiteRun",
    "Symbol",
    "SymbolKind",
    "Timing",
    "Wrong",
    "detect",
    "get",
    "names",
]
