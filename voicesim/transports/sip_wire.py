"""The sound of one call over SIP, tick by tick, as baresip gives and takes it."""

from typing import Any

import numpy as np

from voicesim.audio.resampling import StreamResampler
from voicesim.audio.samples import RATE, Pcm, mix_down
from voicesim.transports.bounded_inbox import BoundedInbox

READ_LIMIT = 64_000
"""Bytes read at most in a tick; what baresip holds for us is half of that."""


class Wire:
    """Sound both ways at the rates and channels that were agreed on (`info` is baresip's)."""

    def __init__(self, audio: Any, info: Any) -> None:
        self._audio, self.rate, self._channels = audio, int(info.rx_sample_rate), int(info.rx_channels)
        self._out_channels = int(info.tx_channels)
        self._up, self._down = StreamResampler(self.rate, RATE), StreamResampler(RATE, int(info.tx_sample_rate))
        self._samples = 0
        audio.read(READ_LIMIT)  # sound before the answer is none of the call's
        # A block ahead: baresip's clock and ours may then differ by 20 ms without a hole in what the agent hears.
        audio.write(bytes(2 * self._out_channels * int(info.tx_sample_rate) // 50))

    def tick(self, pcm: Pcm, inbox: BoundedInbox) -> None:
        """Give 20 ms of the caller, and pass on what has come of the agent."""
        from baresip import AudioNotActive, AudioRestarted

        try:
            self._audio.write(np.repeat(self._down.feed(pcm), self._out_channels).tobytes())
            data = np.frombuffer(self._audio.read(READ_LIMIT), np.int16)
        except AudioRestarted:
            inbox.warn("the agent's side began the sound of the call anew")
            return
        except AudioNotActive:
            return  # the call is over; its end is told by an event
        if self._channels > 1:
            data = mix_down(data.reshape(-1, self._channels))
        if len(data):
            media = self._samples / self.rate - self._up.delay
            self._samples += len(data)
            inbox.audio(self._up.feed(data), media)
