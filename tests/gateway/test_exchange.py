"""Calls through the gateway: bytes, keys, usage, errors, cuts."""

import time
from pathlib import Path
from threading import Thread

import httpx2
import pytest

from benchwright.formats import Budget
from benchwright.gateway import Account, Gateway, Models, Trial, Upstream, calls
from benchwright.gateway.scripted import Script, ScriptedModel
from gateway.shapes import COST, KEY, PRICES, REQUESTS, TOKENS, Make, door, messages

STATED = {name: TOKENS if name != "messages" else TOKENS.model_copy(update={"reasoning": 0})
          for name in REQUESTS}  # fmt: skip
each_dialect = pytest.mark.parametrize("dialect", REQUESTS)
streamed_or_not = pytest.mark.parametrize("stream", [True, False])


@each_dialect
@streamed_or_not
def test_usage_is_read_from_the_answer_and_priced(make: Make, dialect: str, stream: bool) -> None:
    setting = make([{"say": "hello", "run": "ls"}])
    path, request = REQUESTS[dialect]

    answer = setting.post(path, request(stream=stream))

    line = setting.lines[0]
    assert (answer.status_code, line.end, line.tokens) == (200, "ok", STATED[dialect])
    assert line.cost == pytest.approx(COST)
    assert (line.dialect, line.asked, line.model, line.answered) == (dialect, "m", "m", "m")
    assert (line.counted, line.attempts, line.price) == (TOKENS.total, 1, "price file")


@each_dialect
@streamed_or_not
def test_the_answer_is_the_providers_byte_for_byte(make: Make, dialect: str, stream: bool) -> None:
    setting = make([{"say": "hello, how are you today?", "run": "ls"}])
    path, request = REQUESTS[dialect]
    upstream = setting.trial.models.upstreams["openai"].url
    body = request(stream=stream)
    if stream and dialect == "chat":
        body["stream_options"] = {"include_usage": True}

    through = setting.post(path, body).content
    direct = httpx2.post(upstream + path, json=body).content

    assert through.replace(b"000001", b"000002") == direct


@each_dialect
def test_the_request_arrives_unchanged_with_the_real_key(make: Make, dialect: str) -> None:
    setting = make([{"say": "hello"}])
    path, request = REQUESTS[dialect]
    body = request(some_new_field={"of": "a provider"})

    setting.post(path, body)

    played = setting.model.played[0]
    assert (played.body, played.key) == (body, KEY)


def test_a_stream_is_asked_for_its_usage(make: Make) -> None:
    setting = make([{"say": "hello"}])

    setting.post("/v1/chat/completions", REQUESTS["chat"][1](stream=True))

    assert setting.model.played[0].body["stream_options"] == {"include_usage": True}


@each_dialect
@pytest.mark.parametrize("headers", [{"authorization": "Bearer no"}, {"x-api-key": "no"}])
def test_a_wrong_token_is_refused(make: Make, dialect: str, headers: dict[str, str]) -> None:
    setting = make([{"say": "hello"}])
    path, request = REQUESTS[dialect]

    answer = setting.post(path, request(), headers=headers)

    assert (answer.status_code, "error" in answer.json()) == (401, True)
    assert (setting.model.played, setting.lines[0].end) == ([], "refused")


@each_dialect
def test_an_unknown_model_is_refused_in_the_providers_words(make: Make, dialect: str) -> None:
    setting = make([{"say": "hello"}])
    path, request = REQUESTS[dialect]

    answer = setting.post(path, request() | {"model": "gpt-unknown"})

    error = answer.json()["error"]
    kind = error["type"] if dialect == "messages" else error["code"]
    assert (answer.status_code, kind) == (
        404,
        "not_found_error" if dialect == "messages" else "model_not_found",
    )
    assert "gpt-unknown" in error["message"]


def test_a_model_is_renamed(make: Make) -> None:
    setting = make([{"say": "hello"}], names={"small": "m", "*": "m"})

    for asked in ("small", "whatever"):
        setting.post("/v1/messages", messages(model=asked))

    assert [p.model for p in setting.model.played] == ["m", "m"]
    assert [(c.asked, c.model) for c in setting.lines] == [("small", "m"), ("whatever", "m")]


@each_dialect
def test_a_rate_limit_is_tried_again_before_the_agent_hears_of_it(make: Make, dialect: str) -> None:
    fault = {"kind": "status", "status": 429, "times": 1, "retry_after": 0}
    setting = make([{"say": "hello", "fault": fault}])
    path, request = REQUESTS[dialect]

    answer = setting.post(path, request(stream=True))

    assert (answer.status_code, len(setting.model.played)) == (200, 2)
    assert [(c.end, c.attempts, c.tokens) for c in setting.lines] == [("ok", 2, STATED[dialect])]


@pytest.mark.parametrize(("status", "attempts"), [(400, 1), (429, 3), (500, 1), (529, 3)])
def test_lasting_errors_are_passed_on(make: Make, status: int, attempts: int) -> None:
    fault = {"kind": "status", "status": status, "times": 0, "retry_after": 0}
    setting = make([{"say": "hello", "fault": fault}])

    answer = setting.post("/v1/messages", messages())

    line = setting.lines[0]
    assert (answer.status_code, answer.json()["error"]["message"]) == (
        status,
        f"scripted error {status}",
    )
    assert answer.headers["retry-after"] == "0"
    assert (line.status, line.end, line.attempts, line.counted) == (status, "error", attempts, 0)
    assert line.cost is None


