import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchwright.environments import Environment
from benchwright.languages.python import environment_python as interpreters
from benchwright.sandbox import Completed, Mount, Spec, choose
from local_index import Index, serve


@pytest.fixture(scope="session")
def interpreter_copies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One copy of our own interpreter for all tests of this room."""
    root = tmp_path_factory.mktemp("interpreters")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BENCHWRIGHT_CACHE", str(root))
        interpreters.tree(interpreters.require("3.11"))
    return root / "interpreters"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interpreter_copies: Path) -> Path:
    root = tmp_path / "cache"
    root.mkdir()
    (root / "interpreters").symlink_to(interpreter_copies)
    monkeypatch.setenv("BENCHWRIGHT_CACHE", str(root))
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv"))
    return root


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    with serve() as running:
        monkeypatch.setenv("PIP_INDEX_URL", f"{running.url}/simple")
        monkeypatch.setenv("UV_DEFAULT_INDEX", f"{running.url}/simple")
        yield running


def run(environment: Environment, code: str, *mounts: Mount) -> Completed:
    """Run Python code in a box that has the environment."""
    return choose().run(
        Spec(
            command=("/env/bin/python", "-c", code),
            mounts=(*environment.mounts, *mounts),
            env=environment.env,
        )
    )


def failing_imports(environment: Environment, *modules: str) -> dict[str, str]:
    """What importing each module raises in a box."""
    code = f"""
import importlib
for name in {modules!r}:
    try:
        importlib.import_module(name)
        print(name, "imported")
    except Exception as error:
        print(name, type(error).__name__)
"""
    done = run(environment, code)
    return dict(line.split() for line in done.stdout.decode().splitlines())


def fresh(cache: Path) -> None:
    """Forget everything but the interpreters."""
    for path in cache.iterdir():
        if not path.is_symlink():
            for folder in (path, *path.rglob("*")):
                if folder.is_dir() and not folder.is_symlink():
                    folder.chmod(0o755)
            shutil.rmtree(path)
