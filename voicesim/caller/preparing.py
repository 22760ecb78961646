"""The reply to what is understood so far, thought out and voiced before it is due.

A reply is made for certain words. If the agent goes on and its words change, the reply is dropped and another is made;
if it only paused, coughed or breathed, the reply stands.
"""

import asyncio
from collections.abc import Awaitable, Callable

from voicesim.caller.playing import Prepared


class Preparation:
    """At most one reply in the making, or made."""

    def __init__(self, make: Callable[[str], Awaitable[Prepared]]) -> None:
        """`make` thinks of the reply to some words of the agent, and voices it."""
        self._make = make
        self._words: str | None = None
        self._work: asyncio.Future[Prepared] | None = None

    def begin(self, words: str) -> None:
        """Make the reply to these words of the agent, unless it is made or in the making."""
        if self._words != words:
            self.drop()
            self._words, self._work = words, asyncio.ensure_future(self._make(words))

    def reply(self, words: str) -> Prepared | None:
        """The reply to exactly these words; None while there is none. Raises what `make` raised."""
        if self._words != words or self._work is None or not self._work.done():
            return None
        return self._work.result()

    def drop(self) -> None:
        """Forget the reply, and stop what is still in the making."""
        if self._work is not None and not self._work.cancel() and not self._work.cancelled():
            self._work.exception()  # looked at: what is never said cannot spoil the call
        self._words = self._work = None