def test_a_long_wait_is_left_to_the_agent(make: Make) -> None:
    fault = {"kind": "status", "status": 429, "times": 1, "retry_after": 600}
    setting = make([{"say": "hello", "fault": fault}])

    answer = setting.post("/v1/messages", messages())

    assert (answer.status_code, answer.headers["retry-after"]) == (429, "600")


@each_dialect
def test_a_cut_stream_is_passed_on_as_cut(make: Make, dialect: str) -> None:
    fault = {"kind": "cut", "times": 0}
    setting = make([{"say": "hello, this is going to break off", "fault": fault}])
    path, request = REQUESTS[dialect]

    with pytest.raises(httpx2.RemoteProtocolError):
        setting.post(path, request(stream=True))

    line = setting.lines[0]
    assert (line.status, line.end, line.attempts) == (200, "cut", 1)
    assert line.counted > 0
    assert setting.trial.failing


@each_dialect
@streamed_or_not
def test_nonsense_is_passed_on_and_has_no_cost(make: Make, dialect: str, stream: bool) -> None:
    setting = make([{"say": "hello", "fault": {"kind": "nonsense"}}])
    path, request = REQUESTS[dialect]

    answer = setting.post(path, request(stream=stream))

    line = setting.lines[0]
    assert (answer.status_code, line.end, line.tokens, line.cost) == (200, "cut", None, None)
    assert line.price == "the provider stated no usage"
    assert line.counted > 0


def test_an_endless_stream_ends_with_the_time(make: Make) -> None:
    setting = make(
        [{"say": "on and on and on and on and on", "fault": {"kind": "endless", "times": 0}}],
        budget=Budget(seconds=1.5),
    )

    with pytest.raises(httpx2.RemoteProtocolError):
        setting.post("/v1/messages", messages(stream=True))

    assert [(c.end, c.error) for c in setting.lines] == [("cut", "the time is over")]
    again = setting.post("/v1/messages", messages())
    assert (again.status_code, "the time is over" in again.text) == (400, True)


def test_hanging_up_does_not_hide_what_a_call_cost(make: Make) -> None:
    fault = {"kind": "slow", "seconds": 0.05, "times": 0}
    setting = make([{"say": "one two three four five six seven", "run": "ls", "fault": fault}])
    headers = {"x-api-key": setting.trial.token}

    with (
        httpx2.Client() as client,
        client.stream(
            "POST", f"{setting.url}/v1/messages", json=messages(stream=True), headers=headers
        ) as answer,
    ):
        next(answer.iter_raw())
    deadline = time.monotonic() + 10
    while not setting.lines and time.monotonic() < deadline:
        time.sleep(0.05)

    assert [(c.end, c.tokens) for c in setting.lines] == [("ok", STATED["messages"])]


def test_a_provider_that_is_not_there(make: Make) -> None:
    setting = make([{"say": "hello"}], retries=0)
    dead = setting.trial.models.upstreams["anthropic"]
    object.__setattr__(dead, "url", "http://127.0.0.1:9")

    answer = setting.post("/v1/messages", messages())

    assert (answer.status_code, answer.json()["error"]["type"]) == (502, "api_error")
    assert [(c.status, c.end, c.counted) for c in setting.lines] == [(0, "error", 0)]


def test_calls_under_way_get_their_line_when_the_door_closes(
    gateway: Gateway, tmp_path: Path
) -> None:
    script = Script.model_validate({"turns": [{"say": "x", "fault": {"kind": "hang"}}]})
    ledger = tmp_path / "ledger.jsonl"
    with ScriptedModel(script).serve() as url:
        upstream = Models({"anthropic": Upstream(url, KEY)}, {"m": "m"})
        trial = Trial("t", upstream, (Account(ledger),), PRICES)
        with door(gateway, trial) as address:

            def ask() -> None:
                headers = {"x-api-key": trial.token}
                with httpx2.Client() as client, pytest.raises(httpx2.HTTPError):
                    client.post(
                        f"{address}/v1/messages", json=messages(stream=True), headers=headers
                    )

            thread = Thread(target=ask)
            thread.start()
            time.sleep(0.5)
        lines = [(c.end, c.error) for c in calls(ledger.read_bytes())]
        thread.join()

    assert lines == [("cut", "broken off at the end of the trial")]


def test_counting_tokens_is_free(make: Make) -> None:
    setting = make([{"say": "hello"}])

    answer = setting.post("/v1/messages/count_tokens", messages())

    line = setting.lines[0]
    assert answer.json()["input_tokens"] > 0
    assert (line.end, line.counted, line.cost) == ("ok", 0, 0.0)


def test_the_list_of_models(make: Make) -> None:
    setting = make([{"say": "hello"}], names={"a": "m", "*": "m"})

    listed = httpx2.get(f"{setting.url}/v1/models").json()

    assert [m["id"] for m in listed["data"]] == ["a"]


@pytest.mark.parametrize("path", ["/v1/files", "/v1/embeddings", "/../etc/passwd", "/v1/batches"])
def test_nothing_else_is_answered(make: Make, path: str) -> None:
    setting = make([{"say": "hello"}])

    assert (httpx2.get(setting.url + path).status_code, setting.post(path, {}).status_code) == (
        404,
        405,
    )
    assert setting.model.played == []
