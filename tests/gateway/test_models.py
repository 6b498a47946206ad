from pathlib import Path

import pytest

from benchwright.formats import AgentError
from benchwright.gateway import Models, Upstream


@pytest.mark.parametrize(
    ("environ", "url", "key"),
    [
        ({"OPENAI_API_KEY": "k"}, "https://api.openai.com", "k"),
        ({"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://x:1/v1/"}, "http://x:1", "k"),
        ({"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": ""}, "https://api.openai.com", "k"),
    ],
)
def test_where_a_provider_is(environ: dict[str, str], url: str, key: str) -> None:
    assert Upstream.of("openai", environ) == Upstream(url, key)


def test_a_key_may_be_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "key").write_text(" secret \n")

    found = Upstream.of("anthropic", {"ANTHROPIC_API_KEY_FILE": str(tmp_path / "key")})

    assert found.key == "secret"
    assert "secret" not in repr(found)


@pytest.mark.parametrize(
    ("environ", "message"),
    [
        ({}, "no key for openai"),
        ({"OPENAI_API_KEY": ""}, "no key for openai"),
        ({"OPENAI_API_KEY_FILE": "/no/such"}, "the key can't be read"),
        ({"OPENAI_API_KEY_FILE": "/proc/self/exe"}, "the key can't be read"),
    ],
)
def test_a_missing_key(environ: dict[str, str], message: str) -> None:
    with pytest.raises(AgentError, match=message):
        Upstream.of("openai", environ)


@pytest.mark.parametrize(
    ("names", "asked", "sent"),
    [
        ({"a": "b"}, "a", "b"),
        ({"a": "b"}, "c", None),
        ({"*": "*"}, "c", "c"),
        ({"*": "b"}, "c", "b"),
        ({"a": "x", "*": "b"}, "a", "x"),
        ({}, "a", None),
    ],
)
def test_which_models_may_be_asked_for(names: dict[str, str], asked: str, sent: str | None) -> None:
    assert Models({}, names).sent(asked) == sent
