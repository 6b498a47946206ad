"""What is taken out of requests, and what is kept."""

import gzip
import json
from typing import Any

import httpx2
import pytest

from gateway.shapes import REQUESTS, Make, chat, messages, responses

HOSTED = {
    "messages": [
        {"type": "web_search_20250305", "name": "web_search", "max_uses": 5},
        {"type": "web_fetch_20250910", "name": "web_fetch"},
        {"type": "code_execution_20250825", "name": "code_execution"},
        {"type": "computer_20250124", "name": "computer"},
        {"type": "mcp_toolset", "mcp_server_name": "x"},
        {"type": "something_new_20271111", "name": "new"},
    ],
    "responses": [
        {"type": "web_search"},
        {"type": "web_search_preview"},
        {"type": "file_search", "vector_store_ids": ["vs_1"]},
        {"type": "code_interpreter", "container": {"type": "auto"}},
        {"type": "mcp", "server_url": "https://evil.example"},
        {"type": "computer_use_preview"},
        {"type": "image_generation"},
        {"type": "shell", "environment": {"type": "container_auto"}},
    ],
    "chat": [{"type": "web_search"}, {"type": "browser_search"}],
}
LOCAL = {
    "messages": [
        {"type": "bash_20250124", "name": "bash"},
        {"type": "text_editor_20250728", "name": "str_replace_based_edit_tool"},
        {"type": "custom", "name": "mine", "input_schema": {"type": "object"}},
    ],
    "responses": [{"type": "custom", "name": "apply_patch"}, {"type": "local_shell"}],
    "chat": [{"type": "custom", "custom": {"name": "mine"}}],
}


@pytest.mark.parametrize("dialect", REQUESTS)
def test_hosted_tools_are_removed_and_noted(make: Make, dialect: str) -> None:
    setting = make([{"say": "hello"}])
    path, request = REQUESTS[dialect]
    body = request(tool_choice={"type": "auto"})
    own = body["tools"]
    body["tools"] = [*own, *HOSTED[dialect], *LOCAL[dialect]]

    setting.post(path, body)

    sent = setting.model.played[0].body
    assert sent["tools"] == [*own, *LOCAL[dialect]]
    assert setting.lines[0].removed == tuple(t["type"] for t in HOSTED[dialect])
    assert "tool_choice" not in sent


def test_hosted_tools_inside_namespaces_and_input(make: Make) -> None:
    setting = make([{"say": "hello"}])
    own = {"type": "function", "name": "exec_command", "parameters": {}}
    space = {"type": "namespace", "name": "functions", "tools": [own, {"type": "web_search"}]}
    extra = {"type": "additional_tools", "role": "developer", "tools": [space, {"type": "mcp"}]}

    setting.post("/v1/responses", {"model": "m", "input": [extra], "tools": []})

    sent = setting.model.played[0].body["input"][0]["tools"]
    assert sent == [{**space, "tools": [own]}]
    assert setting.lines[0].removed == ("web_search", "mcp")


@pytest.mark.parametrize(
    ("dialect", "field", "value"),
    [
        ("messages", "mcp_servers", [{"type": "url", "url": "https://evil.example"}]),
        ("messages", "container", {"id": "c"}),
        ("chat", "web_search_options", {"search_context_size": "low"}),
        ("chat", "plugins", [{"id": "web"}]),
        ("responses", "prompt", {"id": "pmpt_1"}),
        ("responses", "conversation", "conv_1"),
        ("responses", "previous_response_id", "resp_1"),
        ("responses", "background", True),
    ],
)
def test_other_ways_to_have_work_done_elsewhere(
    make: Make, dialect: str, field: str, value: Any
) -> None:
    setting = make([{"say": "hello"}])
    path, request = REQUESTS[dialect]

    setting.post(path, request(**{field: value}))

    assert field not in setting.model.played[0].body
    assert setting.lines[0].removed == (field,)


def _message(block: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"role": "user", "content": [block]}]


