"""The rooms import one way only: upwards in this list."""

import ast
from pathlib import Path

import pytest

ROOMS = [
    "formats", "tasks", "sandbox", "sources", "languages", "environments", "judge", "mutants",
    "attacks", "authoring", "validation", "gateway", "agents", "jobs", "reports", "interop",
    "pipelines", "catalog", "cli",
]  # fmt: skip
SOURCE = Path(__file__).parent.parent / "src" / "benchwright"


def imported_rooms(path: Path) -> set[str]:
    """The rooms that a module imports."""
    package = path.relative_to(SOURCE.parent).with_suffix("").parts
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = list(package[: -node.level]) if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            names = [module, *(f"{module}.{alias.name}" for alias in node.names)]
        for name in names:
            parts = name.split(".")
            if parts[0] == "benchwright" and len(parts) > 1 and parts[1] in ROOMS:
                found.add(parts[1])
    return found


@pytest.mark.parametrize(
    "path", sorted(SOURCE.rglob("*.py")), ids=lambda p: str(p.relative_to(SOURCE))
)
def test_a_room_imports_only_rooms_above_it(path: Path) -> None:
    room = path.relative_to(SOURCE).parts[0]
    if room not in ROOMS:
        return  # the library's own front door may import every room

    later = {name for name in imported_rooms(path) if ROOMS.index(name) > ROOMS.index(room)}

    assert later == set()


def test_every_room_is_in_the_list() -> None:
    assert {p.parent.name for p in SOURCE.glob("*/__init__.py")} == set(ROOMS)
