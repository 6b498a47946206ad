from pathlib import Path

import pytest

from benchwright.environments import build, lock, metadata
from benchwright.formats import Recipe
from benchwright.sandbox import Mount, unpack_tar
from local_index import sdist

from .conftest import run

RECIPE = Recipe(language="python", version="3.11")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    name, data = sdist("sourced", "1.0")
    (tmp_path / name).write_bytes(data)
    unpack_tar(tmp_path / name, tmp_path / "unpacked")
    return tmp_path / "unpacked" / "sourced-1.0"


@pytest.mark.usefixtures("index")
def test_the_backend_s_metadata_without_files_and_start_hooks(
    project: Path, tmp_path: Path
) -> None:
    chosen = lock(RECIPE)

    notes = metadata(project, RECIPE, chosen, tmp_path / "meta")

    found = {
        p.relative_to(tmp_path / "meta").as_posix(): p.read_text()
        for p in (tmp_path / "meta").rglob("*")
        if p.is_file()
    }
    assert notes == ()
    assert sorted(found) == [
        "bin/sourced", "sourced-1.0.dist-info/METADATA", "sourced-1.0.dist-info/entry_points.txt",
    ]  # fmt: skip
    assert found["sourced-1.0.dist-info/entry_points.txt"] == (
        "[console_scripts]\nsourced = sourced:main\n"
    )


@pytest.mark.usefixtures("index")
def test_in_a_box_the_product_looks_installed(project: Path, tmp_path: Path) -> None:
    chosen = lock(RECIPE)
    metadata(project, RECIPE, chosen, tmp_path / "meta")
    code = """
import importlib.metadata, os, subprocess, sys
sys.path.append("/meta")
print(importlib.metadata.version("sourced"))
print(subprocess.run(["sourced"], capture_output=True, text=True,
      env={**os.environ, "PYTHONPATH": "/work"}).stdout)
"""
    mounts = (Mount("/meta", "ro", tmp_path / "meta"), Mount("/work", "ro", project))

    done = run(build(RECIPE, chosen), code, *mounts)

    assert done.stdout.decode().split() == ["1.0", "ran", "7"], done.stderr


@pytest.mark.parametrize(
    ("backend", "complaint"),
    [
        ("raise SystemExit('no')", "no"),
        ("def build_wheel(*a): raise ValueError('broken here')", "ValueError: broken here"),
        (
            "import os\n"
            "def prepare_metadata_for_build_wheel(out):\n"
            "    os.mkdir(out + '/x.dist-info')\n"
            "    os.symlink('/etc/passwd', out + '/x.dist-info/METADATA')\n"
            "    return 'x.dist-info'\n",
            "",
        ),
        ("def prepare_metadata_for_build_wheel(out): return '../../etc'", "it named no"),
        ("import urllib.request as u\nu.urlopen('http://127.0.0.1:1')", "Connection refused"),
    ],
    ids=["exits", "raises", "links", "names", "network"],
)
@pytest.mark.usefixtures("index")
def test_where_the_backend_fails_the_source_s_own_words_stand(
    project: Path, tmp_path: Path, backend: str, complaint: str
) -> None:
    (project / "backend.py").write_text(backend)

    notes = metadata(project, RECIPE, lock(RECIPE), tmp_path / "meta")

    assert complaint in notes[0]
    folder = tmp_path / "meta" / "sourced-1.0.dist-info"
    assert folder.joinpath("METADATA").read_text() == (
        "Metadata-Version: 2.1\nName: sourced\nVersion: 1.0\n"
    )


@pytest.mark.usefixtures("index")
def test_the_source_is_never_written(project: Path, tmp_path: Path) -> None:
    (project / "backend.py").write_text("open('/src/mark', 'w').close()\nraise ValueError\n")

    metadata(project, RECIPE, lock(RECIPE), tmp_path / "meta")

    assert not (project / "mark").exists()
