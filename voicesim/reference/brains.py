"""The brains by name, as `--brain` names them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from voicesim.errors import UsageError
from voicesim.reference.brain import GREETING, BrainMaker


@asynccontextmanager
async def brains(spec: str, greeting: str | None = GREETING) -> AsyncIterator[BrainMaker]:
    """What `--brain` names: `rules`, `booking`, or `openai:MODEL`. A greeting of None makes the agent wait.

    Raises UsageError for another name, and for openai without a key in OPENAI_API_KEY.
    """
    kind, _, model = spec.partition(":")
    if kind == "rules" and not model:
        from voicesim.reference.consult import RulesBrain

        yield lambda: RulesBrain(greeting)
    elif kind == "booking" and not model:
        from voicesim.reference import booking

        yield lambda: booking.BookingBrain(booking.GREETING if greeting == GREETING else greeting)
    elif kind == "openai" and model:
        from voicesim.reference.llm import OpenAIBrain, openai_client

        async with openai_client(model) as client:
            yield lambda: OpenAIBrain(client, model, greeting)
    else:
        raise UsageError(
            f"unknown brain {spec!r}: it is `rules`, `booking` or `openai:MODEL`, such as openai:gpt-4o-mini"
        )
