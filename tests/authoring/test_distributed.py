import subprocess
from pathlib import Path

from authoring.projects import write
from benchwright.authoring import author

FILES = {
    "pyproject.toml": """\
[build-system]
requires = ["setuptools", "setuptools-scm>=8"]
build-backend = "setuptools.build_meta"

[project]
name = "tagged"
dynamic = ["version"]

[tool.setuptools_scm]
version_file = "tagged/_version.py"

[tool.setuptools]
packages = ["tagged"]
""",
    "tagged/__init__.py": """\
from importlib.metadata import version

from ._version import version as written

installed = version("tagged")


def both():
    return [installed, written]
""",
    "tests/test_tagged.py": """\
from tagged import both


def test_both():
    assert both() == ["2.5", "2.5"]
""",
}


def test_a_commit_has_the_version_of_its_tag_and_what_a_build_writes(tmp_path: Path) -> None:
    repo = write(tmp_path / "repo", FILES)
    for words in (
        ("init", "-q"),
        ("add", "-A"),
        ("-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "first"),
        ("tag", "v2.5"),
    ):
        subprocess.run(["git", "-C", str(repo), *words], check=True)

    task = author(f"git+{repo}@v2.5", "completion", tmp_path / "task")

    assert [test.id for test in task.manifest.counted] == ["tests/test_tagged.py::test_both"]
    assert task.settings.source.version == "2.5"
    assert "2.5" in (task.workspace / "tagged" / "_version.py").read_text()
