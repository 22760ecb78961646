"""The agent's sound as events of a WebSocket: 100 ms at a time, at the pace at which it is heard."""

from base64 import b64encode

import numpy as np

from voicesim.audio.g711 import encode
from voicesim.audio.resampling import StreamResampler
from voicesim.audio.samples import RATE
from voicesim.reference_agents.duplex import protocol
from voicesim.reference_agents.realtime.outbox import Outbox
from voicesim.reference_agents.realtime.playout import WIRE_RATE, Pace, Playout
from voicesim.reference_agents.realtime.session import MuLawFormat, PcmFormat, SoundFormat
from voicesim.reference_agents.realtime.wire import TELEPHONE_RATE

TICKS = 5
"""Ticks of 20 ms in one event."""


def sound_format(session: protocol.Session) -> SoundFormat:
    """The format of both directions, as the realtime agent names it."""
    if isinstance(session.audio.format, protocol.MuLawFormat):
        return MuLawFormat(type="audio/pcmu")
    return PcmFormat()


class Sending:
    """Empties a playout into an outbox; silence is not sent."""

    def __init__(self, format_: SoundFormat, playout: Playout, outbox: Outbox) -> None:
        self.format, self._playout, self._outbox = format_, playout, outbox
        self._rate = TELEPHONE_RATE if isinstance(format_, MuLawFormat) else RATE
        self._convert = StreamResampler(WIRE_RATE, self._rate)
        self._pace = Pace()

    async def run(self) -> None:
        """Until it is cancelled."""
        while True:
            number = await self._pace.next()
            if number % TICKS == 0 and self._playout.waiting:
                self._send()

    def _send(self) -> None:
        pcm = self._convert.feed(np.concatenate([self._playout.take() for _ in range(TICKS)]))
        data = (encode(pcm) if self._rate == TELEPHONE_RATE else pcm.astype("<i2")).tobytes()
        self._outbox.send("session.output_audio.delta", delta=b64encode(data).decode("ascii"))
