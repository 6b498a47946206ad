from collections.abc import Iterator
from pathlib import Path

import pytest

from local_index import Index, serve


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BENCHWRIGHT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    with serve() as running:
        monkeypatch.setenv("PIP_INDEX_URL", f"{running.url}/simple")
        yield running
