"""Where the caller's utterances begin and end on the wire, for transports that have to tell their agent."""

from collections import deque

from voicesim.audio.samples import TICK
from voicesim.recording.events import Intent
from voicesim.transports.base import FollowsUtterances, Transport


class UtteranceEdges:
    """Passes the edges of utterances on to a transport, as much later as the channel holds the voice back."""

    def __init__(self, transport: Transport, delay: int) -> None:
        """`delay`: samples by which what is sent lies behind the voice."""
        self._transport = transport if isinstance(transport, FollowsUtterances) else None
        # An utterance has begun with the first tick that holds some of it, and is over after the last.
        self._starts: deque[Intent | None] = deque([None] * (delay // TICK))
        self._stops: deque[Intent | None] = deque([None] * -(-delay // TICK))

    def add(self, starts: Intent | None, stops: Intent | None) -> None:
        """The edges in the next tick of the voice."""
        self._starts.append(starts)
        self._stops.append(stops)

    def before_sending(self) -> None:
        """The next tick is about to be sent."""
        if (intent := self._starts.popleft()) is not None and self._transport is not None:
            self._transport.caller_starts(intent)

    def after_sending(self) -> None:
        """That tick has been sent."""
        if (intent := self._stops.popleft()) is not None and self._transport is not None:
            self._transport.caller_stops(intent)
