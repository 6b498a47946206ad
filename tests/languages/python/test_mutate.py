"""Operators change what they say; what compiles to the same is dropped; spans are exact."""

import pytest

from benchwright.formats import Mutant, apply
from benchwright.languages.python.mutate import generate, missing, sources


def made(text: str, operator: str) -> list[str]:
    """The changed texts that one operator makes of a module."""
    found = mutants(text)
    return [apply(text.encode(), m.edits).decode() for m in found if m.operator == operator]


def mutants(text: str) -> tuple[Mutant, ...]:
    read, notes = sources({"m.py": text.encode()}, {"m.py": "m"})
    assert notes == []
    return generate(read).mutants


@pytest.mark.parametrize(
    ("text", "operator", "expected"),
    [
        ("x = a + b", "arithmetic", ["x = a - b"]),
        ("x = a // b", "arithmetic", ["x = a / b"]),
        ("x += 1", "arithmetic", ["x -= 1"]),
        ("x = a == b", "comparison", ["x = a != b"]),
        ("x = a < b", "boundary", ["x = a <= b"]),
        ("x = a < b", "comparison", ["x = a >= b"]),
        ("x = a is  not b", "comparison", ["x = a is b"]),
        ("x = a not in b", "comparison", ["x = a in b"]),
        ("x = (a)  # < no\\\n", "comparison", []),
        ("x = a and (b or c)", "boolean", ["x = a or (b or c)", "x = a and (b and c)"]),
        ("x = not (a)", "boolean", ["x = (a)"]),
        ("x = True", "boolean", ["x = False"]),
        ("x = f(7)", "constant", ["x = f(8)"]),
        ("x = f(7)", "boundary", ["x = f(6)"]),
        ("x = f('é', b'')", "constant", ["x = f('', b'')", "x = f('é', b'XX')"]),
        ("def f():\n    return 1", "return", ["def f():\n    return None"]),
        ("def f():\n    g()", "removed-call", ["def f():\n    pass"]),
        ("def f():\n    x = g\n    h(x)", "assignment", ["def f():\n    x = None\n    h(x)"]),
        ("x = f(a, b)", "swapped-argument", ["x = f(b, a)"]),
        ("x = f(a, k=1)", "removed-argument", ["x = f(a)"]),
        ("x = f(k=1, j=2)", "removed-argument", ["x = f(j=2)", "x = f(k=1)"]),
        ("x = a[1:]", "slice", ["x = a[:]"]),
        ("x = s.lower()", "method", ["x = s.upper()"]),
        ("def f():\n    raise E('x')", "exception", ["def f():\n    raise Exception('x')"]),
        ("@d\ndef f(): pass", "removed-decorator", ["def f(): pass"]),
        ("class A:\n  @d  # why\n  def f(): pass", "removed-decorator",
         ["class A:\n  def f(): pass"]),
        ("for x in y:\n    break", "loop", ["for x in y:\n    continue"]),
        ("if a: pass", "negated", ["if not (a): pass"]),
        ("x = [a for a in b if a]", "negated", ["x = [a for a in b if not (a)]"]),
    ],
)  # fmt: skip
def test_an_operator_makes_its_change(text: str, operator: str, expected: list[str]) -> None:
    assert made(text, operator) == expected


@pytest.mark.parametrize(
    "text",
    [
        '"""Doc 1."""',
        "x: Literal['a']",
        "def f(a: T[1]) -> U[2]: pass",
        "if TYPE_CHECKING:\n    import a\n    x = 1",
        "__version__ = '1.0'",
        "from __future__ import annotations\nimport a.b",
        "@overload\ndef f(a=1): return 1",
    ],
)
def test_documentation_and_types_are_left_alone(text: str) -> None:
    assert [m.change for m in mutants(text) if m.operator != "removed-decorator"] == []


def test_what_compiles_to_the_reference_is_dropped() -> None:
    text = b"def f(a):\n    if a:\n        return (1)\n    return None\n"
    read, _ = sources({"m.py": text}, {"m.py": "m"})

    found = generate(read)

    changed = [apply(read[0].data, m.edits) for m in found.mutants]
    assert len(set(changed)) == len(changed)
    assert read[0].data not in changed


def test_the_first_of_two_alike_stays() -> None:
    read, _ = sources({"m.py": b"def f():\n    x = g()\n    return x\n"}, {"m.py": "m"})
    first = generate(read).mutants[0]

    again = generate(read, [first.model_copy(update={"id": "other"})])

    assert again.mutants[0].id == "other"
    assert first.id not in {m.id for m in again.mutants}
    assert again.equivalent == 1


def test_the_same_source_gives_the_same_ids() -> None:
    text = (
        "def f(a, b):\n    return a + b, a + 1\nclass C:\n    def f(self):\n        return 1 + 2\n"
    )

    ids = [m.id for m in mutants(text)]

    assert ids == [m.id for m in mutants(text)]
    assert len(ids) == len(set(ids))
    assert "m.py:f:arithmetic-1" in ids
    assert "m.py:C.f:arithmetic-1" in ids


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_spans_hold_with_marks_newlines_and_wide_characters(newline: str) -> None:
    text = newline.join(["\ufeffx = 'ééé'; y = a + b", "z = 'ü' + c", ""]).encode()
    read, _ = sources({"m.py": text}, {"m.py": "m"})

    found = [apply(text, m.edits) for m in generate(read).mutants if m.operator == "arithmetic"]

    assert found == [text.replace(b"a + b", b"a - b"), text.replace(b" + c", b" - c")]


def test_files_that_cannot_be_read_are_named() -> None:
    files = {"a.py": b"def (", "b.py": b"# coding: latin-1\nx = '\xe9'\n", "c.py": b"x = 1\n"}

    read, notes = sources(files, {name: name[0] for name in files})

    assert [source.file for source in read] == ["c.py"]
    assert [note.partition(":")[0] for note in notes] == ["a.py", "b.py"]


def test_a_missing_class_and_module_keep_their_names() -> None:
    text = b'class A:\n    """Doc."""\n    def f(self):\n        """Doc."""\n        return 1\n'
    text += b"    def g(self): return 2\ndef h():\n    return 3\n"
    read, _ = sources({"m.py": text}, {"m.py": "m"})

    found = {m.operator: apply(text, m.edits).decode() for m in missing(read, keep=["m.py:8"])}

    assert found["class"] == found["module"]
    assert found["class"].count("raise NotImplementedError") == 2
    assert '"""Doc."""\n        raise NotImplementedError' in found["class"]
    assert "def h():\n    return 3" in found["class"]


def test_of_a_table_of_data_a_sample_is_changed() -> None:
    rows = ",\n    ".join(f"({n}, {n + 1})" for n in range(2000))
    text = f"TABLE = (\n    {rows},\n)\n\n\ndef f():\n    return 7\n"

    found = mutants(text)

    lines = {mutant.line for mutant in found}
    assert 15 <= len(lines & set(range(2, 2002))) <= 30
    assert any(mutant.line > 2003 for mutant in found)
