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
        self._said = False

    def begin(self, words: str) -> None:
        """Make the reply to these words of the agent, unless it is made or in the making."""
        if self._words != words:
            self.drop()
            self._said = False
            self._words, self._work = words, asyncio.ensure_future(self._make(words))

    def reply(self, words: str) -> Prepared | None:
        """The reply to exactly these words; None while there is none. Raises what `make` raised."""
        if self._words != words or self._work is None or not self._work.done():
            return None
        return self._work.result()

    def say(self) -> None:
        """The reply is being said: what of it is still in the making is needed."""
        self._said = True

    def drop(self) -> None:
        """Forget the reply, and stop what is still in the making, unless it is being said."""
        work = self._work
        # Its exception is looked at: what is never said cannot spoil the call.
        made = work is not None and not work.cancel() and not work.cancelled() and work.exception() is None
        rest = work.result().rest if work is not None and made else None
        if rest is not None and not self._said:
            rest.cancel()
        self._words = self._work = None
