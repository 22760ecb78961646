"""The agent's sound as the patient hears it, through the effects of the profile's agent leg."""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import numpy as np

from voicesim.audio.samples import TICK, Pcm, samples, to_pcm, to_wave
from voicesim.channel.channel import Channel
from voicesim.channel.effect import Happened


class Track(Protocol):
    """The agent's sound by its place on the call clock."""

    def read(self, start: int, stop: int) -> Pcm:
        """Samples from start to stop; silence where there is none."""
        ...


class HeardTick(NamedTuple):
    """480 samples that belong at `start`, and what the effects did in them."""

    start: int
    pcm: Pcm
    happened: tuple[Happened, ...]


class AgentLeg:
    """A track made of another, tick by tick and in order.

    What a filter or codec takes to do its work is taken out of the places, so that times measured from the track are
    right; what the profile asks for as delay or jitter is travel time, and stays.
    """

    def __init__(self, track: Track, channel: Channel) -> None:
        self._track, self._channel = track, channel
        self.behind = channel.delay - channel.transit
        """Samples by which the end of this track lies behind what was read of the other."""
        self._position = 0
        self._pcm = np.zeros(samples(60), np.int16)

    def advance(self, limit: int) -> Iterator[HeardTick]:
        """Read on as far as whole ticks before `limit` go."""
        while self._position + TICK <= limit:
            source = self._track.read(self._position, self._position + TICK)
            passed = self._channel.process(to_wave(source))
            pcm, start = to_pcm(passed.wave), self._position - self.behind
            self._position += TICK
            if start < 0:
                pcm, start = pcm[-start:], 0
            self._grow(start + len(pcm))
            self._pcm[start : start + len(pcm)] = pcm
            yield HeardTick(start, pcm, passed.happened)

    def read(self, start: int, stop: int) -> Pcm:
        """Samples from start to stop; silence where nothing was heard yet."""
        self._grow(stop)
        return self._pcm[start:stop].copy()

    def _grow(self, stop: int) -> None:
        if stop > len(self._pcm):
            self._pcm = np.concatenate([self._pcm, np.zeros(max(stop, len(self._pcm)), np.int16)])
