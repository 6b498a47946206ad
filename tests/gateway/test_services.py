"""`submit` and `check`."""

import httpx2
import pytest

from benchwright.gateway import DeclinedError, Services
from benchwright.gateway.services import CheckKind
from gateway.shapes import Make


def post(setting, path: str, text: str = "", token: str = "") -> tuple[int, str]:  # type: ignore[no-untyped-def]
    headers = {"authorization": f"Bearer {token or setting.trial.token}"}
    answer = httpx2.post(setting.url + path, content=text, headers=headers)
    return answer.status_code, answer.text


def test_a_trial_is_submitted_once(make: Make) -> None:
    told: list[str] = []
    setting = make([{"say": "x"}], services=Services(submit=told.append))

    answers = [post(setting, "/submit", text) for text in ("done", "again")]

    assert [status for status, _ in answers] == [200, 409]
    assert answers[1][1] == "already submitted: the first submission counts\n"
    assert (told, setting.trial.services.submitted) == (["done"], True)


def test_checks_are_limited_in_kind_and_number(make: Make) -> None:
    asked: list[CheckKind] = []

    def check(kind: CheckKind) -> str:
        asked.append(kind)
        return "3 of 4 passed\n"

    services = Services(allow=("hidden-count", "lint"), limit=2, check=check)
    setting = make([{"say": "x"}], services=services)

    answers = [post(setting, "/check", kind) for kind in ("", "visible", "lint", "lint")]

    assert answers == [
        (200, "3 of 4 passed\n(1 of 2 checks left)\n"),
        (409, "visible: not allowed here (allowed: hidden-count, lint)\n"),
        (200, "3 of 4 passed\n(0 of 2 checks left)\n"),
        (409, "no checks left (of 2)\n"),
    ]
    assert asked == ["hidden-count", "lint"]


def test_no_checks_where_none_are_allowed(make: Make) -> None:
    setting = make([{"say": "x"}])

    assert post(setting, "/check") == (409, "check: not allowed here (allowed: none)\n")


def test_no_check_after_submitting(make: Make) -> None:
    services = Services(allow=("lint",), limit=2, check=lambda kind: kind)
    setting = make([{"say": "x"}], services=services)
    post(setting, "/submit")

    assert post(setting, "/check") == (409, "already submitted\n")


def test_a_check_shows_no_more_than_its_bound(make: Make) -> None:
    services = Services(allow=("lint",), limit=1, check=lambda _: "x" * (1 << 20))
    setting = make([{"say": "x"}], services=services)

    assert len(post(setting, "/check")[1]) < 17_000


def test_a_declined_check(make: Make) -> None:
    def check(_: CheckKind) -> str:
        raise DeclinedError("the workspace can't be read")

    setting = make([{"say": "x"}], services=Services(allow=("lint",), limit=1, check=check))

    assert post(setting, "/check") == (409, "the workspace can't be read\n")


@pytest.mark.parametrize("path", ["/submit", "/check"])
def test_a_wrong_token(make: Make, path: str) -> None:
    setting = make([{"say": "x"}])

    assert post(setting, path, token="no") == (401, "wrong token\n")
    assert not setting.trial.services.submitted
