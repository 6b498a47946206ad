"""A small repository with a bug, its fix and the tests that show it, as a row tells it."""

import json
import subprocess
from pathlib import Path

from benchwright.interop.swebench import Pins

PINS = Pins(
    python="3.11",
    pip=(
        "pytest==8.4.2",
        "pluggy==1.6.0",
        "iniconfig==2.1.0",
        "packaging==25.0",
        "pygments==2.19.2",
    ),
    conda=("colorama==0.0.0.1",),
)
BASE = {
    "pyproject.toml": '[build-system]\nrequires = ["setuptools"]\n'
    'build-backend = "setuptools.build_meta"\n'
    '[project]\nname = "small"\nversion = "1.2"\n',
    "small.py": "def double(x):\n    return x + 2\n\n\ndef half(x):\n    return x / 2\n",
    "setup.cfg": "[tool:pytest]\naddopts = -x -m 'not slow'\nmarkers = slow: takes long\n",
    "tests/test_small.py": "from small import half\n\n\n"
    "def test_half():\n    assert half(4) == 2\n",
    "tests/test_old.py": "def test_old():\n    pass\n",
}
FIXED = "def double(x):\n    return x * 2\n\n\ndef half(x):\n    return x / 2\n"
TESTS = (
    "import pytest\n\nfrom small import double, half\n\n\n"
    "def test_half():\n    assert half(4) == 2\n\n\n"
    '@pytest.mark.parametrize("x", ["a b", "c"])\n'
    "def test_double(x):\n    assert double(len(x)) == 2 * len(x)\n\n\n"
    "@pytest.mark.slow\ndef test_slowly():\n    assert half(2) == 1\n"
)
MESSAGE = "Double by multiplying\n\nIt added two, which is right for two only."
STATEMENT = "double(3) gives 5\r\n\r\nIt should give 6, naïvely.\r\n"


def git(repo: Path, *arguments: str) -> str:
    """What a git command prints."""
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    done = subprocess.run(
        ["git", "-C", str(repo), *identity, *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout


def write(repo: Path, files: dict[str, str]) -> None:
    """Write files below a folder."""
    for name, text in files.items():
        (repo / name).parent.mkdir(parents=True, exist_ok=True)
        (repo / name).write_text(text)


def make(clones: Path) -> dict[str, str]:
    """Make the repository `own__small` below `clones`; gives the row of its fix."""
    repo = clones / "own__small"
    repo.mkdir(parents=True)
    git(repo, "init", "-q", "-b", "main")
    write(repo, BASE)
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "first")
    git(repo, "tag", "v1.2")
    base = git(repo, "rev-parse", "HEAD").strip()
    write(repo, {"small.py": FIXED, "tests/test_small.py": TESTS})
    (repo / "tests/test_old.py").unlink()
    git(repo, "add", "-A")
    git(
        repo, "commit", "-qm", "Double by multiplying\n\nIt added two, which is right for two only."
    )
    return {
        "repo": "own/small",
        "instance_id": "own__small-1",
        "base_commit": base,
        "patch": git(repo, "diff", base, "HEAD", "--", "small.py"),
        "test_patch": git(repo, "diff", base, "HEAD", "--", "tests"),
        "problem_statement": STATEMENT,
        "created_at": "2024-05-01T00:00:00Z",
        "version": "1.2",
        "FAIL_TO_PASS": json.dumps(
            ["tests/test_small.py::test_double[a", "tests/test_small.py::test_double[c]"]
        ),
        "PASS_TO_PASS": json.dumps(["tests/test_small.py::test_half", "[100%]"]),
    }
