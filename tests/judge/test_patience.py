"""How long a busy server is waited for; the clock is made up, the errors are the client's own."""

from datetime import UTC, datetime
from email.utils import format_datetime
from types import SimpleNamespace
from typing import Any

import openai
import pytest

from voicesim.judge.llm.patience import GaveUpError, Patience, retry_after

NOW = datetime(2025, 1, 1, 12, 0, 0, tzinfo=UTC).timestamp()


class Server:
    """Fails with these errors, one after the other, and then answers; the pauses made meanwhile are kept."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.pauses: list[float] = []

    def request(self) -> str:
        if self.errors:
            raise self.errors.pop(0)
        return "answer"

    def asked(self, **limits: Any) -> str:
        return Patience(sleep=self.pauses.append, now=lambda: NOW, **limits).ask(self.request)


def status(code: int, body: dict[str, Any] | None = None, **headers: str) -> openai.APIStatusError:
    """The client's error for a status, with these headers (`retry_after` for `retry-after`)."""
    kind = {429: openai.RateLimitError, 404: openai.NotFoundError}.get(code, openai.InternalServerError)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    response: Any = SimpleNamespace(status_code=code, headers=named, request=None)
    return kind("busy", response=response, body=body)


def test_each_pause_is_twice_the_one_before() -> None:
    server = Server(status(503), status(500), status(429))
    assert server.asked(first=0.5) == "answer"
    assert server.pauses == [0.5, 1.0, 2.0]


def test_the_server_says_how_long() -> None:
    server = Server(status(429, retry_after="7"), status(429, retry_after_ms="250"))
    assert server.asked() == "answer"
    assert server.pauses == [7.0, 0.25]


def test_tries_are_bounded() -> None:
    server = Server(*[status(503)] * 9)
    with pytest.raises(GaveUpError, match=r"busy \(503\) 3 times"):
        server.asked(tries=3)
    assert len(server.pauses) == 2


def test_a_pause_that_is_too_long_is_not_made() -> None:
    server = Server(status(429, retry_after="3600"))
    with pytest.raises(GaveUpError, match="asks to wait 3600 s"):
        server.asked()
    assert server.pauses == []


def test_an_empty_account_is_not_asked_again() -> None:
    server = Server(status(429, {"code": "insufficient_quota", "message": "pay"}))
    with pytest.raises(GaveUpError, match="no quota left"):
        server.asked()
    assert server.pauses == []


def test_what_is_no_matter_of_waiting_is_raised_at_once() -> None:
    server = Server(status(404))
    with pytest.raises(openai.NotFoundError):
        server.asked()
    assert server.pauses == []


def test_a_lost_connection_is_tried_again_and_then_raised() -> None:
    request: Any = None
    lost = openai.APIConnectionError(request=request)
    assert Server(lost, lost).asked() == "answer"
    with pytest.raises(openai.APIConnectionError):
        Server(*[lost] * 5).asked(tries=5)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": format_datetime(datetime(2025, 1, 1, 12, 0, 20, tzinfo=UTC), usegmt=True)}, 20.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
    ],
)
def test_the_pause_is_read_from_the_headers(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds
