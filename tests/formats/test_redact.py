import pytest

from benchwright.formats.redact import Redactor


@pytest.mark.parametrize(
    "secret",
    [
        "sk-ant-" + "a1" * 12,
        "sk-proj-abcdefghij0123456789",
        "ghp_" + "a1" * 18,
        "AKIAABCDEFGHIJKLMNOP",
        "hf_" + "a1" * 17,
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefghijklmno",
        "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----",
    ],
)
def test_the_shapes_of_well_known_keys(secret: str) -> None:
    assert Redactor().text(f"key={secret}, rest") == "key=[redacted], rest"


@pytest.mark.parametrize("text", ["sk-", "task-management-of-a-long-name", "eyJ.x", "risk-1234"])
def test_what_only_looks_a_little_like_one(text: str) -> None:
    assert Redactor().text(text) == text


def test_the_values_of_variables_by_their_names() -> None:
    environ = {"MY_API_KEY": "value-one", "db_password": "value-two", "HOME": "value-three",
               "SHORT_KEY": "x"}  # fmt: skip

    text = Redactor.of(environ).text("value-one value-two value-three x")

    assert text == "[redacted] [redacted] value-three x"


def test_a_secret_inside_another() -> None:
    assert Redactor(["secret", "secret-longer"]).text("secret-longer secret") == (
        "[redacted] [redacted]"
    )


def test_bytes_keep_everything_else() -> None:
    data = b"\xff\x00secret-1\xfe\r\n"

    assert Redactor(["secret-1"]).data(data) == b"\xff\x00[redacted]\xfe\r\n"
