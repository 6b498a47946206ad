"""The published Commit-0 skeletons of the lite split, audited: what is wrong, the gravest first.

Clones of the skeletons' repositories and the publisher's lists of ids aren't part of this
repository: `AUDIT_REPOS` is a folder of clones as `commit-0+simpy/repo`, `AUDIT_IDS` the wheel of
`commit0`, which holds the lists. Versions of Python are the publisher's.
"""

from __future__ import annotations

import bz2
import os
import subprocess
import time
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchwright.formats import BenchwrightError, InputError
from benchwright.validation import audit

from ._kept import Kept

LITE = {
    "tinydb": "3.10", "simpy": "3.10", "deprecated": "3.10", "wcwidth": "3.10",
    "voluptuous": "3.10", "cachetools": "3.10", "imapclient": "3.10", "marshmallow": "3.10",
    "jinja": "3.10", "cookiecutter": "3.10", "portalocker": "3.10", "parsel": "3.12",
    "pyjwt": "3.12", "chardet": "3.12", "minitorch": "3.10", "babel": "3.10",
}  # fmt: skip
"""Library, and the version of Python that its publisher names."""
BRANCH = "commit0_combined"
SHOWN = 3


def produce(progress: Callable[[str], None]) -> dict[str, Any]:
    """One row a skeleton; interrupted, those that were done until then."""
    kept, rows = Kept("audit"), []
    try:
        for name in LITE:
            rows.append(kept.row(name, partial(row, name, progress)))
    except KeyboardInterrupt:
        progress(f"stopped at {name}")
    codes = sorted({found["code"] for one in rows for found in one["findings"]})
    totals = {
        "skeletons": len(rows),
        "grave": sum(any(f["gravity"] == "grave" for f in one["findings"]) for one in rows),
        **{code: sum(f["code"] == code for r in rows for f in r["findings"]) for code in codes},
    }
    left = [name for name in LITE if name not in {one["library"] for one in rows}]
    return {"rows": rows, "totals": totals, "left_out": left}


def row(name: str, progress: Callable[[str], None]) -> dict[str, Any]:
    """What one skeleton shows."""
    progress(name)
    clone = where("AUDIT_REPOS") / f"commit-0+{name}" / "repo"
    start, ids = time.monotonic(), listed(name)
    result: dict[str, Any] = {"library": name, "python": LITE[name], "ids": len(ids)}
    try:
        skeleton, reference = (revision(clone, spec) for spec in (BRANCH, f"{BRANCH}~1"))
        found = audit(
            f"git+file://{clone}@{skeleton}",
            f"git+file://{clone}@{reference}",
            ids=ids,
            version=LITE[name],
            progress=progress,
        )
    except BenchwrightError as error:
        result |= {"findings": [], "error": str(error)[:300]}
    else:
        result["findings"] = [
            {
                "code": one.code,
                "gravity": one.gravity,
                "ids": len(one.ids),
                "message": one.message[:300],
                "such_as": list(one.ids[:SHOWN]),
            }
            for one in found.findings
        ]
    return result | {"seconds": round(time.monotonic() - start, 1)}


def listed(name: str) -> list[str]:
    """The ids that the publisher counts."""
    with zipfile.ZipFile(where("AUDIT_IDS")) as wheel:
        data = wheel.read(f"commit0/data/test_ids/{name}.bz2")
    return [line.strip() for line in bz2.decompress(data).decode().splitlines() if line.strip()]


def revision(clone: Path, spec: str) -> str:
    """A commit by what a clone calls it."""
    run = ["git", "-C", str(clone), "rev-parse", "--verify", f"{spec}^{{commit}}"]
    found = subprocess.run(run, capture_output=True, text=True, check=False)
    if found.returncode:
        raise InputError(f"{clone}: {found.stderr.strip()}", hint="clone it with its branches")
    return found.stdout.strip()


def where(name: str) -> Path:
    """A folder or file that the caller names."""
    value = os.environ.get(name)
    if not value:
        raise InputError(f"{name} isn't set", hint="see the top of evidence/audit.py")
    return Path(value)
