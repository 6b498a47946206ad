"""Ledger and budget: never over, never twice, safe between threads and processes."""

import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from benchwright.formats import Budget, Call, Spent
from benchwright.gateway import Account, OverBudgetError, Prices
from gateway.shapes import COST, PRICES, REQUESTS, TOKENS, Make, messages


def call(name: str, tokens: int = 10, cost: float | None = 0.5) -> Call:
    return Call(
        id=name, trial="t", at="", dialect="chat", path="", asked="m", model="m", status=200,
        end="ok", counted=tokens, cost=cost,
    )  # fmt: skip


def test_what_is_held_counts_until_it_is_settled(tmp_path: Path) -> None:
    account = Account(tmp_path / "ledger.jsonl", Budget(tokens=100))
    account.reserve("a", 60, 0.0, 60)
    account.reserve("b", 60, 0.0, 60)

    with pytest.raises(OverBudgetError, match="tokens"):
        account.reserve("c", 60, 0.0, 60)

    account.settle(call("a", 20))
    account.release("b")
    account.reserve("c", 60, 0.0, 60)
    assert account.spent() == Spent(calls=1, counted=20, money=0.5)


@pytest.mark.parametrize(
    ("budget", "what"),
    [(Budget(calls=1), "calls"), (Budget(tokens=10), "tokens"), (Budget(money=0.5), "money")],
)
def test_each_limit(tmp_path: Path, budget: Budget, what: str) -> None:
    account = Account(tmp_path / "ledger.jsonl", budget)
    account.settle(call("a"))

    with pytest.raises(OverBudgetError, match=f"budget of {what} is spent"):
        account.reserve("b", 1, 0.0, 60)


def test_two_accounts_of_one_file_see_each_other(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    one, other = Account(path, Budget(calls=2)), Account(path, Budget(calls=2))
    one.reserve("a", 1, 0.0, 60)
    other.reserve("b", 1, 0.0, 60)

    with pytest.raises(OverBudgetError):
        one.reserve("c", 1, 0.0, 60)
    one.settle(call("a"))
    other.settle(call("b"))

    assert one.spent() == other.spent() == Spent(calls=2, counted=20, money=1.0)


def test_what_a_dead_process_held_lapses(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    Account(path, Budget(calls=1)).reserve("a", 1, 0.0, seconds=0.05)
    time.sleep(0.1)

    Account(path, Budget(calls=1)).reserve("b", 1, 0.0, 60)

    assert Account(path).spent() == Spent()


def test_a_torn_line_is_no_call_and_harms_no_other(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    Account(path).settle(call("a"))
    with path.open("ab") as file:
        file.write(b'{"id": "torn')

    Account(path).settle(call("b"))

    assert Account(path).spent().calls == 2


def test_many_processes_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    program = (
        "import sys; from pathlib import Path\n"
        "from benchwright.formats import Budget, Call\n"
        "from benchwright.gateway.account import Account, OverBudgetError\n"
        "account = Account(Path(sys.argv[1]), Budget(calls=50)); made = 0\n"
        "for n in range(40):\n"
        "    name = f'{sys.argv[2]}-{n}'\n"
        "    try: account.reserve(name, 1, 0.0, 60)\n"
        "    except OverBudgetError: continue\n"
        "    made += 1\n"
        "    account.settle(Call(id=name, trial='t', at='', dialect='', path='', asked='',\n"
        "        model='', status=200, end='ok', counted=1))\n"
        "print(made)\n"
    )
    command = [sys.executable, "-c", program, str(path)]
    running = [
        subprocess.Popen([*command, str(n)], stdout=subprocess.PIPE, text=True) for n in range(3)
    ]

    made = sum(int(process.communicate()[0]) for process in running)

    assert (made, Account(path).spent().calls) == (50, 50)


@pytest.mark.parametrize("dialect", REQUESTS)
def test_a_spent_budget_is_said_in_the_providers_words(make: Make, dialect: str) -> None:
    setting = make([{"say": "hello"}], budget=Budget(calls=1))
    path, request = REQUESTS[dialect]

    first, second = (setting.post(path, request()) for _ in range(2))

    assert (first.status_code, second.status_code) == (200, 400)
    assert second.json()["error"]["type"] == "invalid_request_error"
    assert "the budget of calls is spent" in second.json()["error"]["message"]
    assert [c.end for c in setting.lines] == ["ok", "refused"]
    assert setting.trial.over_budget


def test_money_is_counted_by_what_was_used(make: Make) -> None:
    setting = make([{"say": "hello"}], budget=Budget(money=COST * 2.5))

    answers = [setting.post("/v1/messages", messages()).status_code for _ in range(4)]

    assert answers == [200, 200, 200, 400]
    assert setting.trial.accounts[0].spent().money == pytest.approx(3 * COST)


def test_money_without_a_price_is_refused_and_said(make: Make) -> None:
    setting = make([{"say": "hello"}], names={"*": "*"}, budget=Budget(money=1), prices=Prices())

    answer = setting.post("/v1/messages", messages(model="no-such-model"))

    assert answer.status_code == 400
    assert "no price is known for no-such-model, and money is limited" in answer.text


def test_an_unknown_price_is_said_never_zero(make: Make) -> None:
    setting = make([{"say": "hello"}], names={"*": "*"}, prices=Prices())

    setting.post("/v1/messages", messages(model="no-such-model"))

    line, spent = setting.lines[0], setting.trial.accounts[0].spent()
    assert (line.cost, line.price) == (None, "no price is known for no-such-model")
    assert (spent.unpriced, spent.usage.cost, spent.usage.cached_tokens) == (1, None, 4000)


def test_a_budget_for_the_whole_job(make: Make, tmp_path: Path) -> None:
    job = Account(tmp_path / "job" / "ledger.jsonl", Budget(tokens=TOKENS.total * 3 + 50))
    settings = [make([{"say": "x"}], name=f"t{n}", job=job) for n in range(2)]

    answers = [s.post("/v1/messages", messages()).status_code for s in settings * 3]

    assert answers == [200, 200, 200, 200, 400, 400]
    assert job.spent().counted == 4 * TOKENS.total
    assert [json.loads(x)["trial"] for x in job.path.read_text().splitlines()] == [
        "t0", "t1", "t0", "t1", "t0", "t1",
    ]  # fmt: skip


def test_parallel_calls_do_not_overshoot_together(make: Make) -> None:
    fault = {"kind": "slow", "seconds": 0.05, "times": 0}
    setting = make([{"say": "x", "fault": fault}], budget=Budget(calls=3), prices=PRICES)
    together = Barrier(8)

    def ask(_: int) -> int:
        together.wait()
        return setting.post("/v1/messages", messages(stream=True)).status_code

    with ThreadPoolExecutor(8) as pool:
        answers = sorted(pool.map(ask, range(8)))

    assert answers == [200] * 3 + [400] * 5
