"""Both reference agents behind one door."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from voicesim.errors import UsageError
from voicesim.reference.brains import brains


@asynccontextmanager
async def serving(
    kind: str, *, brain: str, whisper: str, host: str, port: int, greeting: str | None
) -> AsyncIterator[int]:
    """A reference agent that takes calls inside the `async with`; yields its port.

    Raises UsageError for an unknown kind or brain, a port in use, or a model that is not installed.
    """
    if kind == "modular" and brain == "booking":
        raise UsageError(
            "the brain `booking` uses tools that the client answers, and only the realtime agent has those"
        )
    async with brains(brain, greeting) as make_brain:
        if kind == "realtime":
            from voicesim.reference.realtime import server as realtime

            async with realtime.serving(make_brain, whisper, host, port) as taken:
                yield taken
        elif kind == "modular":
            from voicesim.reference.modular import server as modular

            async with modular.serving(make_brain, whisper, host, port) as taken:
                yield taken
        else:
            raise UsageError(f"unknown reference agent {kind!r}: realtime or modular")
