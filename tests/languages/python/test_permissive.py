from types import ModuleType

from benchwright.languages.python.mutate.permissive import permissive

SOURCE = b"""\
from .parts import Part

__all__ = ["shape", "Wrong"]
LIMIT = 3


class Wrong(ValueError): ...


def shape(sides): ...
"""


def stand_in(data: bytes = SOURCE) -> ModuleType:
    module = ModuleType("shapes")
    exec(permissive({"shapes.py": data})["shapes.py"], module.__dict__)
    return module


def test_every_name_is_there_and_every_call_succeeds() -> None:
    module = stand_in()

    made = module.shape(3).anything["at all"](1, two=2)

    assert made
    assert list(made)
    assert module.Part().name
    assert made != module.shape(3)
    assert issubclass(module.Wrong, ValueError)
    assert module.__all__ == ["shape", "Wrong"]


def test_a_runner_that_asks_a_package_for_its_own_names_gets_none() -> None:
    module = stand_in()

    for name in ("pytest_plugins", "pytestmark", "setup_module", "setUpModule", "load_tests"):
        assert not hasattr(module, name)


def test_what_is_not_python_stays_as_it_is() -> None:
    assert permissive({"data.txt": b"1"}) == {"data.txt": b"1"}
