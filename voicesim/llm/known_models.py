"""What is known of OpenAI's models, as of a day: defaults, prices, and the day on which one is shut down."""

from collections.abc import Mapping
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any

import yaml
from pydantic import Field

from voicesim.frozen import Frozen
from voicesim.llm.server import ModelServer

LOOKUP = 10.0
"""Seconds for the question after a model's end."""


class KnownModel(Frozen):
    """`ends` is the day from which the model no longer answers; `instead` what its maker names in its place."""

    ends: date | None = None
    instead: str = ""
    prices: Mapping[str, float] = Field(default_factory=dict)


class KnownModels(Frozen):
    """The whole of known_models.yaml: `defaults` by role, `models` by their exact names."""

    as_of: str
    defaults: Mapping[str, str]
    models: Mapping[str, KnownModel]


@cache
def known_models() -> KnownModels:
    """The data file, read once."""
    text = (files("voicesim.llm") / "known_models.yaml").read_text(encoding="utf-8")
    content: Any = yaml.safe_load(text)
    return KnownModels.model_validate(content)


def default_model(role: str, today: date) -> str | None:
    """The model that a role takes where nobody names one; None from the day on which it is shut down."""
    name = known_models().defaults[role]
    known = known_models().models.get(name)
    return None if known and known.ends and known.ends <= today else name


def retirement(model: str, today: date) -> str:
    """That OpenAI shuts a model down, and when; "" where nothing is known of it.

    >>> retirement("gpt-5-mini", date(2026, 12, 1))
    'OpenAI shuts gpt-5-mini down on 2026-12-11 and names gpt-6.1-terra in its place'
    >>> retirement("gpt-5-mini", date(2027, 1, 1))
    'OpenAI shut gpt-5-mini down on 2026-12-11 and names gpt-6.1-terra in its place'
    >>> retirement("somebody/else", date(2027, 1, 1))
    ''
    """
    known = known_models().models.get(model)
    if known is None or known.ends is None:
        return ""
    instead = f" and names {known.instead} in its place" if known.instead else "; nothing follows it in its place"
    return f"OpenAI {'shut' if known.ends <= today else 'shuts'} {model} down on {known.ends.isoformat()}{instead}"


def gone(model: str, today: date) -> str:
    """That OpenAI has shut a model down; "" while it answers, and where nothing is known of it.

    >>> gone("gpt-5-mini", date(2026, 12, 10))
    ''
    >>> gone("gpt-5-mini", date(2026, 12, 11))
    'OpenAI shut gpt-5-mini down on 2026-12-11 and names gpt-6.1-terra in its place'
    """
    known = known_models().models.get(model)
    return retirement(model, today) if known and known.ends and known.ends <= today else ""


async def model_end(server: ModelServer, today: date) -> str:
    """When a model is shut down, as its server tells it (`shutdown_date` of `GET /v1/models/MODEL`), else as OpenAI's
    documentation did; "" where neither knows. A server that does not answer is no error here."""
    from openai import OpenAIError

    from voicesim.llm.connection import connect

    shutdown: object = None
    try:
        async with connect(server, LOOKUP, 0) as client:
            shutdown = getattr(await client.models.retrieve(server.model), "shutdown_date", None)
    except (OpenAIError, ValueError):  # the SDK lets pass what json says of an answer that is none
        pass
    try:
        ends = date.fromisoformat(str(shutdown))
    except ValueError:
        return retirement(server.model, today) if server.is_openai else ""
    return f"{server.host} {'shut' if ends <= today else 'shuts'} {server.model} down on {ends.isoformat()}"
