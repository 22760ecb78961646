"""What tokens and seconds cost: of the agent, by the usage it reports, and of a model that is asked in chat."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from voicesim.metrics.model import Cost
from voicesim.recording.events import Event, Usage

MILLION = 1_000_000
MOST = 10**12
"""Tokens of one response from which a number is none."""
_NAMES = {
    "prompt_tokens": "input_tokens",
    "prompt_tokens_details": "input_token_details",
    "completion_tokens": "output_tokens",
    "completion_tokens_details": "output_token_details",
}
"""How the chat API names the same things."""
_MODALITIES = ("text", "audio", "image")
Lines = dict[str, int]
"""Tokens by the name of their price: text_in, text_in_cached, ..., audio_out."""


class _UnclearError(Exception):
    """A usage that does not say what its tokens were."""


def cost(events: Iterable[Event], prices: Mapping[str, Any] | None) -> Cost:
    """The sum over all responses: tokens / 1,000,000 x price, each modality and direction apart.

    Cached tokens are part of the input tokens and have a price of their own. A response counts once, by its
    last report. A session that is billed by the second counts by its seconds: seconds / 60 x price of a minute.
    What cannot be priced makes the amount None, with the reasons; never 0.
    """
    usages = _once_each(events)
    return _sum(usages, prices, () if usages else ("the agent reported no usage",))


def chat_cost(usages: Sequence[Mapping[str, Any] | None], prices: Mapping[str, Any]) -> Cost:
    """The sum over answers in chat, which are all text; None is an answer whose server told no usage."""
    return _sum([_all_text(usage or {}) for usage in usages], prices)


def _sum(usages: Sequence[Mapping[str, Any]], prices: Mapping[str, Any] | None, reasons: Sequence[str] = ()) -> Cost:
    prices = prices or {}
    unknown = dict.fromkeys(reasons)
    amount, lasted = 0.0, 0.0
    for usage in usages:
        try:
            if (times := minutes(usage)) is not None:
                lasted += sum(times.values())
                amount += _of_minutes(times, prices, unknown)
                continue
            lines = tokens(usage)
        except _UnclearError as error:
            unknown[str(error)] = None
            continue
        for name, count in lines.items():
            price = prices.get(name)
            if count and price is None:
                unknown[f"no price for {name} tokens"] = None
            amount += count * (price or 0.0) / MILLION
    return Cost(
        currency=str(prices.get("currency", "USD")),
        amount=None if unknown else round(amount, 10),
        responses=len(usages),
        minutes=round(lasted, 6) if lasted else None,
        prices_as_of=prices.get("as_of"),
        unknown=tuple(unknown),
    )


def minutes(usage: Mapping[str, Any]) -> dict[str, float] | None:
    """The minutes of a session by the name of their price; None for a usage in tokens.

    `paused_seconds` of all `seconds` are on standby. Raises _UnclearError for what is no possible length.
    """
    if "seconds" not in usage or usage.get("input_tokens") is not None:
        return None
    whole, paused = _length(usage, "seconds"), _length(usage, "paused_seconds")
    if paused > whole:
        raise _UnclearError("a usage has more seconds on standby than seconds")
    return {"minute_active": (whole - paused) / 60, "minute_standby": paused / 60}


def _of_minutes(times: Mapping[str, float], prices: Mapping[str, Any], unknown: dict[str, None]) -> float:
    amount = 0.0
    for name, length in times.items():
        price = prices.get(name)
        if length and price is None:
            unknown[f"no price for a {name.replace('_', ' (')})"] = None
        amount += length * (price or 0.0)
    return amount


def _all_text(usage: Mapping[str, Any]) -> dict[str, Any]:
    """A usage in chat with its kinds of tokens, where the server does not tell them: there is only text."""
    given, made = (usage.get(f"{part}_tokens") for part in ("prompt", "completion"))
    details = _part(usage, "prompt_tokens_details")
    cached = details.get("cached_tokens") or 0
    if "text_tokens" in details or "audio_tokens" in details:
        return dict(usage)
    return {
        "input_tokens": given,
        "output_tokens": made,
        "input_token_details": {
            "text_tokens": given,
            "cached_tokens": cached,
            "cached_tokens_details": {"text_tokens": cached},
        },
        "output_token_details": {"text_tokens": made},
    }


def tokens(usage: Mapping[str, Any]) -> Lines:
    """The tokens of one usage in the protocol's form, by the name of their price.

    The names of the chat API (prompt, completion) mean the same. Raises _UnclearError for a usage that does not say
    how many tokens of which kind came in and went out.
    """
    usage = {_NAMES.get(name, name): value for name, value in usage.items()}
    if not all(usage.get(name) is not None for name in ("input_tokens", "output_tokens")):
        raise _UnclearError("a response did not say how many tokens came in and went out")
    lines: Lines = {}
    given = _part(usage, "input_token_details")
    cached = _part(given, "cached_tokens_details")
    _adds_up(usage, "input_tokens", given)
    if _count(given, "cached_tokens") != sum(_count(cached, f"{modality}_tokens") for modality in _MODALITIES):
        raise _UnclearError("a usage does not say which of its input tokens were cached")
    for modality in _MODALITIES:
        whole, from_cache = _count(given, f"{modality}_tokens"), _count(cached, f"{modality}_tokens")
        if from_cache > whole:
            raise _UnclearError("a usage has more cached tokens than tokens")
        lines[f"{modality}_in"], lines[f"{modality}_in_cached"] = whole - from_cache, from_cache
    made = _part(usage, "output_token_details")
    _adds_up(usage, "output_tokens", made)
    for modality in ("text", "audio"):
        lines[f"{modality}_out"] = _count(made, f"{modality}_tokens")
    return lines


def _once_each(events: Iterable[Event]) -> list[Mapping[str, Any]]:
    """The usage of every response; reports without a response's id cannot be told apart and all count."""
    by_id: dict[str, Mapping[str, Any]] = {}
    for number, event in enumerate(_usages(events)):
        by_id[event.response_id or f"report {number}"] = event.usage
    return list(by_id.values())


def _usages(events: Iterable[Event]) -> Iterator[Usage]:
    return (event for event in events if isinstance(event, Usage))


def _adds_up(usage: Mapping[str, Any], name: str, details: Mapping[str, Any]) -> None:
    direction = name.removesuffix("_tokens")
    if _count(usage, name) != sum(_count(details, f"{modality}_tokens") for modality in _MODALITIES):
        raise _UnclearError(f"a usage does not say of what kind its {direction} tokens were")


def _part(usage: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = usage.get(name)
    return part if isinstance(part, Mapping) else {}


def _length(usage: Mapping[str, Any], name: str) -> float:
    """Seconds; what is not there is 0."""
    value = usage.get(name) or 0
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= MOST:
        raise _UnclearError(f"a usage has {name} that are no possible length")
    return float(value)


def _count(part: Mapping[str, Any], name: str) -> int:
    """A number of tokens; one that is not there is 0, one that is none cannot be priced."""
    value = part.get(name)
    if value is None:
        return 0
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MOST:
        raise _UnclearError(f"a usage has {name} that are no possible number")
    return value
