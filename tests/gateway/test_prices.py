from pathlib import Path

import pytest

from benchwright.formats import FormatError, Tokens
from benchwright.gateway import Price, Prices

TOKENS = Tokens(input=1000, cache_read=2000, cache_write=3000, output=4000, reasoning=500)


def test_an_own_price_wins_and_cached_tokens_have_their_own() -> None:
    own = Price(input=1.0, output=10.0, cache_read=0.1, cache_write=2.0)

    cost, source = Prices({"claude-sonnet-4-5": own}).cost("claude-sonnet-4-5", "anthropic", TOKENS)

    assert (cost, source) == (pytest.approx((1000 + 200 + 6000 + 40000) / 1e6), "price file")


def test_without_a_price_of_its_own_a_cached_token_costs_as_any() -> None:
    assert Price(input=1.0, output=0.0).of(TOKENS) == pytest.approx(6000 / 1e6)


def test_published_prices_take_each_kind_of_token_once() -> None:
    prices = Prices()

    def cost(**counts: int) -> float:
        found, source = prices.cost("claude-sonnet-4-5", "anthropic", Tokens(**counts))
        assert found is not None
        assert source.startswith("genai-prices ")
        return found

    million = 1_000_000
    assert cost(input=million // 10) == pytest.approx(0.3)
    assert cost(cache_read=million // 10) == pytest.approx(0.03)
    assert cost(cache_write=million // 10) == pytest.approx(0.375)
    assert cost(output=million // 10) == pytest.approx(1.5)


def test_an_unknown_model_has_no_price() -> None:
    found = Prices().cost("gpt-imaginary", "openai", TOKENS)

    assert found == (None, "no price is known for gpt-imaginary")


def test_a_price_file(tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text('["my/model"]\ninput = 1\noutput = 2.5\n')

    assert Prices.read(path).cost("my/model", "openai", Tokens(output=2)) == (5e-6, "price file")


@pytest.mark.parametrize(
    "text", ["[", "[m]\ninput = 1\n", "[m]\ninput = 'x'\noutput = 1\n", "m = 3\n", "\xff"]
)
def test_bad_price_files(tmp_path: Path, text: str) -> None:
    path = tmp_path / "prices.toml"
    path.write_bytes(text.encode("latin1"))

    with pytest.raises(FormatError, match=r"prices\.toml: not a price file"):
        Prices.read(path)
