"""What environments are made with, as it is found on this machine."""

from __future__ import annotations

import subprocess
import sys

import uv

from benchwright.sandbox import Capability

from .environment_python import find

VERSIONS = tuple(f"3.{minor}" for minor in range(6, 15))
"""Pythons that are looked for, for tasks that ask for one."""


def tools() -> tuple[Capability, ...]:
    """What was found, and how to get the rest."""
    try:
        done = subprocess.run([uv.find_uv_bin(), "--version"], capture_output=True, check=True)
        version = done.stdout.decode(errors="replace").strip()
        tool = Capability("uv", "yes", version, needed=True)
    except (OSError, subprocess.SubprocessError) as error:
        tool = Capability("uv", "no", str(error), "pip install uv", needed=True)
    pythons = [p.version for v in VERSIONS if (p := find(v)) is not None]
    return (
        tool,
        Capability("python", "yes", sys.version.split()[0]),
        Capability(
            "python versions",
            "yes" if pythons else "limited",
            ", ".join(pythons) or "none but our own",
            "" if len(pythons) > 1 else "others: uv python install VERSION",
        ),
    )
