"""Languages: detect, skeleton, interface, controls, mutants and runner, one folder a language."""

from .protocol import Language, Project, Stub, SuiteRun
from .registry import detect, get, names

__all__ = ["Language", "Project", "Stub", "SuiteRun", "detect", "get", "names"]