URL = "http://evil.example/x.png"
BY_REFERENCE = [
    ("messages", _message({"type": "image", "source": {"type": "url", "url": URL}})),
    ("messages", _message({"type": "document", "source": {"type": "file", "file_id": "f"}})),
    ("chat", _message({"type": "image_url", "image_url": {"url": URL}})),
    ("chat", _message({"type": "file", "file": {"file_id": "f"}})),
    ("responses", _message({"type": "input_image", "image_url": URL})),
    ("responses", _message({"type": "input_file", "file_url": URL})),
    ("responses", _message({"type": "input_file", "file_id": "f"})),
]


@pytest.mark.parametrize(("dialect", "content"), BY_REFERENCE)
def test_content_by_reference_is_refused(make: Make, dialect: str, content: Any) -> None:
    setting = make([{"say": "hello"}])
    path, request = REQUESTS[dialect]
    where = "input" if dialect == "responses" else "messages"

    answer = setting.post(path, request(**{where: content}))

    assert (answer.status_code, "by reference" in answer.text) == (400, True)
    assert setting.model.played == []


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/chat/completions", chat(messages=_message(
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}))),
        ("/v1/responses", responses(input=_message(
            {"type": "input_image", "image_url": "data:image/png;base64,AAAA"}))),
        ("/v1/messages", messages(messages=[{"role": "assistant", "content": [
            {"type": "tool_use", "id": "1", "name": "t", "input": {"file_id": "x", "type": "url"}}
        ]}])),
    ],
)  # fmt: skip
def test_content_as_data_and_tool_arguments_pass(make: Make, path: str, body: Any) -> None:
    setting = make([{"say": "hello"}])

    assert setting.post(path, body).status_code == 200
    assert setting.model.played[0].body == body


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"", 400),
        (b"%%%", 400),
        (b"[1]", 400),
        (b'{"model": 3}', 404),
        (b'{"model": ["m"]}', 404),
        (b"[" * 100_000, 400),
        (b'{"model": "m", "messages": ' + b'[{"content":' * 60 + b"1" + b"}]" * 60 + b"}", 400),
    ],
)
@pytest.mark.parametrize("dialect", REQUESTS)
def test_bad_requests_are_refused(make: Make, dialect: str, content: bytes, status: int) -> None:
    setting = make([{"say": "hello"}])
    path = REQUESTS[dialect][0]
    if dialect == "responses":
        content = content.replace(b"messages", b"input")

    headers = {"x-api-key": setting.trial.token}
    answer = httpx2.post(setting.url + path, content=content, headers=headers)

    assert (answer.status_code, list(setting.model.played)) == (status, [])


def test_compressed_requests(make: Make) -> None:
    setting = make([{"say": "hello"}])
    headers = {"x-api-key": setting.trial.token, "content-encoding": "gzip"}

    def post(data: bytes, encoding: str = "gzip") -> int:
        given = headers | {"content-encoding": encoding}
        return httpx2.post(f"{setting.url}/v1/messages", content=data, headers=given).status_code

    bomb = gzip.compress(b" " * (33 << 20), compresslevel=9)
    assert [
        post(gzip.compress(json.dumps(messages()).encode())),
        post(b"no"),
        post(bomb),
        post(b"x", "zstd"),
    ] == [200, 400, 413, 415]
    assert setting.model.played[0].body == messages()


def test_what_an_agent_chose_is_bounded_and_harmless_in_the_ledger(make: Make) -> None:
    setting = make([{"say": "hello"}], names={"*": "m"})
    odd = "\ud800\x1b[2J" + "x" * 5000
    body = messages(model=odd, tools=[{"type": f"{odd}{n}"} for n in range(100)])

    answer = httpx2.post(
        f"{setting.url}/v1/messages?beta={'y' * 3000}",
        content=json.dumps(body).encode(),
        headers={"x-api-key": setting.trial.token},
    )

    line = setting.lines[0]
    assert (answer.status_code, line.end, len(line.removed)) == (200, "ok", 50)
    assert max(len(text) for text in (line.asked, line.path, *line.removed)) <= 500 + 20
    assert line.asked.startswith("\\ud800\\x1b[2J")


def test_a_request_that_is_too_large(make: Make) -> None:
    setting = make([{"say": "hello"}])

    answer = setting.post("/v1/messages", messages(metadata="x" * (33 << 20)))

    assert (answer.status_code, answer.json()["error"]["type"]) == (413, "request_too_large")
