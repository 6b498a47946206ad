"""Nothing of the sealed half, of upstream's name or of its history is in what an agent can see."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from benchwright.formats import GateEvidence, GateFinding
from benchwright.tasks import walk
from benchwright.validation.bench import Bench

NAME = "sealed"
LEFTOVERS = re.compile(
    r"(^|/)(\.git|\.hg|\.svn|\.bzr|__pycache__|\.pytest_cache|SOURCES\.txt|RECORD|PKG-INFO"
    r"|FETCH_HEAD|ORIG_HEAD|packed-refs|[^/]+\.(egg-info|dist-info|egg-link|pyc|orig|rej))(/|$)"
)
SMALL = 48
"""Files up to so many bytes (an empty `__init__.py`, one import) tell nothing."""


def check(bench: Bench) -> GateEvidence:
    """Compare the public half and the environment with the sealed half."""
    bench.say("sealed: looking for leaks")
    public = dict(_public(bench))
    findings = [
        *_hidden(bench, public),
        *_leftovers(bench),
        *_reference(bench, public),
        *_names(bench, public),
        *_environment(bench),
        *_namesakes(bench),
    ]
    grave = [f for f in findings if f.gravity in ("grave", "serious")]
    return GateEvidence(
        name=NAME,
        status="failed" if grave else "passed",
        summary=f"{len(grave)} leaks in {len(public)} public files and the environment",
        findings=tuple(findings),
        facts={"public files": len(public)},
    )


def _public(bench: Bench) -> Iterator[tuple[str, Path]]:
    """Every file that an agent or a reader of the public half sees."""
    root = bench.task.root
    yield "instruction.md", bench.task.instruction
    for name, path in walk(root / "environment"):
        if path.is_file() and not path.is_symlink():
            yield f"environment/{name}", path


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _tells(path: Path) -> bool:
    return path.is_file() and not path.is_symlink() and path.stat().st_size > SMALL


def _hidden(bench: Bench, public: dict[str, Path]) -> Iterator[GateFinding]:
    sealed = {_digest(path): name for name, path in walk(bench.task.tests) if _tells(path)}
    scaffold = {_digest(path) for _, path in walk(bench.task.scaffold) if _tells(path)}
    found = sorted(n for n, p in public.items() if _digest(p) in sealed.keys() - scaffold)
    if found:
        yield GateFinding(
            code="hidden-file-public",
            gravity="grave",
            message=f"{len(found)} public files are hidden files: {', '.join(found[:5])}",
            advice="take them out of the public half",
            ids=tuple(found),
        )
    canary = bench.task.settings.canary.encode()
    told = sorted(n for n, p in public.items() if canary and canary in p.read_bytes())
    if told:
        yield GateFinding(
            code="canary-public",
            gravity="grave",
            message=f"the canary of the sealed half stands in {', '.join(told[:5])}",
            advice="take those texts out of the public half",
            ids=tuple(told),
        )


def _leftovers(bench: Bench) -> Iterator[GateFinding]:
    root = bench.task.root / "environment"
    found = []
    for folder, folders, files in os.walk(root):
        base = Path(folder).relative_to(root)
        found += [p for name in (*folders, *files) if LEFTOVERS.search(p := str(base / name))]
    if found:
        yield GateFinding(
            code="history-public",
            gravity="grave",
            message=f"history or build leftovers are public: {', '.join(sorted(found)[:5])}",
            advice="export the tree anew, without them",
            ids=tuple(sorted(found)[:100]),
        )


def _reference(bench: Bench, public: dict[str, Path]) -> Iterator[GateFinding]:
    solved = {_digest(path): name for name, path in walk(bench.task.solution) if _tells(path)}
    same = sorted(n for n, p in public.items() if _digest(p) in solved)
    if same and bench.task.settings.kind == "construction":
        yield GateFinding(
            code="reference-public",
            gravity="grave",
            message=f"{len(same)} public files are files of the reference: {', '.join(same[:5])}",
            advice="take them out of the public half",
            ids=tuple(same),
        )
    elif same and bench.task.settings.kind == "completion":
        yield GateFinding(
            code="reference-given",
            gravity="note",
            message=f"{len(same)} files stand in the skeleton as the reference has them",
            advice="right where they hold no functions",
            ids=tuple(same),
        )


def _names(bench: Bench, public: dict[str, Path]) -> Iterator[GateFinding]:
    for name, neutral in bench.task.settings.neutral.items():
        pattern = re.compile(rf"\b{re.escape(name)}\b".encode(), re.IGNORECASE)
        told = sorted(n for n, p in public.items() if pattern.search(p.read_bytes()))
        if told:
            yield GateFinding(
                code="upstream-name-public",
                gravity="serious",
                message=f"{name!r} (here called {neutral!r}) stands in {', '.join(told[:5])}",
                advice="say it with the neutral name",
                ids=tuple(told),
            )


def _environment(bench: Bench) -> Iterator[GateFinding]:
    """The product in the environment: a distribution of its name, or its modules' files."""
    product = bench.task.settings.product
    names = {_plain(name) for name in (product.distribution, *bench.task.settings.denied) if name}
    mine = (path for name, path in walk(bench.task.solution) if product.owns(name))
    texts = {_digest(path): path.name for path in mine if _tells(path)}
    known = frozenset(texts.values())
    found = []
    for mount in bench.environment.mounts:
        for folder, folders, files in os.walk(mount.source or "/nonexistent"):
            inside = Path(folder)
            found += [str(inside / f) for f in folders if _distribution(f) in names]
            found += [
                str(inside / f)
                for f in files
                if f in known and _tells(inside / f) and _digest(inside / f) in texts
            ]
    if found:
        yield GateFinding(
            code="product-in-environment",
            gravity="grave",
            message=f"the environment holds the product: {', '.join(sorted(found)[:3])}",
            advice="deny it in the recipe and build the environment again",
            ids=tuple(sorted(found)[:50]),
        )


def _namesakes(bench: Bench) -> Iterator[GateFinding]:
    """Modules in the environment that are called like the product's: one may do its work."""
    names = {*bench.task.settings.product.modules}
    files = {f"{name}.py" for name in names}
    found = []
    for mount in bench.environment.mounts:
        source = mount.source or Path("/nonexistent")
        for folder, folders, inside in os.walk(source):
            place = Path(mount.target) / Path(folder).relative_to(source)
            found += [str(place / f) for f in (*folders, *inside) if f in names or f in files]
    if found:
        yield GateFinding(
            code="namesake-in-environment",
            gravity="note",
            message=f"modules of the product's name are in the environment: {', '.join(found[:3])}",
            advice="a runner or a dependency needs them: see whether they do the product's work",
            ids=tuple(sorted(found)[:50]),
        )


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _distribution(folder: str) -> str:
    """The distribution a metadata folder is of."""
    found = re.fullmatch(r"(.+?)-[^-]+\.(dist|egg)-info", folder)
    return _plain(found.group(1)) if found else ""
