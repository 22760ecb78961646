"""Usage to money: modalities and cached tokens apart, every response once, and unknown never 0."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from inboxes import Playing

from voicesim.catalog.prices import Prices, known_prices
from voicesim.llm.known_models import known_models
from voicesim.metrics.cost import cost
from voicesim.recording.events import Usage
from voicesim.transports.bounded_inbox import BoundedInbox
from voicesim.transports.openai_events import ServerEvents

PRICES = (known_prices("gpt-realtime") or Prices(as_of="2000-01-01")).model_dump()
USAGE: dict[str, Any] = {
    "total_tokens": 1855,
    "input_tokens": 1459,
    "output_tokens": 396,
    "input_token_details": {
        "text_tokens": 1349,
        "audio_tokens": 110,
        "image_tokens": 0,
        "cached_tokens": 1408,
        "cached_tokens_details": {"text_tokens": 1344, "audio_tokens": 64, "image_tokens": 0},
    },
    "output_token_details": {"text_tokens": 97, "audio_tokens": 299},
}


def used(response: str = "r1", **changes: Any) -> Usage:
    return Usage(t=1.0, response_id=response, usage={**USAGE, **changes})


def test_each_modality_has_its_price_and_cached_tokens_theirs() -> None:
    found = cost([used()], PRICES)
    # 5 x 4 + 1344 x 0.4 + 46 x 32 + 64 x 0.4 + 97 x 16 + 299 x 64
    # = 20 + 537.6 + 1472 + 25.6 + 1552 + 19136 = 22743.2 per million
    assert found.amount == 0.0227432
    assert (found.currency, found.responses, found.prices_as_of, found.unknown) == ("USD", 1, known_models().as_of, ())


def test_a_response_that_is_reported_twice_counts_once() -> None:
    assert cost([used(), used()], PRICES) == cost([used()], PRICES)
    twice = cost([used("r1"), used("r2")], PRICES)
    assert (twice.amount, twice.responses) == (0.0454864, 2)


def test_without_prices_or_usage_the_cost_is_unknown_and_not_zero() -> None:
    found = cost([used()], None)
    assert found.amount is None
    assert "no price for text_in tokens" in found.unknown
    assert cost([], PRICES).unknown == ("the agent reported no usage",)
    assert cost([], PRICES).amount is None


def test_one_missing_price_makes_the_whole_unknown() -> None:
    partly = Prices(as_of="2026-01-01", text_in=4, text_in_cached=0.4, audio_in=32, text_out=16, audio_out=64)
    found = cost([used()], partly.model_dump())
    assert (found.amount, found.unknown) == (None, ("no price for audio_in_cached tokens",))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"input_token_details": {"text_tokens": 1}}, "of what kind its input tokens were"),
        ({"output_token_details": None}, "of what kind its output tokens were"),
        ({"output_tokens": "many"}, "output_tokens that are no possible number"),
        (
            {"input_token_details": {"text_tokens": 1349, "audio_tokens": 110, "cached_tokens": 5}},
            "which of its input tokens were cached",
        ),
    ],
)
def test_a_usage_that_cannot_be_read_is_unknown(changes: dict[str, Any], told: str) -> None:
    found = cost([used("r1"), used("r2", **changes)], PRICES)
    assert found.amount is None
    assert told in found.unknown[0]


REPORTED = yaml.safe_load((Path(__file__).parent / "usage.yaml").read_text())


@pytest.mark.parametrize("entry", REPORTED["entries"], ids=lambda entry: entry["note"])
def test_what_a_server_reports_is_priced_rightly_or_unknown_with_a_reason(entry: dict[str, Any]) -> None:
    """From the server's own event to the money, as in a call."""
    inbox = Playing()
    events = ServerEvents(BoundedInbox(inbox))
    for response in entry["responses"]:
        events.read({"type": "response.done", "response": response}, 1.0)
    missing = entry.get("without_price", ())
    found = cost(inbox.events, {name: price for name, price in REPORTED["prices"].items() if name not in missing})
    if found.amount is None:
        assert "unknown" in entry["allowed"]
        assert all(found.unknown)
        assert found.unknown
    else:
        assert any(
            found.amount == pytest.approx(amount, abs=1e-9) for amount in entry["allowed"] if amount != "unknown"
        )


def of_time(**usage: Any) -> Usage:
    return Usage(t=1.0, response_id="session", usage=usage)


def test_a_session_is_priced_by_the_second_and_its_latest_report_counts() -> None:
    prices = (known_prices("gpt-live-1.1") or Prices(as_of="2000-01-01")).model_dump()
    # 90 s / 60 x 0.05 = 0.075
    found = cost([of_time(seconds=15), of_time(seconds=90)], prices)
    assert (found.amount, found.minutes, found.unknown) == (0.075, 1.5, ())
    # (90 - 30) / 60 x 0.05 + 30 / 60 x 0.02 = 0.05 + 0.01
    assert cost([of_time(seconds=90.0, active_seconds=60, paused_seconds=30)], prices).amount == 0.06


@pytest.mark.parametrize(
    ("usage", "why"),
    [
        ({"seconds": -1}, "a usage has seconds that are no possible length"),
        ({"seconds": "ten"}, "a usage has seconds that are no possible length"),
        ({"seconds": float("nan")}, "a usage has seconds that are no possible length"),
        ({"seconds": 10, "paused_seconds": 11}, "a usage has more seconds on standby than seconds"),
        ({"seconds": 10, "paused_seconds": 5}, "no price for a minute (standby)"),
    ],
)
def test_seconds_that_cannot_be_priced_make_the_cost_unknown(usage: dict[str, Any], why: str) -> None:
    found = cost([of_time(**usage)], {"minute_active": 0.05})
    assert (found.amount, found.unknown) == (None, (why,))
