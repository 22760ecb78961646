"""The microphone and its amplifier: muffled, too loud, levelled by a gain control, clipped."""

from typing import ClassVar

import numpy as np
from pydantic import Field

from voicesim.audio.levels import ACTIVE_LEVEL_DB
from voicesim.audio.samples import RATE, TICK
from voicesim.catalog.profile import Effect
from voicesim.channel.effect import Happened, Out, Place, Sound
from voicesim.channel.fir import Fir, low_pass, power_at

_ATTACK, _RELEASE = 0.02, 0.8
_MOST_GAIN_DB = 20.0
_GATE_DB = -50.0
_TARGET_DB = ACTIVE_LEVEL_DB + 5.0
"""The loud ticks of speech, which a fast attack follows, lie so much over its active level."""


class Microphone(Effect):
    """In this order: a cloth over it (`muffled_hz`), gain, automatic gain control, and a level that nothing passes.

    The gain control brings speech to the level that every caller's speech has, with an attack of 20 ms and a release
    of 0.8 s, and so brings the background up in the pauses, by 20 dB at most.
    """

    key: ClassVar[str] = "microphone"

    muffled_hz: float | None = Field(default=None, ge=300, le=8_000, description="what lies above is taken away")
    gain_db: float = Field(default=0.0, ge=-40, le=40)
    agc: bool = False
    clip_db: float | None = Field(default=None, ge=-40, le=0, description="dBFS at which it clips")

    def stage(self, place: Place) -> "MicrophoneStage":
        return MicrophoneStage(self)


class MicrophoneStage:
    """See Microphone."""

    def __init__(self, settings: Microphone) -> None:
        self._settings = settings
        self._muffle = Fir(low_pass(settings.muffled_hz, 241)) if settings.muffled_hz else None
        self._gain = 10 ** (settings.gain_db / 20)
        self._clip = None if settings.clip_db is None else 10 ** (settings.clip_db / 20)
        self._level, self._agc = 10 ** (_TARGET_DB / 10), 1.0

    @property
    def delay(self) -> int:
        return self._muffle.delay if self._muffle else 0

    def response(self, hz: Sound) -> Sound:
        """Gain in power; gain and gain control change speech and noise alike, and so no ratio."""
        return power_at(self._muffle.taps, hz) if self._muffle else np.ones(len(hz))

    def process(self, tick: Sound, far: Sound) -> Out:
        sound = (self._muffle.process(tick) if self._muffle else tick) * self._gain
        if self._settings.agc:
            sound = sound * self._control(float(np.mean(np.square(sound))))
        if self._clip is None:
            return Out(sound)
        over = int(np.count_nonzero(np.abs(sound) > self._clip))
        return Out(np.clip(sound, -self._clip, self._clip), (Happened("clipped", over),) if over else ())

    def _control(self, power: float) -> Sound:
        """The gain over one tick, moving from where it was to where the level asks for."""
        if power > 10 ** (_GATE_DB / 10):
            share = 1.0 - np.exp(-TICK / RATE / (_ATTACK if power > self._level else _RELEASE))
            self._level += share * (power - self._level)
        before = self._agc
        self._agc = min(10 ** (_MOST_GAIN_DB / 20), float(np.sqrt(10 ** (_TARGET_DB / 10) / self._level)))
        return np.linspace(before, self._agc, TICK)
