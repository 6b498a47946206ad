"""`benchwright agents`."""

from __future__ import annotations

from cyclopts import App

agents = App(name="agents", help="Install coding agents, and list those that are there.")


@agents.command
def install(*names: str) -> int:
    """Install agents, each once: all trials share them, read-only.

    Nothing of a package is run while it is installed.

    Parameters
    ----------
    names
        `claude-code`, `codex@0.171.0`, …; without a version, the one that was tried.
    """
    from benchwright.agents import install as install_one
    from benchwright.formats import ExitCode, InputError

    from .output import console

    if not names:
        raise InputError("no agent to install", hint="see: benchwright agents list")
    for name in names:
        layer = install_one(name, console().print)
        console().print(f"{layer.name}@{layer.version} is installed ({layer.digest[:19]})")
    return ExitCode.DONE


@agents.command(name="list")
def list_(*, json: bool = False) -> int:
    """List every agent, and which versions are installed.

    Parameters
    ----------
    json
        Print JSON.
    """
    from json import dumps

    from benchwright.agents import ADAPTERS, installed
    from benchwright.agents import names as known
    from benchwright.formats import ExitCode

    from .output import console

    tried = {adapter.name: adapter.version for adapter in ADAPTERS}
    versions: dict[str, list[str]] = {}
    for layer in installed():
        versions.setdefault(layer.name, []).append(layer.version)
    rows = [
        {"name": name, "tried": tried.get(name), "installed": versions.get(name, [])}
        for name in known()
    ]
    if json:
        print(dumps(rows, indent=2))
        return ExitCode.DONE
    for name in known():
        there = ", ".join(versions.get(name, [])) or f"not installed (tried: {tried.get(name)})"
        console().print(f"{name:<16} {there if name in tried else 'built in'}")
    return ExitCode.DONE
