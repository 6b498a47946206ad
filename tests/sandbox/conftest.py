import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchwright.sandbox import Bubblewrap, Sandbox
from sandbox.caller import NAMES, Caller

BACKENDS: dict[str, Callable[[], Sandbox]] = {"bubblewrap": Bubblewrap}
"""Every backend passes the same tests."""


@pytest.fixture(
    params=[(backend, name) for backend in BACKENDS for name in NAMES],
    ids=lambda pair: "-".join(pair),
)
def caller(request: pytest.FixtureRequest) -> Caller:
    backend, name = request.param
    return Caller(name, BACKENDS[backend]())


@pytest.fixture
def folder(caller: Caller) -> Iterator[Path]:
    path = caller.folder()
    yield path
    shutil.rmtree(path)
