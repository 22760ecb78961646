"""Who has the floor: what the agent does about a caller who speaks while it speaks, or who speaks for long."""

import asyncio
from collections.abc import Awaitable, Callable

from voicesim.audio.samples import RATE, Pcm, samples
from voicesim.language.listening import only_listens
from voicesim.reference_agents.realtime.listening import Listener

PADDING = 0.3
"""Seconds before its first voiced sound that belong to a turn of the caller."""
WEIGHED_AT = (0.6, 1.4)
"""Seconds of the caller's voice after which its words are weighed, while the agent goes on."""
GIVEN_UP_AT = 2.4
"""Seconds of it after which the caller gets the floor, whatever the words were."""
MURMUR_AFTER = 3.0
"""Seconds that the caller speaks before the agent shows that it listens; and between two such signs."""
_LOOK = 0.04


class Floor:
    """Listens while the agent speaks."""

    def __init__(
        self,
        listener: Listener,
        understand: Callable[[Pcm], Awaitable[str]],
        speaking: Callable[[], bool],
        give_way: Callable[[], None],
        murmur: Callable[[], None],
    ) -> None:
        """`understand` turns sound into words; `give_way` stops the agent; `murmur` says that it listens."""
        self._listener, self._understand, self._speaking = listener, understand, speaking
        self._give_way, self._murmur = give_way, murmur
        self._from = self._murmured = 0
        self._goes_on = False

    def caller_starts(self, at: int) -> None:
        """A turn of the caller begins at a sample."""
        self._from = self._murmured = at + samples(PADDING)

    def heard(self) -> None:
        """More of the caller was heard. As the voice sets in again after a pause, the agent shows that it listens.

        In the pause itself nobody knows whether it is the end of the turn.
        """
        paused = self._listener.paused
        resumed, self._goes_on = self._goes_on and self._listener.speaking and not paused, paused
        if resumed and not self._speaking() and self._listener.now - self._murmured >= samples(MURMUR_AFTER):
            self._murmured = self._listener.now
            self._murmur()

    async def weigh(self) -> None:
        """A caller begins to speak into the agent's speech: by its words the agent goes on or gives way."""
        for seconds in WEIGHED_AT:
            if not await self._spoken_for(seconds):
                return  # its words are weighed when they are all there
            if not only_listens(await self._understand(self._listener.since(self._from - samples(PADDING)))):
                self._stop()
                return
        if await self._spoken_for(GIVEN_UP_AT):
            self._stop()

    async def _spoken_for(self, seconds: float) -> bool:
        """Whether the caller speaks for so long, and the agent beside it."""
        while (self._listener.now - self._from) / RATE < seconds:
            await asyncio.sleep(_LOOK)
            if not (self._listener.speaking and self._speaking()):
                return False
        return self._speaking()

    def _stop(self) -> None:
        if self._speaking():
            self._give_way()
