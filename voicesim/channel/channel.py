"""One leg of a call: what a clean voice is when it has gone through the effects of a profile."""

import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import SeedSequence, default_rng

from voicesim.audio.samples import TICK, Wave
from voicesim.catalog.model import AudioProfile
from voicesim.catalog.profile import Effect
from voicesim.channel.effect import Builds, Conceals, Drops, Filters, Happened, Place, Response, Sound, Stage, Travels
from voicesim.channel.spectrum import SpeechSpectrum
from voicesim.errors import UsageError
from voicesim.registry import EFFECTS


@dataclass(frozen=True)
class Passed:
    """What came out of the channel, and what its effects did: `at` counts samples from the start of `wave`."""

    wave: Wave
    happened: tuple[Happened, ...] = ()


class Channel:
    """The effects of one leg, one after the other, over a continuous stream, silence included.

    Everything random is drawn from the seed, each effect from a stream of its own, so that an effect more leaves the
    others as they were. Made before a call: background voices take a few seconds to speak for the first time.
    """

    def __init__(self, effects: Sequence[Effect], seed: int, voice: Wave | None = None) -> None:
        """`voice` is a line of the speaker, clean: levels behind a filter are set by what the filter leaves of it.
        Without one they are set by the average of many voices.

        Raises CatalogueError for a sound file that is missing, unreadable or silent, and UsageError when an effect
        needs a voice or a package that is not installed.
        """
        speech = SpeechSpectrum.of(voice) if voice is not None and voice.any() else SpeechSpectrum.average()
        self._stages = _stages(effects, seed, speech)

    @property
    def delay(self) -> int:
        """Samples by which speech comes out later than it went in; the same for the whole call."""
        return sum(stage.delay for stage in self._stages)

    @property
    def transit(self) -> int:
        """How much of the delay is travel time that the profile asks for; the rest is what filters and codecs take."""
        return sum(stage.transit for stage in self._stages if isinstance(stage, Travels))

    def process(self, clean: Wave, far: Wave | None = None) -> Passed:
        """The next float32 samples of the speaker, a whole number of ticks (480 samples), to as many heard ones.

        `far` is what the speaker hears meanwhile (silence if not given), for the echo of it. Raises ValueError
        for any other length.
        """
        if not len(clean) or len(clean) % TICK:
            raise ValueError(f"the channel takes whole ticks of {TICK} samples, not {len(clean)} samples")
        heard: list[Sound] = []
        happened: list[Happened] = []
        for at in range(0, len(clean), TICK):
            tick = clean[at : at + TICK].astype(np.float64)
            other = np.zeros(TICK) if far is None else far[at : at + TICK].astype(np.float64)
            for stage in self._stages:
                tick, events = stage.process(tick, other)
                happened += [event._replace(at=event.at + at) for event in events]
            heard.append(tick)
        return Passed(np.concatenate(heard).astype(np.float32), tuple(happened))


def caller_leg(profile: AudioProfile) -> tuple[Effect, ...]:
    """The effects on the patient's voice; the short form of a profile in physical order."""
    if profile.chain:
        return profile.chain
    links: list[tuple[str, dict[str, object]]] = []
    if profile.noise is not None:
        links.append(("background", profile.noise.model_dump()))
    if profile.band_hz is not None:
        links.append(("band", {"low_hz": profile.band_hz[0], "high_hz": profile.band_hz[1]}))
    if profile.codec != "none":
        links.append(("codec", {"kind": profile.codec}))
    if profile.loss is not None:
        links.append(("loss", profile.loss.model_dump()))
    return tuple(EFFECTS.load(name)(**settings) for name, settings in links)


def _stages(effects: Sequence[Effect], seed: int, speech: SpeechSpectrum) -> tuple[Stage, ...]:
    """From the last effect to the first, since a background's level depends on what filters it afterwards."""
    stages: list[Stage] = []
    counts = Counter(effect.key for effect in effects)
    for effect in reversed(effects):
        counts[effect.key] -= 1
        if not isinstance(effect, Builds):
            raise UsageError(f"the channel effect {effect.key!r} has no `stage`: it cannot be used")
        random = default_rng(SeedSequence([seed, zlib.crc32(effect.key.encode()), counts[effect.key]]))
        stages.insert(0, effect.stage(Place(random, _response(tuple(stages)), speech)))
    _leave_loss_to_codecs(stages)
    return tuple(stages)


def _response(stages: tuple[Stage, ...]) -> Response:
    def later(hz: Sound) -> Sound:
        gain = np.ones(len(hz))
        for stage in stages:
            if isinstance(stage, Filters):
                gain = gain * stage.response(hz)
        return gain

    return later


def _leave_loss_to_codecs(stages: Sequence[Stage]) -> None:
    """What loses packets behind a codec that conceals loss itself is asked by the codec."""
    codec: Conceals | None = None
    for stage in stages:
        if isinstance(stage, Conceals):
            codec = stage if stage.conceals else None
        elif isinstance(stage, Drops) and codec is not None:
            stage.left_to_codec()
            codec.ask(stage)
