from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from benchwright.formats import Budget
from benchwright.gateway import Account, Gateway, Models, Prices, Services, Trial, Upstream
from benchwright.gateway.scripted import Script, ScriptedModel
from gateway.shapes import KEY, PRICES, TOKENS, Make, Setting, door


@pytest.fixture(scope="session")
def gateway() -> Iterator[Gateway]:
    with Gateway() as gateway:
        yield gateway


@pytest.fixture
def make(gateway: Gateway, tmp_path: Path) -> Iterator[Make]:
    """Makes settings that end with the test."""
    with ExitStack() as stack:

        def setting(
            turns: list[dict[str, Any]],
            *,
            names: dict[str, str] | None = None,
            budget: Budget | None = None,
            prices: Prices = PRICES,
            services: Services | None = None,
            name: str = "trial",
            job: Account | None = None,
            **options: Any,
        ) -> Setting:
            script = Script.model_validate({"tokens": TOKENS.model_dump(), "turns": turns})
            model = ScriptedModel(script)
            upstream = Upstream(stack.enter_context(model.serve()), KEY)
            ledger = tmp_path / name / "ledger.jsonl"
            accounts = (Account(ledger, budget), *((job,) if job else ()))
            trial = Trial(
                name,
                Models({"anthropic": upstream, "openai": upstream}, names or {"m": "m"}),
                accounts,
                prices,
                services or Services(),
                **options,
            )
            return Setting(stack.enter_context(door(gateway, trial)), trial, model, ledger)

        yield setting
