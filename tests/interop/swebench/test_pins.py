import json
from pathlib import Path

import pytest

from benchwright.formats import FormatError
from benchwright.interop.swebench import read_pins

ITEM = {
    "conda": [
        "defaults",
        "_libgcc_mutex=0.1=main",
        "pip=24.2=py39h06a4308_0",
        "python=3.9.20=he870216_1",
        "mpmath=1.3.0=pyhd8ed1ab_1",
        "matplotlib-base=3.9.2=py310h68603db_1",
        "setuptools=75.1.0=py39h06a4308_0",
        "zlib=1.2.13=h5eee18b_1",
    ],
    "pip": ["setuptools==68.0.0", "flake8==6.0.0"],
    "python": "1.1.0",
}


def write(path: Path, data: object) -> Path:
    path.write_text(json.dumps(data))
    return path


def test_pip_wins_over_conda_and_the_interpreter_is_conda_s(tmp_path: Path) -> None:
    recipe = read_pins(write(tmp_path / "p.json", {"a": ITEM}))["a"].recipe()

    assert recipe.version == "3.9"
    assert recipe.requires == (
        "setuptools==68.0.0",
        "flake8==6.0.0",
        "mpmath==1.3.0",
        "matplotlib==3.9.2",
    )


def test_what_only_conda_has_is_named(tmp_path: Path) -> None:
    pins = read_pins(write(tmp_path / "p.json", {"a": ITEM}))["a"]

    assert pins.left_out == ("_libgcc_mutex", "zlib")


@pytest.mark.parametrize(
    "data", [[], {"a": {}}, {"a": ITEM | {"pip": ["not a pin at all ["]}}, {"a": 3}]
)
def test_other_files_are_refused(tmp_path: Path, data: object) -> None:
    with pytest.raises(FormatError, match="not environment pins"):
        read_pins(write(tmp_path / "p.json", data))
