"""One caller's line: what his clean voice is when it leaves the telephone network."""

from dataclasses import dataclass

import numpy as np
from numpy.random import SeedSequence, default_rng
from numpy.typing import NDArray

from voicesim.audio.samples import TICK, Wave
from voicesim.catalog.model import AudioProfile
from voicesim.channel.codec import Codec
from voicesim.channel.fir import Fir, around, band_pass
from voicesim.channel.loops import loop_of
from voicesim.channel.loss import PacketLoss
from voicesim.channel.spectrum import speech_share
from voicesim.registry import CODECS
from voicesim.tts.shape import ACTIVE_LEVEL_DB


@dataclass(frozen=True)
class Passed:
    """What came out of the channel, and how many packets of it were lost and concealed."""

    wave: Wave
    lost: int


class Channel:
    """Band, noise, codec and loss, in this order, over a continuous stream, silence included.

    Everything random is drawn from the seed, each effect from a stream of its own. Made before a call:
    the voices of a cafe take a few seconds to speak for the first time.
    """

    def __init__(self, profile: AudioProfile, seed: int) -> None:
        """Raises CatalogueError for a noise file that is missing, unreadable or silent, and UsageError when
        a noise made of voices is asked for and the local voice is not installed."""
        for_noise, for_loss = (default_rng(child) for child in SeedSequence(seed).spawn(2))
        self._band = Fir(band_pass(*profile.band_hz)) if profile.band_hz else None
        self._codec: Codec | None = None if profile.codec == "none" else CODECS.load(profile.codec)()
        self._loss = PacketLoss(profile.loss, for_loss) if profile.loss else None
        self._noise = _set_noise(profile, self._codec, for_noise) if profile.noise else None
        self._place = int(for_noise.integers(len(self._noise))) if self._noise is not None else 0

    @property
    def delay(self) -> int:
        """Samples by which speech comes out later than it went in; the same for the whole call."""
        return sum(stage.delay for stage in (self._band, self._codec) if stage is not None)

    def process(self, clean: Wave) -> Passed:
        """The next float32 samples of the caller, a whole number of ticks (480 samples), to as many heard ones.

        Raises ValueError for any other length.
        """
        if not len(clean) or len(clean) % TICK:
            raise ValueError(f"the channel takes whole ticks of {TICK} samples, not {len(clean)} samples")
        ticks = [self._tick(clean[at : at + TICK].astype(np.float64)) for at in range(0, len(clean), TICK)]
        wave = np.concatenate([heard for heard, _ in ticks]).astype(np.float32)
        return Passed(wave, sum(lost for _, lost in ticks))

    def _tick(self, block: NDArray[np.float64]) -> tuple[NDArray[np.float64], bool]:
        if self._band is not None:
            block = self._band.process(block)
        if self._noise is not None:
            block = block + self._next_noise(len(block))
        if self._codec is not None:
            block = self._codec.process(block)
        return self._loss.process(block) if self._loss is not None else (block, False)

    def _next_noise(self, count: int) -> NDArray[np.float64]:
        assert self._noise is not None
        places = np.arange(self._place, self._place + count) % len(self._noise)
        self._place = int(places[-1] + 1)
        return self._noise[places]


def _set_noise(profile: AudioProfile, codec: Codec | None, random: np.random.Generator) -> NDArray[np.float64]:
    """A loop of noise at the level that makes the profile's SNR true of what leaves the channel.

    The noise is in the room, so it is narrowed by the band and the codec as the speech is; the ratio is set
    between what is left of both. Speech stands at ACTIVE_LEVEL_DB before the band.
    """
    assert profile.noise is not None
    loop = loop_of(profile.noise, random)
    if profile.band_hz:
        loop = around(loop, band_pass(*profile.band_hz))
    heard = around(loop, codec.band) if codec is not None else loop
    power = 10 ** (ACTIVE_LEVEL_DB / 10) * speech_share(profile.band_hz) * 10 ** (-profile.noise.snr_db / 10)
    return np.asarray(loop * np.sqrt(power / np.mean(np.square(heard))))
